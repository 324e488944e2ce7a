import type { Geofence } from '../contract/geofences.ts';
import type { Overspeed } from '../contract/reportRows.ts';
import { createGeofenceIndex, type IndexedGeofence } from '../geofences/geofenceIndex.ts';
import { isActive, type TimeRange } from '../geofences/scheduleClock.ts';
import { addDriven, noWay, type DrivenWay } from './drivenWay.ts';
import type { ReportFix } from './reportFix.ts';
import type { ReportThresholds, ReportVehicle } from './reportOrder.ts';
import { holdsFor } from './geofencesAt.ts';
import { pieceOf, type TrackSegment } from './trackSegments.ts';

/** The limit where a vehicle is. */
export interface LimitHere {
  limit_kmh: number;
  limit_source: Overspeed['limit_source'];
  geozone_id: string | null;
}

export type LimitAt = (fix: ReportFix, vehicle: ReportVehicle) => LimitHere | null;

/**
 * One limit everywhere, or the lowest of the geofences that the vehicle is in, else its own, as live.
 *
 * @param geofences those that count, as they are now
 */
export function createLimits(limit_kmh: number | null, geofences: readonly Geofence[]): LimitAt {
  if (limit_kmh !== null) {
    const limit: LimitHere = { limit_kmh, limit_source: 'query', geozone_id: null };
    return () => limit;
  }
  const index = createGeofenceIndex(
    geofences.filter((it) => it.speed_limit_kmh !== null).map((geofence) => ({ geofence, known_from_ms: 0 })),
  );
  return (fix, vehicle) => {
    const near: IndexedGeofence[] = [];
    index.near(fix, fix, collect, near);
    let lowest: LimitHere | null = null;
    for (const each of near) {
      const { geozone_id, speed_limit_kmh, schedule } = each.geofence;
      if (speed_limit_kmh === null || (lowest !== null && lowest.limit_kmh <= speed_limit_kmh)) continue;
      if (!holdsFor(vehicle)(each) || !each.shape.isInside(fix) || !isActive(schedule, fix.time_ms)) continue;
      lowest = { limit_kmh: speed_limit_kmh, limit_source: 'geofence', geozone_id };
    }
    const own = vehicle.speed_limit_kmh;
    return lowest ?? (own === null ? null : { limit_kmh: own, limit_source: 'vehicle', geozone_id: null });
  };
}

function collect(geofence: IndexedGeofence, found: IndexedGeofence[]): void {
  found.push(geofence);
}

/** A stretch above a limit, as far as it lies in the period. */
export interface OverspeedStretch extends DrivenWay, LimitHere {
  start_ms: number;
  end_ms: number;
  openStart: boolean;
  openEnd: boolean;
  fastest: ReportFix;
  /** Of those above the limit. */
  positions: number;
}

/** A stretch while its end is looked for. */
interface Running {
  limit: LimitHere;
  start_ms: number;
  /** The first fix at or below the limit since the last one above. */
  below_ms: number | null;
  /** The legs since then, which count if it goes on. */
  undecided: TrackSegment[];
  way: DrivenWay;
  fastest: ReportFix | null;
  positions: number;
}

/**
 * The stretches above a limit, in order of time. One begins with a fix above the limit and the tolerance, and ends with
 * the first fix at or below the limit if none above it follows within `overspeed_clear_s`, or with the last one before a
 * gap. What a fix says holds until the next one. The limit that was passed first stays the stretch's own.
 *
 * @param legs in order of time, from before the period to after it
 */
export function* overspeedStretches(
  legs: Iterable<TrackSegment>,
  limitAt: (fix: ReportFix) => LimitHere | null,
  numbers: ReportThresholds,
  period: TimeRange,
): Generator<OverspeedStretch> {
  const clearMs = numbers.overspeed_clear_s * 1_000;
  let running: Running | null = null;
  let last: ReportFix | null = null;

  function begin(fix: ReportFix): Running | null {
    if (fix.speed_kmh === null) return null;
    const limit = limitAt(fix);
    if (limit === null || fix.speed_kmh <= limit.limit_kmh + numbers.overspeed_tolerance_kmh) return null;
    const begun: Running = {
      ...{ limit, start_ms: fix.time_ms, below_ms: null, undecided: [] },
      ...{ way: noWay(), fastest: null, positions: 0 },
    };
    addFix(begun, fix);
    return begun;
  }

  function addFix(stretch: Running, fix: ReportFix): void {
    if (fix.time_ms < period.from_ms || fix.time_ms >= period.to_ms) return;
    stretch.positions += 1;
    if ((fix.speed_kmh ?? 0) > (stretch.fastest?.speed_kmh ?? 0)) stretch.fastest = fix;
  }

  function addLeg(stretch: Running, leg: TrackSegment): void {
    const piece = pieceOf(leg, period);
    if (piece === null) return;
    addDriven(stretch.way, leg, piece.share);
    // What was said before the period holds over its beginning.
    if (piece.isCutAtStart) stretch.fastest = piece.start;
  }

  function* end(stretch: Running, end_ms: number, isOpen: boolean): Generator<OverspeedStretch> {
    const { limit, way, start_ms, fastest, positions } = stretch;
    const [from_ms, to_ms] = [Math.max(start_ms, period.from_ms), Math.min(end_ms, period.to_ms)];
    // One whose end is not known may be longer.
    const isLong = isOpen || end_ms - start_ms >= numbers.overspeed_min_duration_s * 1_000;
    if (!isLong || fastest === null || to_ms <= from_ms) return;
    yield {
      ...limit,
      ...way,
      ...{ start_ms: from_ms, end_ms: to_ms, fastest, positions },
      openStart: start_ms < period.from_ms,
      openEnd: isOpen || end_ms > period.to_ms,
    };
  }

  function advance(stretch: Running, leg: TrackSegment): void {
    const { speed_kmh } = leg.to;
    const isAbove = speed_kmh === null ? null : speed_kmh > stretch.limit.limit_kmh;
    if (stretch.below_ms !== null) stretch.undecided.push(leg);
    else addLeg(stretch, leg);
    if (isAbove === true) {
      for (const each of stretch.undecided) addLeg(stretch, each);
      addFix(stretch, leg.to);
      [stretch.below_ms, stretch.undecided] = [null, []];
    } else if (isAbove === false) {
      stretch.below_ms ??= leg.to.time_ms;
    }
  }

  for (const leg of legs) {
    const { from, to } = leg;
    if (last === null) running = begin(from);
    last = to;
    if (leg.isGap) {
      if (running !== null) yield* end(running, running.below_ms ?? from.time_ms, false);
      running = begin(to);
    } else if (running === null) {
      running = begin(to);
    } else {
      advance(running, leg);
      const { below_ms }: Running = running;
      if (below_ms !== null && to.time_ms - below_ms >= clearMs) {
        yield* end(running, below_ms, false);
        running = null;
      }
    }
    if (running === null && to.time_ms >= period.to_ms) return;
  }
  if (running !== null && last !== null) {
    yield* end(running, running.below_ms ?? last.time_ms, running.below_ms === null);
  }
}
