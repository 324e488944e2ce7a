import type { TimeRange } from '../geofences/scheduleSpans.ts';
import { interpolate } from '../geofences/geodesy.ts';
import type { TrackSegment } from './trackSegments.ts';
import type { ReportFix } from './reportFix.ts';

/** What of a leg lies in a span. */
export interface ClippedSegment {
  /** A fix, or where the vehicle was by the way between two at the span's edge: as if it drove that evenly. */
  start: ReportFix;
  end: ReportFix;
  distance_m: number;
  ms: number;
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
}

/** Pieces of neighbouring spans add up to the leg. Null when the leg lies outside. */
export function pieceOf(
  { from, to, distance_m }: Pick<TrackSegment, 'from' | 'to' | 'distance_m'>,
  span: TimeRange,
): ClippedSegment | null {
  const start_ms = Math.max(from.time_ms, span.from_ms);
  const end_ms = Math.min(to.time_ms, span.to_ms);
  if (end_ms <= start_ms) return null;
  const isCutAtStart = start_ms > from.time_ms;
  const isCutAtEnd = end_ms < to.time_ms;
  return {
    start: isCutAtStart ? fixBetween(from, to, start_ms) : from,
    end: isCutAtEnd ? fixBetween(from, to, end_ms) : to,
    distance_m: (distance_m * (end_ms - start_ms)) / (to.time_ms - from.time_ms),
    ms: end_ms - start_ms,
    isCutAtStart,
    isCutAtEnd,
  };
}

function fixBetween(from: ReportFix, to: ReportFix, time_ms: number): ReportFix {
  const fraction = (time_ms - from.time_ms) / (to.time_ms - from.time_ms);
  const odometer_m =
    from.odometer_m === null || to.odometer_m === null
      ? null
      : from.odometer_m + (to.odometer_m - from.odometer_m) * fraction;
  return {
    ...interpolate(from, to, fraction),
    time_ms,
    speed_kmh: from.speed_kmh,
    ignition: from.ignition,
    odometer_m,
  };
}
