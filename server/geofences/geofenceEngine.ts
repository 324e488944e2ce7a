import { isActive } from './scheduleClock.ts';
import { interpolate, type LatLon } from './geodesy.ts';
import type { GeofenceIndex, IndexedGeofence } from './geofenceIndex.ts';

/** A fix as the engine needs it. */
export interface FencedFix extends LatLon {
  time_ms: number;
  speed_kmh: number | null;
}

/** Where a vehicle stands to one fence; a fence that is not named is one that the vehicle is outside of. */
export interface GeofenceSide {
  inside: boolean;
  /** When it came to that side, by the fixes' times. */
  since_ms: number;
  /** The first fix on the other side, while it is not yet known whether it stays there. */
  turning: FencedFix | null;
}

export type GeofenceSides = Readonly<Record<string, GeofenceSide>>;

export interface GeofenceCrossing {
  kind: 'geofence_enter' | 'geofence_exit';
  geozone_id: string;
  /** Interpolated when no fix lies inside. */
  at: FencedFix;
  /** For an exit: how long it was inside. */
  duration_s: number | null;
  fixes: FencedFix[];
}

/** A stay that is over, whether or not its crossings are within the schedule. */
export interface GeofenceVisit {
  geozone_id: string;
  since_ms: number;
  until_ms: number;
}

export interface GeofenceStep {
  index: GeofenceIndex;
  /** Whether a fence holds for the vehicle. */
  appliesTo: (geofence: IndexedGeofence) => boolean;
  before: GeofenceSides;
  /** The newest fix that was evaluated; null for a new vehicle. */
  previous: FencedFix | null;
  fix: FencedFix;
  /**
   * Which fences the vehicle's past says nothing of: those that changed after its last evaluation. A first look is
   * noted and raises nothing, since nobody saw a crossing.
   */
  isFirstLook: (geofence: IndexedGeofence) => boolean;
  /** Two fixes that are farther apart in time say nothing of the way between them. */
  crossing_max_gap_s: number;
}

export interface GeofenceSteps {
  after: GeofenceSides;
  /** In order of time. */
  crossings: readonly GeofenceCrossing[];
  visits: readonly GeofenceVisit[];
}

const nothing: readonly never[] = [];

/** What a fix changes with one fence. */
interface Move {
  id: string;
  /** Null: outside, or nothing is known any longer. */
  side: GeofenceSide | null;
  crossings: readonly GeofenceCrossing[];
  visit: GeofenceVisit | null;
}

/** A step under way. */
interface Work {
  step: GeofenceStep;
  /** The fix before, when the way from it is known. */
  way: FencedFix | null;
  moves: Move[] | null;
}

/**
 * Moves one vehicle's sides by one fix and returns which borders it crossed. Pure. Leaving needs `hysteresis_m` beyond
 * the border; a crossing counts once it has lasted `min_inside_s` or `min_outside_s`, by the fixes' times.
 */
export function advanceGeofences(step: GeofenceStep): GeofenceSteps {
  const { index, before, previous, fix } = step;
  const isWaySeen = previous !== null && fix.time_ms - previous.time_ms <= step.crossing_max_gap_s * 1_000;
  const work: Work = { step, way: isWaySeen ? previous : null, moves: null };
  for (const id in before) {
    const geofence = index.get(id);
    note(work, geofence === undefined ? forgotten(id) : look(work, geofence, before[id]));
  }
  index.near(work.way ?? fix, fix, lookAnew, work);
  const { moves } = work;
  if (moves === null) return { after: before, crossings: nothing, visits: nothing };
  const crossings = moves.flatMap((it) => it.crossings);
  if (crossings.length > 1) crossings.sort((a, b) => a.at.time_ms - b.at.time_ms);
  return { after: sidesAfter(before, moves), crossings, visits: moves.flatMap((it) => it.visit ?? []) };
}

function note(work: Work, move: Move | null): void {
  if (move === null) return;
  if (work.moves === null) work.moves = [move];
  else work.moves.push(move);
}

/** At fences on whose side nothing is known: outside of them. */
function lookAnew(geofence: IndexedGeofence, work: Work): void {
  if (work.step.before[geofence.geofence.geozone_id] === undefined)
    note(work, look(work, geofence, undefined));
}

function sidesAfter(before: GeofenceSides, moves: readonly Move[]): GeofenceSides {
  const after: Record<string, GeofenceSide> = {};
  // Mostly one; but a vehicle may leave a thousand at once.
  const moved = moves.length > fewMoves ? new Set(moves.map((it) => it.id)) : null;
  for (const id in before) {
    const side = before[id];
    if (side === undefined) continue;
    if (moved === null ? !moves.some((it) => it.id === id) : !moved.has(id)) after[id] = side;
  }
  for (const { id, side } of moves) if (side !== null) after[id] = side;
  return after;
}

const fewMoves = 8;

function forgotten(id: string): Move {
  return { id, side: null, crossings: nothing, visit: null };
}

/** Null when nothing changes. */
function look({ step, way }: Work, geofence: IndexedGeofence, old: GeofenceSide | undefined): Move | null {
  const { fix } = step;
  const id = geofence.geofence.geozone_id;
  if (!step.appliesTo(geofence)) return old === undefined ? null : forgotten(id);
  if (step.previous === null || step.isFirstLook(geofence)) {
    if (!geofence.shape.isInside(fix)) return old === undefined ? null : forgotten(id);
    const side = { inside: true, since_ms: fix.time_ms, turning: null };
    return { id, side, crossings: nothing, visit: null };
  }
  const wasIn = old?.inside === true;
  const isIn = wasIn
    ? !geofence.shape.isBeyond(fix, geofence.geofence.hysteresis_m)
    : geofence.shape.isInside(fix);
  if (isIn !== wasIn) return turn(geofence, old, fixOnly(fix));
  if (wasIn) {
    return old.turning === null
      ? null
      : { id, side: { ...old, turning: null }, crossings: nothing, visit: null };
  }
  if (old !== undefined) return forgotten(id);
  return way === null ? null : passThrough(geofence, way, fix);
}

/** The crossings within the schedule of the geofence. */
function publishedOf(
  { geofence }: IndexedGeofence,
  ...crossings: readonly GeofenceCrossing[]
): readonly GeofenceCrossing[] {
  if (geofence.schedule === null) return crossings;
  return crossings.filter((it) => isActive(geofence.schedule, it.at.time_ms));
}

/** What is remembered goes into the store with each batch: nothing that a caller's fix holds beside. */
function fixOnly({ time_ms, lat, lon, speed_kmh }: FencedFix): FencedFix {
  return { time_ms, lat, lon, speed_kmh };
}

/** Outside before and after; it may still have passed through between the two. */
function passThrough(geofence: IndexedGeofence, before: FencedFix, after: FencedFix): Move | null {
  const way = geofence.shape.crossing(before, after);
  if (way === null) return null;
  const fixes = [fixOnly(before), fixOnly(after)];
  const enter = fixBetween(before, after, way.enter);
  const leave = fixBetween(before, after, way.leave);
  const { min_inside_s, geozone_id } = geofence.geofence;
  const duration_s = (leave.time_ms - enter.time_ms) / 1_000;
  if (duration_s < min_inside_s) return null;
  return {
    id: geozone_id,
    side: null,
    crossings: publishedOf(
      geofence,
      { kind: 'geofence_enter', geozone_id, at: enter, duration_s: null, fixes },
      { kind: 'geofence_exit', geozone_id, at: leave, duration_s, fixes },
    ),
    visit: { geozone_id, since_ms: enter.time_ms, until_ms: leave.time_ms },
  };
}

/** On the other side than before: at once, or once it has lasted. */
function turn(geofence: IndexedGeofence, old: GeofenceSide | undefined, fix: FencedFix): Move {
  const entering = old?.inside !== true;
  const first = old?.turning ?? fix;
  const { min_inside_s, min_outside_s, geozone_id } = geofence.geofence;
  const id = geozone_id;
  const needed_s = entering ? min_inside_s : min_outside_s;
  if (fix.time_ms - first.time_ms < needed_s * 1_000) {
    const since_ms = old?.since_ms ?? fix.time_ms;
    return { id, side: { inside: !entering, since_ms, turning: first }, crossings: nothing, visit: null };
  }
  const crossing: GeofenceCrossing = {
    kind: entering ? 'geofence_enter' : 'geofence_exit',
    geozone_id,
    at: first,
    duration_s: entering ? null : (first.time_ms - old.since_ms) / 1_000,
    fixes: first === fix ? [fix] : [first, fix],
  };
  const crossings = publishedOf(geofence, crossing);
  return entering
    ? { id, side: { inside: true, since_ms: first.time_ms, turning: null }, crossings, visit: null }
    : { id, side: null, crossings, visit: { geozone_id, since_ms: old.since_ms, until_ms: first.time_ms } };
}

function fixBetween(a: FencedFix, b: FencedFix, t: number): FencedFix {
  const speed_kmh =
    a.speed_kmh === null || b.speed_kmh === null
      ? b.speed_kmh
      : a.speed_kmh + (b.speed_kmh - a.speed_kmh) * t;
  return { ...interpolate(a, b, t), time_ms: Math.round(a.time_ms + (b.time_ms - a.time_ms) * t), speed_kmh };
}
