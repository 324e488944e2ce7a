import { videoRoutes, type Access, type Task } from '../../../server/contract/video.ts';
import type { Api } from '../../api/client.ts';
import { nameOfAnswer } from '../../api/saveAnswer.ts';

export interface EvidenceFile {
  name: string;
  content: Blob;
}

/**
 * The evidence of some tasks as a ZIP. What comes goes to the browser's own store of blobs, which keeps large ones on
 * disk. Throws ApiProblem (`file_expired`, `file_missing`, `task_not_done`), Unreachable, and the signal's reason.
 *
 * @param onBytes called with the bytes received so far
 */
export async function exportEvidence(
  api: Api,
  filter: { taskIds: readonly string[]; note: string },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<EvidenceFile> {
  const note = filter.note.trim();
  const response = await api.open(videoRoutes.evidence, {
    query: { tasks: [...filter.taskIds], ...(note === '' ? {} : { note }) },
    signal,
  });
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  const counted = response.body === null ? null : response.body.pipeThrough(counter, { signal });
  const content = await new Response(counted, { headers: { 'Content-Type': 'application/zip' } }).blob();
  return { name: nameOfAnswer(response, 'evidence.zip'), content };
}

/** Who had the videos of some tasks in hand, newest first. Throws ApiProblem, Unreachable. */
export async function readAccess(
  api: Api,
  taskIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Access[]> {
  const lists = await Promise.all(
    taskIds.map((task_id) => api.request(videoRoutes.access, { params: { task_id }, signal })),
  );
  return lists.flatMap(({ items }) => items).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** What goes into the file of evidence, and what shows the same again, smaller, and is left out. */
export interface EvidenceClips {
  clips: readonly Task[];
  /** How many small pictures are left out for the full ones. */
  leftOut: number;
}

/** @param tasks those that were chosen; what is not done has no file */
export function evidenceClips(tasks: readonly Task[]): EvidenceClips {
  const done = tasks.filter((it) => it.status === 'done');
  const ids = new Set(done.map((it) => it.task_id));
  const clips = done.filter((it) => it.main_task_id === null || !ids.has(it.main_task_id));
  return { clips, leftOut: done.length - clips.length };
}
