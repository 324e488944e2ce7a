import type { Geofence } from '../contract/geofences.ts';
import { advanceGeofences, type FencedFix, type GeofenceSides } from './geofenceEngine.ts';
import { createGeofenceIndex, type GeofenceIndex, type IndexedGeofence } from './geofenceIndex.ts';
import type { LatLon } from './geodesy.ts';
import { activeSpans, type TimeRange } from './scheduleClock.ts';

/** A stay of one vehicle in one geofence, as far as it lies in the period; Unix ms. */
export interface Visit {
  geozone_id: string;
  enter_ms: number;
  exit_ms: number;
  /** It was inside already when the period began. */
  open_start: boolean;
  /** It was still inside when the period, or the data, ended. */
  open_end: boolean;
  /** Where it entered, or was last seen before the visit began. */
  enter: LatLon;
  /** Stretches longer than `crossing_max_gap_s` without a fix, as far as they lie in the visit. */
  gaps: TimeRange[];
}

/** Geofences made ready for one period; for any number of vehicles. */
export interface VisitPlan {
  index: GeofenceIndex;
  period: TimeRange;
  crossing_max_gap_s: number;
  /** When each geofence holds within the period. */
  spans: ReadonlyMap<string, readonly TimeRange[]>;
}

/** So long before a period the engine begins, for it to know at the period's start where the vehicle stands. */
export const visitLeadMs = 86_400_000;

/** @param period its end is not in it */
export function planVisits(
  geofences: readonly Geofence[],
  period: TimeRange,
  numbers: { crossing_max_gap_s: number },
): VisitPlan {
  const bySchedule = new Map<string, TimeRange[]>();
  const spans = new Map<string, TimeRange[]>();
  for (const { geozone_id, schedule } of geofences) {
    const key = JSON.stringify(schedule);
    const known = bySchedule.get(key) ?? activeSpans(schedule, period);
    bySchedule.set(key, known);
    spans.set(geozone_id, known);
  }
  // The engine must emit all crossings: a vehicle that stays overnight is inside when the schedule begins.
  const always = geofences.map((geofence) => ({
    geofence: { ...geofence, schedule: null },
    known_from_ms: 0,
  }));
  return {
    index: createGeofenceIndex(always),
    period,
    crossing_max_gap_s: numbers.crossing_max_gap_s,
    spans,
  };
}

interface Stay {
  enter: FencedFix;
  /** False until it has lasted as long as the geofence asks. */
  certain: boolean;
  gaps: TimeRange[];
  /** Where the vehicle was last seen before each span of the geofence began. */
  seen: Map<TimeRange, LatLon>;
}

/**
 * The visits of one vehicle, in order of their beginning, by the engine that also runs live, but that whoever is inside
 * at its very first fix is on a visit. A geofence with a schedule is visited while the schedule holds. Two periods that
 * meet share a visit over their border, and nothing else. Pure.
 *
 * @param fixes drawn positions in order of time, from `visitLeadMs` before the period (and the one before) to the end of
 *   the data: those after the period are taken only until all that began in it is decided
 */
export function visitsOf(
  plan: VisitPlan,
  fixes: Iterable<FencedFix>,
  appliesTo: (geofence: IndexedGeofence) => boolean = () => true,
): Visit[] {
  const { index, period, crossing_max_gap_s } = plan;
  const stays = new Map<string, Stay>();
  const visits: Visit[] = [];
  let sides: GeofenceSides = {};
  let previous: FencedFix | null = null;

  function begin(geozone_id: string, enter: FencedFix, certain: boolean): void {
    const begun = stays.get(geozone_id);
    if (begun?.enter.time_ms === enter.time_ms) begun.certain = certain;
    else stays.set(geozone_id, { enter, certain, gaps: [], seen: new Map() });
  }

  function close(geozone_id: string, exit_ms: number, isOpen: boolean): void {
    const stay = stays.get(geozone_id);
    stays.delete(geozone_id);
    if (stay?.certain !== true) return;
    for (const span of plan.spans.get(geozone_id) ?? []) {
      const visit = partOf(stay, exit_ms, isOpen, span, period);
      if (visit !== null) visits.push({ geozone_id, ...visit });
    }
  }

  function note(geozone_id: string, stay: Stay, before: FencedFix, fix: FencedFix): void {
    if (fix.time_ms - before.time_ms > crossing_max_gap_s * 1_000) {
      stay.gaps.push({ from_ms: before.time_ms, to_ms: fix.time_ms });
    }
    for (const span of plan.spans.get(geozone_id) ?? []) {
      if (span.from_ms > fix.time_ms) break;
      if (span.from_ms > before.time_ms) stay.seen.set(span, before);
    }
  }

  for (const fix of fixes) {
    if (previous !== null) for (const [id, stay] of stays) note(id, stay, previous, fix);
    const step = advanceGeofences({
      index,
      appliesTo,
      before: sides,
      previous,
      fix,
      isFirstLook: () => false,
      crossing_max_gap_s,
    });
    for (const { kind, geozone_id, at } of step.crossings) {
      if (kind === 'geofence_exit') close(geozone_id, at.time_ms, false);
      else begin(geozone_id, at, true);
    }
    for (const [id, { inside, turning }] of Object.entries(step.after)) {
      if (inside && !stays.has(id)) begin(id, fix, true);
      if (!inside && turning !== null) begin(id, turning, false);
    }
    for (const [id, stay] of stays) if (!stay.certain && step.after[id] === undefined) stays.delete(id);
    sides = step.after;
    previous = fix;
    if (fix.time_ms >= period.to_ms && !isUndecided(sides, period.to_ms)) break;
  }
  for (const id of [...stays.keys()]) close(id, previous?.time_ms ?? 0, true);
  return visits.sort((a, b) => a.enter_ms - b.enter_ms);
}

/** Whether something that began in the period may still turn out to be a crossing. */
function isUndecided(sides: GeofenceSides, to_ms: number): boolean {
  for (const id in sides) {
    const turning = sides[id]?.turning ?? null;
    if (turning !== null && turning.time_ms < to_ms) return true;
  }
  return false;
}

/** What of a stay lies in a span of the period; null when nothing does. */
function partOf(
  { enter, gaps, seen }: Stay,
  exit_ms: number,
  isOpen: boolean,
  span: TimeRange,
  period: TimeRange,
): Omit<Visit, 'geozone_id'> | null {
  const enter_ms = Math.max(enter.time_ms, span.from_ms);
  const end_ms = Math.min(exit_ms, span.to_ms);
  const isWithin = enter_ms < end_ms || (enter.time_ms === exit_ms && enter_ms === exit_ms);
  if (!isWithin || enter_ms >= span.to_ms) return null;
  const { lat, lon } = (enter_ms === enter.time_ms ? undefined : seen.get(span)) ?? enter;
  return {
    enter_ms,
    exit_ms: end_ms,
    open_start: enter_ms === period.from_ms && enter.time_ms < period.from_ms,
    open_end: end_ms === period.to_ms ? exit_ms > period.to_ms || isOpen : isOpen && end_ms === exit_ms,
    enter: { lat, lon },
    gaps: gaps.flatMap(({ from_ms, to_ms }) => {
      const gap = { from_ms: Math.max(from_ms, enter_ms), to_ms: Math.min(to_ms, end_ms) };
      return gap.from_ms < gap.to_ms ? [gap] : [];
    }),
  };
}
