import { dayAt, type LocalDay } from './localDays.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { pieceOf } from './trackSegments.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';

/** What a day, or what of it lies in the period, adds up to. */
export interface DaySums {
  date: string;
  distance_m: number;
  driving_ms: number;
  stopped_ms: number;
  idle_ms: number;
  /** All the rest: gaps, and what lies before the first and after the last position. */
  gap_ms: number;
  trips: number;
  stops: number;
  max_speed_kmh: number | null;
  positions: number;
}

export interface SummarySums {
  days: DaySums[];
  odometer_m: number | null;
  first_ms: number | null;
  last_ms: number | null;
}

/**
 * Adds up one vehicle's period by its days; driving, standing and gaps together are as long as the day. Trips and stops
 * count where they begin.
 *
 * @param days all days of the period; what of them has passed is what is added up
 */
export function createSummary(days: readonly LocalDay[], period: TimeRange) {
  const spans = days.map((day) => ({
    from_ms: Math.max(day.from_ms, period.from_ms),
    to_ms: Math.min(day.to_ms, period.to_ms),
  }));
  const sums = days.map(({ date }): DaySums => ({
    date,
    distance_m: 0,
    driving_ms: 0,
    stopped_ms: 0,
    idle_ms: 0,
    gap_ms: 0,
    trips: 0,
    stops: 0,
    max_speed_kmh: null,
    positions: 0,
  }));
  let first: ReportFix | null = null;
  let last: ReportFix | null = null;
  let odometerBefore: { time_ms: number; m: number } | null = null;
  let odometer_m: number | null = null;

  function sumsAt(time_ms: number): DaySums | undefined {
    return sums[dayAt(spans, time_ms)];
  }

  function addSpeed({ time_ms, speed_kmh }: ReportFix): void {
    const day = sumsAt(time_ms);
    if (day !== undefined && speed_kmh !== null)
      day.max_speed_kmh = Math.max(day.max_speed_kmh ?? 0, speed_kmh);
  }

  /** The way between two readings belongs to the time between them, so that periods add up; being set back is no way. */
  function addOdometer({ time_ms, odometer_m: m }: ReportFix): void {
    if (m === null) return;
    const before = odometerBefore;
    odometerBefore = { time_ms, m };
    if (before === null) return;
    const inside_ms = Math.min(time_ms, period.to_ms) - Math.max(before.time_ms, period.from_ms);
    if (inside_ms <= 0) return;
    odometer_m = (odometer_m ?? 0) + (Math.max(0, m - before.m) * inside_ms) / (time_ms - before.time_ms);
  }

  function addLeg(leg: TimelineSegment): void {
    if (leg.isGap || leg.mark === null) return;
    for (let at = Math.max(0, dayAt(spans, leg.from.time_ms)); at < spans.length; at += 1) {
      const [span, day] = [spans[at], sums[at]];
      if (span === undefined || day === undefined || span.from_ms >= leg.to.time_ms) return;
      const piece = pieceOf(leg, span);
      if (piece === null) continue;
      if (leg.mark.kind === 'trip') {
        day.distance_m += piece.distance_m;
        day.driving_ms += piece.ms;
      } else {
        day.stopped_ms += piece.ms;
      }
      if (leg.idle) day.idle_ms += piece.ms;
    }
  }

  return {
    /** Hands on the stored fixes in order of time and counts those of the period. */
    *counting(fixes: Iterable<ReportFix>): Generator<ReportFix> {
      for (const fix of fixes) {
        const day = sumsAt(fix.time_ms);
        if (day !== undefined) {
          day.positions += 1;
          first ??= fix;
          last = fix;
        }
        addOdometer(fix);
        yield fix;
      }
    },

    /** Takes a timeline that was made of them. */
    sums(legs: Iterable<TimelineSegment>): SummarySums {
      let markBefore: TimelineSegment['mark'] = null;
      let isFirst = true;
      for (const leg of legs) {
        if (leg.from.time_ms >= period.to_ms) break;
        const begins = leg.mark !== null && leg.mark !== markBefore ? sumsAt(leg.from.time_ms) : undefined;
        if (begins !== undefined) begins[leg.mark?.kind === 'trip' ? 'trips' : 'stops'] += 1;
        if (isFirst) addSpeed(leg.from);
        addSpeed(leg.to);
        addLeg(leg);
        [markBefore, isFirst] = [leg.mark, false];
      }
      for (const [at, day] of sums.entries()) {
        const { from_ms = 0, to_ms = 0 } = spans[at] ?? {};
        day.gap_ms = to_ms - from_ms - day.driving_ms - day.stopped_ms;
      }
      return {
        days: sums,
        odometer_m,
        first_ms: first?.time_ms ?? null,
        last_ms: last?.time_ms ?? null,
      };
    },
  };
}

/** Null where an end bears none, and where it was set back between. */
export function wayByOdometer(first: number | null, last: number | null): number | null {
  return first === null || last === null || last < first ? null : last - first;
}
