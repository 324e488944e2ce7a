import { LEAST_GAP_S } from '../requests/videoOrders.ts';

/** When a clip shows what, seconds from the beginning of the order; in order of time. */
export interface FrameTimes {
  /** When each picture comes on. */
  times: Float64Array;
  /** When the last one goes. */
  endS: number;
}

/** A span without a picture, seconds from the beginning of the order. */
export interface Gap {
  fromS: number;
  toS: number;
}

/** So far behind its beginning a frame is sought: players round times to microseconds, and would show the one before. */
const INSIDE_S = 0.001;
/** A camera with a low frame rate has no gap between two frames. */
const GAP_IN_FRAMES = 3;

/** The number of the picture that is on at a moment; -1 before the first. */
export function frameAt({ times }: FrameTimes, s: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= s) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The moment that is nearest to another one at which a clip has a picture, or is at an end of its own.
 *
 * @param frames null where nobody knows the times of its pictures
 * @param durationS of the clip as its player says; NaN until it is known
 */
export function nearestIn(frames: FrameTimes | null, durationS: number, s: number): number {
  const endS = frames?.endS ?? durationS;
  return Math.max(frames?.times[0] ?? 0, Number.isFinite(endS) ? Math.min(s, endS) : s);
}

/** The moment to go to for the next (1) or the last (-1) picture; null where there is none. */
export function stepFrom(frames: FrameTimes, s: number, by: 1 | -1): number | null {
  const next = frameAt(frames, s) + by;
  const begin = frames.times[next];
  if (begin === undefined) return null;
  const end = frames.times[next + 1] ?? frames.endS;
  return begin + Math.min(INSIDE_S, Math.max(0, end - begin) / 2);
}

/** The spans from the beginning of the order to its end that the clip has no picture of. */
export function gapsOf({ times, endS }: FrameTimes, lengthS: number): Gap[] {
  if (times.length === 0) return [{ fromS: 0, toS: lengthS }];
  const lengths = times.subarray(1).map((it, index) => it - (times[index] ?? 0));
  const usual = lengths.toSorted()[lengths.length >> 1] ?? 0;
  const min = Math.max(LEAST_GAP_S, GAP_IN_FRAMES * usual);
  const gaps: Gap[] = [{ fromS: 0, toS: times[0] ?? lengthS }];
  for (const [index, length] of lengths.entries()) {
    const fromS = (times[index] ?? 0) + usual;
    if (length > min) gaps.push({ fromS, toS: times[index + 1] ?? fromS });
  }
  const last = times.at(-1) ?? 0;
  // The length that a file gives its last picture reaches over a hole behind it.
  gaps.push({ fromS: Math.min(endS, last + Math.max(usual, LEAST_GAP_S)), toS: lengthS });
  return gaps
    .map(({ fromS, toS }) => ({ fromS: Math.max(0, fromS), toS: Math.min(lengthS, toS) }))
    .filter(({ fromS, toS }) => toS - fromS >= LEAST_GAP_S);
}
