import type { Task } from '../../../server/contract/video.ts';
import { type VideoRequest, gapOf } from '../requests/videoOrders.ts';
import type { ChannelView, Clips, FullState, Plays } from './channelViews.ts';
import type { ClipLoad } from './clipLoads.ts';
import { type Gap, gapsOf } from './frameTimes.ts';

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
