import type { Response } from 'express';
import { videoRoutes, type Task } from '../contract/video.ts';
import type { Api } from '../http/api.ts';
import { ApiError } from '../http/apiError.ts';
import { newestFirst } from '../http/pageOf.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import { sendVideo } from './sendVideo.ts';
import type { Tasks } from './tasks.ts';
import { isUnfinished } from './taskTransitions.ts';

export interface TaskRouteParts {
  tasks: Tasks;
  pathOf: (fileName: string) => string;
  vehicleOf: (vehicleId: string) => { name: string; plate: string | null } | undefined;
  /** Ends all waiting when the host ends. */
  closing: AbortSignal;
}

export function addTaskRoutes(api: Api, { tasks, pathOf, vehicleOf, closing }: TaskRouteParts): void {
  function answer(response: Response, row: TaskRow): Task {
    setRetryAfter(response, row);
    return tasks.present(row);
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
      (row) => tasks.present(row),
    );
  });

  api.handle(videoRoutes.createTask, async ({ body, viewer, response }) => {
    const row = await tasks.create(body, viewer);
    response.set('Location', `/service/vsvc/api/tasks/${row.task_id}`);
    return answer(response, row);
  });

  api.handle(videoRoutes.getTask, async ({ params, query, viewer, response }) => {
    let row = await tasks.find(params.task_id, viewer);
    if (query.wait !== undefined && query.wait > 0 && isUnfinished(row.status)) {
      await tasks.statusChange(row, query.wait * 1000, AbortSignal.any([closing, hangUpOf(response)]));
      row = await tasks.find(params.task_id, viewer);
    }
    return answer(response, row);
  });

  api.handle(videoRoutes.patchTask, async ({ params, body, viewer, ifMatch, response }) =>
    answer(response, await tasks.patch(params.task_id, body, viewer, ifMatch)),
  );

  api.handle(videoRoutes.removeTask, async ({ params, viewer, ifMatch, response }) =>
    answer(response, await tasks.remove(params.task_id, viewer, ifMatch)),
  );

  api.handle(videoRoutes.retryTask, async ({ params, viewer, response }) =>
    answer(response, await tasks.retry(params.task_id, viewer)),
  );

  api.handle(videoRoutes.file, async ({ params, viewer, request, response }) => {
    const row = await tasks.find(params.task_id, viewer);
    if (row.status === 'expired') throw gone(row);
    if (row.status !== 'done' || row.file === null || row.file_name === null) {
      setRetryAfter(response, row);
      throw new ApiError('task_not_done', `The task is ${row.status}.`);
    }
    try {
      const downloadName = nameOf(row, vehicleOf(row.vehicle_id));
      await sendVideo(request, response, { path: pathOf(row.file_name), file: row.file, downloadName });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'file_missing') await tasks.loseFile(row.task_id);
      throw error;
    }
  });
}

/** Aborts when the client has gone, or been answered. */
function hangUpOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  if (response.destroyed) controller.abort();
  return controller.signal;
}

function gone(row: TaskRow): ApiError {
  return row.error?.code === 'file_missing'
    ? new ApiError('file_missing', row.error.detail)
    : new ApiError('file_expired', 'The file was removed: its time was over, or somebody deleted it.');
}

/** `AB-1234 channel 1 2026-11-21 04-43-00Z.mp4`: signs that a file system forbids are left out. */
function nameOf(row: TaskRow, vehicle: { name: string; plate: string | null } | undefined): string {
  const time = new Date(row.from_ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-');
  const who = vehicle?.plate ?? vehicle?.name ?? row.terminal_id;
  const name = `${who} channel ${row.channel} ${time}Z`;
  return `${name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '_')}.mp4`;
}
