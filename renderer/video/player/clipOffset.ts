import type { Task } from '../../../server/contract/video.ts';
import type { FrameTimes } from './frameTimes.ts';
import type { Media } from './playback.ts';

/**
 * How much later than in its file a clip's pictures lie in the order, seconds: recorders begin at their key frames and
 * where they have something, before or after what was asked for.
 *
 * @param startsAt when its first picture was recorded; null where it is unknown, and the requested time counts
 */
export function clipOffset(
  { from }: Pick<Task, 'from'>,
  startsAt: string | null,
  times: FrameTimes | null,
): number {
  if (startsAt === null) return 0;
  return (Date.parse(startsAt) - Date.parse(from)) / 1_000 - (times?.times[0] ?? 0);
}

/** The same times, counted from the beginning of the order. */
export function shiftTimes<T extends FrameTimes>(clip: T, shiftS: number): T {
  if (shiftS === 0) return clip;
  return { ...clip, times: clip.times.map((it) => it + shiftS), endS: clip.endS + shiftS };
}

/** A clip on the clock of the order. */
export function shiftMedia(media: Media, shiftS: number): Media {
  if (shiftS === 0) return media;
  return {
    ...media,
    position: () => media.position() + shiftS,
    duration: () => media.duration() + shiftS,
    seek: (s) => media.seek(Math.max(0, s - shiftS)),
  };
}
