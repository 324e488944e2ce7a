import { distanceM, type LatLon } from '../geofences/geodesy.ts';
import type { OdometerFix } from '../store/telemetry/historyReader.ts';

interface TimedPlace extends LatLon {
  time_ms: number;
}

/** What of a position reports are computed from. */
export interface ReportFix extends TimedPlace {
  /** Null also for one that no vehicle on the road drives: terminals say so when they do not know. */
  speed_kmh: number | null;
  ignition: boolean | null;
  odometer_m: number | null;
}

/** What is faster did not drive there. */
export const impossibleKmh = 400;

export function reportFix(fix: OdometerFix): ReportFix {
  return fix.speed_kmh !== null && fix.speed_kmh > impossibleKmh ? { ...fix, speed_kmh: null } : fix;
}

/**
 * Whether the way between two fixes is a jump: over 400 km/h. Fixes within a second count as a second apart, since
 * terminals round their times.
 */
export function isJump(from: TimedPlace, to: TimedPlace, distance_m?: number): boolean {
  const longest_m = (impossibleKmh / 3.6) * Math.max(1, (to.time_ms - from.time_ms) / 1_000);
  if (distance_m !== undefined) return distance_m > longest_m;
  // Most ways are plainly short: no distance is longer than its parts along the meridian and the equator.
  const most_m = (Math.abs(to.lat - from.lat) + Math.abs(to.lon - from.lon)) * metresOfDegree;
  return most_m > longest_m && distanceM(from, to) > longest_m;
}

const metresOfDegree = 111_400;

/**
 * Leaves out spikes: fixes with a jump on both sides, from the fix before that was kept and to the fix after. The way
 * then goes straight between its neighbours. Takes and hands on fixes in order of time.
 */
export function* withoutSpikes<Fix extends TimedPlace>(fixes: Iterable<Fix>): Generator<Fix> {
  let before: Fix | null = null;
  let fix: Fix | null = null;
  for (const next of fixes) {
    const isSpike = before !== null && fix !== null && isJump(before, fix) && isJump(fix, next);
    if (fix !== null && !isSpike) {
      yield fix;
      before = fix;
    }
    fix = next;
  }
  if (fix !== null) yield fix;
}
