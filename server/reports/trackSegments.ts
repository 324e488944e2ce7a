import { distanceM, interpolate } from '../geofences/geodesy.ts';
import { impossibleKmh, isJump, type ReportFix } from './reportFix.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';

/** One trip or one stop: the same object on all its legs. What is known of its end is known when the next leg comes. */
export interface TimelineEntry {
  kind: 'trip' | 'stop';
  /** Nobody saw how it began: the data begins in it, or the vehicle went somewhere else in a gap before. */
  beginsWithData: boolean;
  endsWithData: boolean;
}

/** The way and the time between two fixes that follow each other. */
export interface TrackSegment {
  from: ReportFix;
  to: ReportFix;
  /** By the odometer where both ends bear a believable reading, else as `track_m`; metres. */
  distance_m: number;
  /** Along a great circle; 0 for a jump, which nobody drove. */
  track_m: number;
  byOdometer: boolean;
  /** Longer than `trip_gap_s`: nothing is known of what happened. */
  isGap: boolean;
  /** The last known ignition was on; never in a gap, and a gap ends the knowledge. */
  ignitionOn: boolean;
  /** Part of a stretch of `idle_s` and more with the ignition on and slower than `idle_speed_kmh`. */
  idle: boolean;
  /**
   * Of what it is a part. Null until that is decided, and for a gap in which the vehicle went somewhere else: neither
   * driving nor standing is known of. Written into the segment, since to copy each took a tenth of a report's time.
   */
  mark: TimelineEntry | null;
}

export interface LegNumbers {
  trip_gap_s: number;
  idle_speed_kmh: number;
  idle_s: number;
}

/** The legs between fixes in order of time; what a fix says holds until the next one. */
export function trackSegmentsOf(fixes: Iterable<ReportFix>, numbers: LegNumbers): Generator<TrackSegment> {
  return markIdle(plainTrackSegments(fixes, numbers.trip_gap_s * 1_000), numbers);
}

function* plainTrackSegments(fixes: Iterable<ReportFix>, gapMs: number): Generator<TrackSegment> {
  let from: ReportFix | null = null;
  let ignition: boolean | null = null;
  for (const to of fixes) {
    if (from !== null) {
      const isGap = to.time_ms - from.time_ms > gapMs;
      ignition = from.ignition ?? ignition;
      const way_m = distanceM(from, to);
      const track_m = isJump(from, to, way_m) ? 0 : way_m;
      const odometer_m = odometerWay(from, to);
      yield {
        from,
        to,
        distance_m: odometer_m ?? track_m,
        track_m,
        byOdometer: odometer_m !== null,
        isGap,
        ignitionOn: !isGap && ignition === true,
        idle: false,
        mark: null,
      };
      if (isGap) ignition = null;
    }
    from = to;
  }
}

/** Some vehicles count whole kilometres. */
const coarsest_m = 1_000;

/** Null where an end bears no reading, or the readings cannot be: set back, or farther apart than anything drives. */
function odometerWay(from: ReportFix, to: ReportFix): number | null {
  if (from.odometer_m === null || to.odometer_m === null) return null;
  // Terminals that do not count say 0.
  if (from.odometer_m === 0 && to.odometer_m === 0) return null;
  const way_m = to.odometer_m - from.odometer_m;
  const longest_m = coarsest_m + (impossibleKmh / 3.6) * Math.max(1, (to.time_ms - from.time_ms) / 1_000);
  return way_m < 0 || way_m > longest_m ? null : way_m;
}

/** Holds back a stretch of idling until it is long enough, or over. */
function* markIdle(
  legs: Iterable<TrackSegment>,
  { idle_speed_kmh, idle_s }: LegNumbers,
): Generator<TrackSegment> {
  let buffered: TrackSegment[] = [];
  let isLong = false;
  for (const leg of legs) {
    const isIdle = leg.ignitionOn && (leg.from.speed_kmh ?? 0) < idle_speed_kmh;
    if (!isIdle) {
      yield* buffered;
      [buffered, isLong] = [[], false];
      yield leg;
      continue;
    }
    buffered.push(leg);
    isLong ||= leg.to.time_ms - (buffered[0]?.from.time_ms ?? 0) >= idle_s * 1_000;
    if (isLong) {
      for (const it of buffered) {
        it.idle = true;
        yield it;
      }
      buffered = [];
    }
  }
  yield* buffered;
}

/** What of a leg lies in a span. */
export interface ClippedSegment {
  /** A fix, or where the vehicle was by the way between two at the span's edge: as if it drove that evenly. */
  start: ReportFix;
  end: ReportFix;
  /** How much of its time, and so of its way. */
  share: number;
  ms: number;
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
}

/** Pieces of neighbouring spans add up to the leg. Null when the leg lies outside. */
export function pieceOf(
  { from, to }: Pick<TrackSegment, 'from' | 'to'>,
  span: TimeRange,
): ClippedSegment | null {
  const start_ms = Math.max(from.time_ms, span.from_ms);
  const end_ms = Math.min(to.time_ms, span.to_ms);
  if (end_ms <= start_ms) return null;
  const isCutAtStart = start_ms > from.time_ms;
  const isCutAtEnd = end_ms < to.time_ms;
  const share = (end_ms - start_ms) / (to.time_ms - from.time_ms);
  return {
    start: isCutAtStart ? fixBetween(from, to, start_ms) : from,
    end: isCutAtEnd ? fixBetween(from, to, end_ms) : to,
    share,
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
