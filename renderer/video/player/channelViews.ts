import type { Task } from '../../../server/contract/video.ts';
import {
  channelTasks,
  hasPictures,
  isUnderWay,
  type ChannelTasks,
  type IsKept,
} from '../requests/qualities.ts';
import type { LoadedClip, ClipLoad } from './clipLoads.ts';
import { type VideoRequest, gapOf } from '../requests/videoOrders.ts';
import { type Gap, gapsOf } from './frameTimes.ts';

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

/** A channel as it is on the screen. */
export interface SeenChannel {
  channel: number;
  /** The task whose clip is seen, or is to be. */
  task: Task;
  /** The best clip that there is: it takes the place of the one that is seen. */
  clip: ClipLoad | undefined;
  isPlayable: boolean;
  isHere: boolean;
  isSmall: boolean;
  full: FullState | null;
  gaps: readonly Gap[];
}

/** @param seen the task whose clip each channel shows, as far as it shows one */
export function visibleChannels(
  order: Pick<VideoRequest, 'from' | 'to' | 'tasks'>,
  shows: readonly ChannelView[],
  { clips, plays }: { clips: Clips; plays: Plays },
  seen: ReadonlyMap<number, string>,
): SeenChannel[] {
  return shows.map((show) => {
    const { channel, clip } = show;
    const before = order.tasks.find((it) => it.task_id === seen.get(channel)) ?? show.task;
    const isFollowed = before.task_id !== show.task.task_id;
    const isHere = clips.get(before.task_id)?.phase === 'here';
    return {
      channel,
      task: before,
      clip,
      isPlayable: clip?.phase === 'here' && plays(show.task.task_id, clip),
      isHere,
      isSmall: isHere && before.stream === 'sub',
      full: isFollowed ? { kind: 'coming', task: show.task } : show.full,
      gaps: clipGaps(order, before, clips.get(before.task_id)),
    };
  });
}

/** The small clips that are not needed any more: their channel shows the full one by now. */
export function spareTasks(tasks: readonly Task[], seen: ReadonlyMap<number, string>): string[] {
  const visible = new Set(seen.values());
  return tasks.filter((it) => visible.has(it.main_task_id ?? '')).map((it) => it.task_id);
}

/** The spans of an order that a channel has no picture of: by its clip, else by what the depot says of the file. */
function clipGaps(
  order: Pick<VideoRequest, 'from' | 'to'>,
  task: Task,
  clip: ClipLoad | undefined,
): readonly Gap[] {
  if (clip?.phase === 'here' && clip.movie !== null)
    return gapsOf(clip.movie, (order.to - order.from) / 1_000);
  const gap = gapOf(order, task);
  return gap === null ? [] : [gap];
}

/** Which gap a moment lies in; -1 for none. */
export const gapAt = (gaps: readonly Gap[], s: number): number =>
  gaps.findIndex(({ fromS, toS }) => s >= fromS && s < toS);

/** The gap to report at a time: the one that it lies in or that comes next, else the last. */
export function gapToReport(gaps: readonly Gap[], s: number): Gap | null {
  return gaps.find(({ toS }) => s < toS) ?? gaps.at(-1) ?? null;
}
