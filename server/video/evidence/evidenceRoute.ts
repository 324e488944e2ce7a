import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Clock } from '../../clock.ts';
import type { LeftOut } from '../../contract/evidence.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import { videoRoutes } from '../../contract/video.ts';
import type { Api } from '../../http/api.ts';
import { ApiError } from '../../http/apiError.ts';
import { hangUpOf } from '../../http/requestContext.ts';
import { streamBytes } from '../../http/unreadAnswers.ts';
import { holds as hasRight, type Viewer } from '../../http/viewer.ts';
import type { Sight } from '../../notifications/sight.ts';
import type { PlacesWithin } from '../../places/boundedPlaces.ts';
import { errorCode } from '../../store/documents/Files.ts';
import type { Store } from '../../store/operations.ts';
import type { AccessLog } from '../accessLog.ts';
import { doneFile, fileTime } from '../doneFile.ts';
import { contentDisposition, openWhole } from '../sendVideo.ts';
import type { Tasks } from '../tasks.ts';
import { createEvidenceZip } from './evidenceZip.ts';
import { planEvidence, type DoneTask, type PlanDeps } from './evidencePlan.ts';
import { writeEvidence } from './writeEvidence.ts';

/** A vehicle's ends of the track and its events; beyond it they go out without their addresses. */
const addressBudget = { wait_ms: 10_000, points: 5_000 };

export interface EvidenceRouteDeps extends PlanDeps {
  tasks: Pick<Tasks, 'find' | 'loseFile'>;
  accesses: Pick<AccessLog, 'exported'>;
  store: Pick<Store, 'track' | 'events'>;
  pathOf: (fileName: string) => string;
  sight: Sight;
  placesWithin: PlacesWithin;
  settings: () => SettingsFields;
  app_version: string;
  clock: Pick<Clock, 'now'>;
  /** Ends what is under way when the host ends. */
  closing: AbortSignal;
}

export function addEvidenceRoute(api: Api, deps: EvidenceRouteDeps): void {
  const { tasks, accesses, sight, clock } = deps;

  /** Opens the files of all tasks: whatever is removed meanwhile, the archive will be whole. */
  async function openAll(done: readonly DoneTask[]): Promise<Map<string, FileHandle>> {
    const handles = new Map<string, FileHandle>();
    try {
      for (const { row, file, file_name } of done) {
        const handle = await openWhole(deps.pathOf(file_name), file.size_bytes);
        if (handle === null) {
          await tasks.loseFile(row.task_id);
          throw new ApiError('file_missing', `The file of task ${row.task_id} is not in the video folder.`);
        }
        handles.set(row.task_id, handle);
      }
      return handles;
    } catch (error) {
      await closeAll(handles);
      throw error;
    }
  }

  api.handle(videoRoutes.evidence, async ({ query, viewer, request, response, holds }) => {
    const done: DoneTask[] = [];
    for (const taskId of new Set(query.tasks)) {
      const row = await tasks.find(taskId, viewer);
      done.push({ row, ...doneFile(row) });
    }
    holds(streamBytes);
    const handles = await openAll(done);
    try {
      const exported_ms = clock.now();
      response.set({
        'Content-Type': 'application/zip',
        'Cache-Control': 'private, no-store',
        'Content-Disposition': contentDisposition(`Video evidence ${fileTime(exported_ms)}.zip`),
      });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      accesses.exported(
        done.map(({ row }) => row.task_id),
        viewer.user.user_id,
      );
      const signal = AbortSignal.any([deps.closing, hangUpOf(response)]);
      const zip = createEvidenceZip(new Date(exported_ms), signal);
      await sendWhile(zip.output, response, () =>
        writeEvidence(
          {
            vehicles: planEvidence(done, deps),
            handleOf: ({ row }) => handleOf(handles, row.task_id),
            exporter: viewer.user,
            exported_ms,
            note: query.note ?? null,
            leftOut: leftOutFor(viewer),
          },
          zip,
          {
            ...deps,
            settings: deps.settings(),
            namePlaces: deps.placesWithin(addressBudget, { user_id: viewer.user.user_id, signal }),
            seenEvent: (row) => ({
              row: sight.of(row, viewer),
              geofence: sight.geofenceName(row.geozone_id, viewer),
            }),
          },
        ),
      );
    } finally {
      await closeAll(handles);
    }
  });
}

/** What the viewer may not see as such does not go out with a clip either. */
function leftOutFor(viewer: Viewer): LeftOut[] {
  const out: LeftOut[] = [];
  if (!hasRight(viewer, 'vehicles', 'read')) {
    out.push({ what: 'positions', reason: 'the one who exported it has no right to see vehicles.' });
  }
  if (!hasRight(viewer, 'notifications', 'read')) {
    out.push({ what: 'events', reason: 'the one who exported it has no right to see events.' });
  }
  return out;
}

/** Sends what `write` makes; should that fail, the connection is cut, so that nobody takes half an archive for a whole one. */
async function sendWhile(
  output: NodeJS.ReadableStream,
  response: Response,
  write: () => Promise<void>,
): Promise<void> {
  const broken = new AbortController();
  const sent = pipeline(output, response, { signal: broken.signal });
  const written = write().catch((error: unknown) => {
    broken.abort(error);
    throw error;
  });
  const [ofWriting, ofSending] = await Promise.allSettled([written, sent]);
  // A client that hangs up ends the writing, too; that is no fault.
  if (ofSending.status === 'rejected' && errorCode(ofSending.reason) === 'ERR_STREAM_PREMATURE_CLOSE') return;
  if (ofWriting.status === 'rejected') throw ofWriting.reason;
  if (ofSending.status === 'rejected') throw ofSending.reason;
}

function handleOf(handles: ReadonlyMap<string, FileHandle>, taskId: string): FileHandle {
  const handle = handles.get(taskId);
  if (handle === undefined) throw new Error('a clip without its file');
  return handle;
}

async function closeAll(handles: ReadonlyMap<string, FileHandle>): Promise<void> {
  for (const handle of handles.values()) await handle.close();
}
