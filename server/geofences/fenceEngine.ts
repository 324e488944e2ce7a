import { isActive } from './scheduleClock.ts';
import { between, type Place } from './geodesy.ts';
import type { FenceIndex, IndexedFence } from './fenceIndex.ts';

/** A fix as the engine needs it. */
export interface FencedFix extends Place {
  time_ms: number;
  speed_kmh: number | null;
}

/** Where a vehicle stands to one fence; a fence that is not named is one that the vehicle is outside of. */
export interface FenceSide {
  inside: boolean;
  /** When it came to that side, by the fixes' times. */
  since_ms: number;
  /** The first fix on the other side, while it is not yet known whether it stays there. */
  turning: FencedFix | null;
}

export type FenceSides = Readonly<Record<string, FenceSide>>;

export interface FenceCrossing {
  kind: 'geofence_enter' | 'geofence_exit';
  geozone_id: string;
  /** Interpolated when no fix lies inside. */
  at: FencedFix;
  /** For an exit: how long it was inside. */
  duration_s: number | null;
  fixes: FencedFix[];
}

/** A stay that is over, whether or not the schedule lets its crossings be told. */
export interface FenceVisit {
  geozone_id: string;
  since_ms: number;
  until_ms: number;
}

export interface FenceStep {
  index: FenceIndex;
  /** Whether a fence holds for the vehicle. */
  appliesTo: (fence: IndexedFence) => boolean;
  before: FenceSides;
  /** The newest fix that was evaluated; null for a new vehicle. */
  previous: FencedFix | null;
  fix: FencedFix;
  /**
   * Which fences the vehicle's past says nothing of: those that changed after its last evaluation. A first look is
   * noted and raises nothing, since nobody saw a crossing.
   */
  isFirstLook: (fence: IndexedFence) => boolean;
  /** Two fixes that are farther apart in time say nothing of the way between them. */
  unseen_way_s: number;
}

export interface FenceSteps {
  after: FenceSides;
  /** In order of time. */
  crossings: readonly FenceCrossing[];
  visits: readonly FenceVisit[];
}

const nothing: readonly never[] = [];

/** What a fix changes with one fence. */
interface Move {
  id: string;
  /** Null: outside, or nothing is known any longer. */
  side: FenceSide | null;
  crossings: readonly FenceCrossing[];
  visit: FenceVisit | null;
}

/** A step under way. */
interface Work {
  step: FenceStep;
  /** The fix before, when the way from it is known. */
  way: FencedFix | null;
  moves: Move[] | null;
}

/**
 * Moves one vehicle's sides by one fix and tells which borders it crossed. Pure. Leaving needs `hysteresis_m` beyond
 * the border; a crossing counts once it has lasted `min_inside_s` or `min_outside_s`, by the fixes' times.
 */
export function advanceFences(step: FenceStep): FenceSteps {
  const { index, before, previous, fix } = step;
  const isWaySeen = previous !== null && fix.time_ms - previous.time_ms <= step.unseen_way_s * 1_000;
  const work: Work = { step, way: isWaySeen ? previous : null, moves: null };
  for (const id in before) {
    const fence = index.get(id);
    note(work, fence === undefined ? forgotten(id) : look(work, fence, before[id]));
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
function lookAnew(fence: IndexedFence, work: Work): void {
  if (work.step.before[fence.fence.geozone_id] === undefined) note(work, look(work, fence, undefined));
}

function sidesAfter(before: FenceSides, moves: readonly Move[]): FenceSides {
  const after: Record<string, FenceSide> = {};
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
function look({ step, way }: Work, fence: IndexedFence, old: FenceSide | undefined): Move | null {
  const { fix } = step;
  const id = fence.fence.geozone_id;
  if (!step.appliesTo(fence)) return old === undefined ? null : forgotten(id);
  if (step.previous === null || step.isFirstLook(fence)) {
    if (!fence.shape.isInside(fix)) return old === undefined ? null : forgotten(id);
    const side = { inside: true, since_ms: fix.time_ms, turning: null };
    return { id, side, crossings: nothing, visit: null };
  }
  const wasIn = old?.inside === true;
  const isIn = wasIn ? !fence.shape.isBeyond(fix, fence.fence.hysteresis_m) : fence.shape.isInside(fix);
  if (isIn !== wasIn) return turn(fence, old, fixOnly(fix));
  if (wasIn) {
    return old.turning === null
      ? null
      : { id, side: { ...old, turning: null }, crossings: nothing, visit: null };
  }
  if (old !== undefined) return forgotten(id);
  return way === null ? null : passThrough(fence, way, fix);
}

/** What the schedule of the fence lets be told. */
function toldOf({ fence }: IndexedFence, ...crossings: readonly FenceCrossing[]): readonly FenceCrossing[] {
  if (fence.schedule === null) return crossings;
  return crossings.filter((it) => isActive(fence.schedule, it.at.time_ms));
}

/** What is remembered goes into the store with each batch: nothing that a caller's fix holds beside. */
function fixOnly({ time_ms, lat, lon, speed_kmh }: FencedFix): FencedFix {
  return { time_ms, lat, lon, speed_kmh };
}

/** Outside before and after; it may still have passed through between the two. */
function passThrough(fence: IndexedFence, before: FencedFix, after: FencedFix): Move | null {
  const way = fence.shape.crossing(before, after);
  if (way === null) return null;
  const fixes = [fixOnly(before), fixOnly(after)];
  const enter = fixBetween(before, after, way.enter);
  const leave = fixBetween(before, after, way.leave);
  const { min_inside_s, geozone_id } = fence.fence;
  const duration_s = (leave.time_ms - enter.time_ms) / 1_000;
  if (duration_s < min_inside_s) return null;
  return {
    id: geozone_id,
    side: null,
    crossings: toldOf(
      fence,
      { kind: 'geofence_enter', geozone_id, at: enter, duration_s: null, fixes },
      { kind: 'geofence_exit', geozone_id, at: leave, duration_s, fixes },
    ),
    visit: { geozone_id, since_ms: enter.time_ms, until_ms: leave.time_ms },
  };
}

/** On the other side than before: at once, or once it has lasted. */
function turn(fence: IndexedFence, old: FenceSide | undefined, fix: FencedFix): Move {
  const entering = old?.inside !== true;
  const first = old?.turning ?? fix;
  const { min_inside_s, min_outside_s, geozone_id } = fence.fence;
  const id = geozone_id;
  const needed_s = entering ? min_inside_s : min_outside_s;
  if (fix.time_ms - first.time_ms < needed_s * 1_000) {
    const since_ms = old?.since_ms ?? fix.time_ms;
    return { id, side: { inside: !entering, since_ms, turning: first }, crossings: nothing, visit: null };
  }
  const crossing: FenceCrossing = {
    kind: entering ? 'geofence_enter' : 'geofence_exit',
    geozone_id,
    at: first,
    duration_s: entering ? null : (first.time_ms - old.since_ms) / 1_000,
    fixes: first === fix ? [fix] : [first, fix],
  };
  const crossings = toldOf(fence, crossing);
  return entering
    ? { id, side: { inside: true, since_ms: first.time_ms, turning: null }, crossings, visit: null }
    : { id, side: null, crossings, visit: { geozone_id, since_ms: old.since_ms, until_ms: first.time_ms } };
}

function fixBetween(a: FencedFix, b: FencedFix, t: number): FencedFix {
  const speed_kmh =
    a.speed_kmh === null || b.speed_kmh === null
      ? b.speed_kmh
      : a.speed_kmh + (b.speed_kmh - a.speed_kmh) * t;
  return { ...between(a, b, t), time_ms: Math.round(a.time_ms + (b.time_ms - a.time_ms) * t), speed_kmh };
}
