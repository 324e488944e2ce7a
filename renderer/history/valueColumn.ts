import { trackFlags, type TrackColumns } from '../../server/contract/packedTracks.ts';
import { indexAt } from './pastTrack.ts';
import type { TrackPeriod } from './trackCache.ts';

/** Of each pixel of a time bar the lowest and the highest value; NaN where nothing is known. */
export interface ValueCurve {
  low: Float64Array;
  high: Float64Array;
  /** Of what is seen; NaN where nothing is. */
  least: number;
  most: number;
}

type Columns = Pick<TrackColumns, 'time_ms' | 'flags'>;

/**
 * A value over time as a time bar draws it. Terminals do not send all values with each position: one holds until the next
 * one comes, but not across a gap, and not after the last position.
 */
export function valueCurve(
  { time_ms, flags }: Columns,
  values: Float64Array,
  { from, to }: TrackPeriod,
  pixels: number,
): ValueCurve {
  const low = new Float64Array(pixels).fill(Number.NaN);
  const high = new Float64Array(pixels).fill(Number.NaN);
  let [least, most] = [Number.NaN, Number.NaN];
  const put = (x: number, value: number) => {
    if (x < 0 || x >= pixels) return;
    if (!((low[x] ?? Number.NaN) <= value)) low[x] = value;
    if (!((high[x] ?? Number.NaN) >= value)) high[x] = value;
    if (!(least <= value)) least = value;
    if (!(most >= value)) most = value;
  };
  const pixelOf = (time: number) => Math.floor(((time - from) / (to - from)) * pixels);
  let held = Number.NaN;
  let heldTo = 0;
  for (let at = 0; at < time_ms.length; at++) {
    const x = pixelOf(time_ms[at] ?? 0);
    if (((flags[at] ?? 0) & trackFlags.gap_before) !== 0) held = Number.NaN;
    if (!Number.isNaN(held))
      for (let it = Math.max(0, heldTo); it <= Math.min(x, pixels - 1); it++) put(it, held);
    const value = values[at] ?? Number.NaN;
    if (!Number.isNaN(value)) {
      put(x, value);
      held = value;
    }
    heldTo = x + 1;
  }
  return { low, high, least, most };
}

/** The value that held at an instant; null where none is known: before the first one, or in a gap. */
export function valueAt({ time_ms, flags }: Columns, values: Float64Array, at: number): number | null {
  const index = indexAt(time_ms, at);
  const isInGap = index + 1 < time_ms.length && ((flags[index + 1] ?? 0) & trackFlags.gap_before) !== 0;
  if (isInGap || index === time_ms.length - 1) {
    const isExact = time_ms[index] === at;
    if (!isExact) return null;
  }
  for (let it = index; it >= 0; it--) {
    const value = values[it] ?? Number.NaN;
    if (!Number.isNaN(value)) return value;
    if (((flags[it] ?? 0) & trackFlags.gap_before) !== 0) return null;
  }
  return null;
}
