import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Clock } from '../../clock.ts';
import type { LeftOut } from '../../contract/evidence.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import { createServerWords, type ServerWords, type Wording } from '../../contract/texts/serverWords.ts';
import { ApiError } from '../../http/apiError.ts';
import { hangUpOf } from '../../http/requestContext.ts';
import { streamBytes } from '../../http/unreadAnswers.ts';
import { holds as hasRight, type Viewer } from '../../http/viewer.ts';
import type { Sight } from '../../notifications/sight.ts';
import type { PlacesWithin } from '../../places/boundedPlaces.ts';
import { errorCode } from '../../store/documents/Files.ts';
import type { Store } from '../../store/operations.ts';
import type { AccessLog } from '../accessLog.ts';
import { fileTime } from '../doneFile.ts';
import { contentDisposition, openWhole } from '../sendVideo.ts';
import type { Tasks } from '../tasks.ts';
import { createEvidenceZip } from './evidenceZip.ts';
import { planEvidence, type DoneTask, type EvidencePeriod, type PlanDeps } from './evidencePlan.ts';
import { writeEvidence, type EvidenceOrder } from './writeEvidence.ts';

/** A vehicle's ends of the track and its events; beyond it they go out without their addresses. */
const addressBudget = { wait_ms: 10_000, points: 5_000 };

export interface SendEvidenceDeps extends PlanDeps {
  tasks: Pick<Tasks, 'loseFile'>;
  accesses: Pick<AccessLog, 'exported'>;
  store: Pick<Store, 'track' | 'events'>;
  pathOf: (fileName: string) => string;
  sight: Sight;
  placesWithin: PlacesWithin;
  settings: () => SettingsFields;
  app_version: string;
  wordingOf: (userId: string) => Wording;
  clock: Pick<Clock, 'now'>;
  /** Ends what is under way when the host ends. */
  closing: AbortSignal;
}

/** What one export holds, to be sent as the answer to a request. */
export interface EvidenceCall {
  /** Of the archive, before the time; left out: `Video evidence`. */
  title?: string;
  clips: readonly DoneTask[];
  /** What goes out of vehicles besides the time around the clips. */
  periods?: readonly EvidencePeriod[];
  /** What goes out besides the files of vehicles. */
  more?: EvidenceOrder['more'];
  note: string | undefined;
  /** Besides what the viewer may not see. */
  leftOut?: readonly LeftOut[];
  viewer: Viewer;
  request: Request;
  response: Response;
  /** Books the memory that the answer takes. */
  holds: (bytes: number) => void;
}

export type SendEvidence = ReturnType<typeof createSendEvidence>;

/** Answers requests with archives of evidence, each with a manifest of its files' checksums. */
export function createSendEvidence(deps: SendEvidenceDeps) {
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

  return async (call: EvidenceCall): Promise<void> => {
    const { clips, periods, note, leftOut = [], viewer, request, response } = call;
    const words = createServerWords(deps.wordingOf(viewer.user.user_id));
    const title = call.title ?? words.say('summary.title');
    call.holds(streamBytes);
    const handles = await openAll(clips);
    try {
      const exported_ms = clock.now();
      response.set({
        'Content-Type': 'application/zip',
        'Cache-Control': 'private, no-store',
        'Content-Disposition': contentDisposition(`${title} ${fileTime(exported_ms)}.zip`),
      });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }

      accesses.exported(
        clips.map(({ row }) => row.task_id),
        viewer.user.user_id,
      );
      const signal = AbortSignal.any([deps.closing, hangUpOf(response)]);
      const zip = createEvidenceZip(new Date(exported_ms), signal);
      await sendWhile(zip.output, response, () =>
        writeEvidence(
          {
            vehicles: planEvidence(clips, deps, periods),
            handleOf: ({ row }) => handleOf(handles, row.task_id),
            exporter: viewer.user,
            exported_ms,
            note: note ?? null,
            leftOut: [...leftOut, ...leftOutFor(viewer, words)],
            more: call.more ?? [],
          },
          zip,
          {
            ...deps,
            words,
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
  };
}

/** What the viewer may not see as such does not go out with a clip either. */
function leftOutFor(viewer: Viewer, { say }: ServerWords): LeftOut[] {
  const out: LeftOut[] = [];
  if (!hasRight(viewer, 'vehicles', 'read')) {
    out.push({ what: 'positions', reason: say('summary.no_right.vehicles') });
  }
  if (!hasRight(viewer, 'notifications', 'read')) {
    out.push({ what: 'events', reason: say('summary.no_right.events') });
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
