import type { Task } from '../../../server/contract/video.ts';

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
  const clips = done.filter((it) => it.full_task_id === null || !ids.has(it.full_task_id));
  return { clips, leftOut: done.length - clips.length };
}
