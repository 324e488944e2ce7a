import type { DistanceBy } from '../contract/reportRows.ts';
import type { TrackSegment } from './trackSegments.ts';

/** A driven distance, metres, and by what it was measured. */
export interface DrivenWay {
  distance_m: number;
  track_m: number;
  /** The sum of those of `methods` that had a part in it. */
  by: number;
}

const methods = { odometer: 1, track: 2 } as const;
const names: readonly DistanceBy[] = [null, 'odometer', 'track', 'mixed'];

export const noWay = (): DrivenWay => ({ distance_m: 0, track_m: 0, by: 0 });

/** Adds a segment that was driven, or a share of it. */
export function addDriven(
  way: DrivenWay,
  { distance_m, track_m, byOdometer }: Pick<TrackSegment, 'distance_m' | 'track_m' | 'byOdometer'>,
  share = 1,
): void {
  way.distance_m += distance_m * share;
  way.track_m += track_m * share;
  way.by |= byOdometer ? methods.odometer : methods.track;
}

export function presentWay({ distance_m, track_m, by }: DrivenWay) {
  return { distance_m: tenths(distance_m), distance_by: names[by] ?? null, track_m: tenths(track_m) };
}

/** Numbers are rounded to a tenth of a metre and of a km/h; times to the millisecond, so that they add up. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
