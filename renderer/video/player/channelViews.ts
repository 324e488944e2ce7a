import type { Task } from '../../../server/contract/video.ts';
import {
  channelTasks,
  hasPictures,
  isUnderWay,
  type ChannelTasks,
  type IsKept,
} from '../requests/qualities.ts';
import type { LoadedClip, ClipLoad } from './clipLoads.ts';

export type Clips = ReadonlyMap<string, ClipLoad>;
/** Whether this browser plays a clip that is here. */
export type Plays = (taskId: string, clip: LoadedClip) => boolean;

/** What a channel of an order shows. */
export interface ChannelView {
  channel: number;
  /** The best of its tasks that can be seen now, else the one that can be first. */
  task: Task;
  clip: ClipLoad | undefined;
  /** What has become of the full recording where the small one is shown; null where nothing is left to come. */
  full: FullState | null;
}

export type FullState = { task: Task } & (
  | { kind: 'coming' }
  /** It is here; the browser does not play it. */
  | { kind: 'unplayable'; clip: LoadedClip }
  /** It did not come to this computer. */
  | { kind: 'failed'; error: unknown }
  /** It did not come to the depot, or is there no more. */
  | { kind: 'missing' }
);

/** The channels of an order, by channel. */
export function channelViews(tasks: readonly Task[], clips: Clips, plays: Plays): ChannelView[] {
  return [...channelTasks(tasks)].map(([channel, of]) => ({ channel, ...showOf(of, clips, plays) }));
}

function showOf({ first, full }: ChannelTasks, clips: Clips, plays: Plays): Omit<ChannelView, 'channel'> {
  const small = clips.get(first.task_id);
  if (full === null) return { task: first, clip: small, full: null };
  const clip = clips.get(full.task_id);
  const better = { task: full, clip, full: null };
  if (clip?.phase === 'here' && plays(full.task_id, clip)) return better;
  const hasSmall = small?.phase === 'here' || isAwaited({ task: first, clip: small });
  if (!hasSmall && (clip !== undefined || isAwaited(better))) return better;
  return { task: first, clip: small, full: fullState(full, clip) };
}

function fullState(task: Task, clip: ClipLoad | undefined): FullState {
  if (clip?.phase === 'here') return { kind: 'unplayable', task, clip };
  if (clip?.phase === 'failed') return { kind: 'failed', task, error: clip.error };
  return { kind: isAwaited({ task, clip }) ? 'coming' : 'missing', task };
}

/**
 * The clips to bring, in the order to bring them: of each channel the full one, and the small one first, which is seen
 * sooner; not where the full one is kept here and plays.
 */
export function wantedClips(tasks: readonly Task[], clips: Clips, isKept: IsKept, plays: Plays): Task[] {
  const small: Task[] = [];
  const whole: Task[] = [];
  for (const { first, full } of channelTasks(tasks).values()) {
    const hasFull = full !== null && hasPictures(full, isKept);
    if (hasFull) whole.push(full);
    const needsNone = hasFull && isKept(full.task_id) && !isUseless(clips.get(full.task_id), full, plays);
    if (!needsNone && hasPictures(first, isKept)) small.push(first);
  }
  return [...small, ...whole];
}

const isUseless = (clip: ClipLoad | undefined, { task_id }: Task, plays: Plays): boolean =>
  clip?.phase === 'failed' || (clip?.phase === 'here' && !plays(task_id, clip));

/** Whether something of a channel is still to come before it shows anything. */
export const isAwaited = ({ task, clip }: Pick<ChannelView, 'task' | 'clip'>): boolean =>
  clip === undefined ? isUnderWay(task) || task.status === 'done' : clip.phase === 'coming';
