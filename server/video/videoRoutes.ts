import type { Response } from 'express';
import { videoRoutes, type Task, type TasksOfVehicles } from '../contract/video.ts';
import type { Api } from '../http/api.ts';
import { ApiError } from '../http/apiError.ts';
import { hangUpOf } from '../http/requestContext.ts';
import { newestFirst, paginate } from '../http/pagination.ts';
import { streamBytes } from '../http/unreadAnswers.ts';
import type { Viewer } from '../http/viewer.ts';
import type { Sight } from '../notifications/sight.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { AccessLog } from './accessLog.ts';
import { clipName, doneFile } from './doneFile.ts';
import { sendVideo } from './sendVideo.ts';
import type { Tasks } from './tasks.ts';
import { isUnfinished } from './taskTransitions.ts';
import type { Profiles } from './profiles.ts';
import type { AskRecordings } from './recordings.ts';

export interface TaskRouteDeps {
  tasks: Tasks;
  accesses: AccessLog;
  pathOf: (fileName: string) => string;
  vehicleOf: (vehicleId: string) => { name: string; plate: string | null } | undefined;
  sight: Sight;
  /** Ends all waiting when the host ends. */
  closing: AbortSignal;
}

export function addTaskRoutes(
  api: Api,
  { tasks, accesses, pathOf, vehicleOf, sight, closing }: TaskRouteDeps,
): void {
  function answer(response: Response, row: TaskRow, viewer: Viewer): Task {
    setRetryAfter(response, row);
    return sight.of(tasks.present(row), viewer);
  }

  function setRetryAfter(response: Response, row: TaskRow): void {
    const seconds = tasks.retryAfterS(row);
    if (seconds !== null) response.set('Retry-After', String(seconds));
  }

  api.handle(videoRoutes.tasks, async ({ query, viewer }) => {
    const rows = await tasks.list(query, viewer);
    return newestFirst(
      rows,
      query.limit,
      (row) => ({ ms: row.created_ms, id: row.task_id }),
      (row) => sight.of(tasks.present(row), viewer),
    );
  });

  api.handle(videoRoutes.createTask, ({ body, viewer, response, once }) =>
    once<TaskRow>(
      async (stored) => {
        const row = await tasks.create(body, viewer, stored);
        setRetryAfter(response, row);
        return row;
      },
      (row) => ({
        reply: sight.of(tasks.present(row), viewer),
        location: `/service/vsvc/api/tasks/${row.task_id}`,
      }),
    ),
  );

  api.handle(videoRoutes.createTasks, ({ body, viewer, once }) =>
    once<TasksOfVehicles>(
      (stored) => tasks.createMany(body, viewer, stored),
      (reply) => ({ reply }),
    ),
  );

  api.handle(videoRoutes.getTask, async ({ params, query, viewer, response }) => {
    let row = await tasks.find(params.task_id, viewer);
    if (query.wait !== undefined && query.wait > 0 && isUnfinished(row.status)) {
      await tasks.statusChange(row, query.wait * 1000, AbortSignal.any([closing, hangUpOf(response)]));
      row = await tasks.find(params.task_id, viewer);
    }
    return answer(response, row, viewer);
  });

  api.handle(videoRoutes.patchTask, async ({ params, body, viewer, ifMatch, response }) =>
    answer(response, await tasks.patch(params.task_id, body, viewer, ifMatch), viewer),
  );

  api.handle(videoRoutes.removeTask, async ({ params, viewer, ifMatch, response }) =>
    answer(response, await tasks.remove(params.task_id, viewer, ifMatch), viewer),
  );

  api.handle(videoRoutes.retryTask, async ({ params, viewer, response }) =>
    answer(response, await tasks.retry(params.task_id, viewer), viewer),
  );

  api.handle(videoRoutes.access, async ({ params, viewer }) => {
    const { task_id } = await tasks.find(params.task_id, viewer);
    return { items: await accesses.of(task_id) };
  });

  api.handle(videoRoutes.file, async ({ params, viewer, request, response, holds }) => {
    const row = await tasks.find(params.task_id, viewer);
    setRetryAfter(response, row);
    const { file, file_name } = doneFile(row);
    holds(streamBytes);
    try {
      const downloadName = clipName(row, vehicleOf(row.vehicle_id));
      const onRead = () => accesses.read(row.task_id, viewer.user.user_id);
      await sendVideo(request, response, { path: pathOf(file_name), file, downloadName, onRead });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'file_missing') await tasks.loseFile(row.task_id);
      throw error;
    }
  });
}

interface ProfileRouteDeps {
  profiles: Profiles;
  askRecordings: AskRecordings;
  /** Ends all waiting when the host ends. */
  closing: AbortSignal;
}

export function addProfileRoutes(api: Api, { profiles, askRecordings, closing }: ProfileRouteDeps): void {
  api.handle(videoRoutes.profiles, ({ query, viewer }) => {
    if (query.terminal_id !== undefined) {
      return profiles.present(profiles.findByTerminal(query.terminal_id, viewer));
    }
    const { items, next_cursor } = paginate(
      profiles.visible(viewer),
      (it) => [it.created_at, it.profile_id],
      query,
    );
    return { items: items.map((it) => profiles.present(it)), next_cursor };
  });

  api.handle(videoRoutes.createProfile, async ({ body, viewer, response }) => {
    const profile = await profiles.add(body, viewer);
    response.set('Location', `/service/vsvc/api/profiles/${profile.profile_id}`);
    return profiles.present(profile);
  });

  api.handle(videoRoutes.getProfile, ({ params, viewer }) =>
    profiles.present(profiles.find(params.profile_id, viewer)),
  );

  api.handle(videoRoutes.patchProfile, async ({ params, body, viewer, ifMatch }) =>
    profiles.present(await profiles.patch(params.profile_id, body, viewer, ifMatch)),
  );

  api.handle(videoRoutes.recordings, async ({ params, query, viewer, response }) => {
    const profile = profiles.find(params.profile_id, viewer);
    return askRecordings(profile, query, AbortSignal.any([closing, hangUpOf(response)]));
  });

  api.handle(videoRoutes.removeProfile, async ({ params, viewer, ifMatch }) => {
    const { profile_id } = profiles.find(params.profile_id, viewer);
    await profiles.remove(profile_id, ifMatch);
  });
}
