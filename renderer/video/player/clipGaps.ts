import type { Task } from '../../../server/contract/video.ts';
import { gapOf, type VideoRequest } from '../requests/videoOrders.ts';
import type { ClipLoad } from './clipLoads.ts';
import { gapsOf, type Gap } from './frameTimes.ts';

/** The spans of an order that a channel has no picture of: by its clip, else by what the depot says of the file. */
export function clipGaps(
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
