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
}

/** Two fixes that are farther apart in time say nothing of the way between them. */
const longestUnseenWayMs = 300_000;

/**
 * Moves one vehicle's sides by one fix and tells which borders it crossed. Pure. Leaving needs `hysteresis_m` beyond
 * the border; a crossing counts once it has lasted `min_inside_s` or `min_outside_s`, by the fixes' times.
 */
export function advanceFences(step: FenceStep): { after: FenceSides; crossings: FenceCrossing[] } {
  const { index, before } = step;
  const fix = fixOnly(step.fix);
  const previous = step.previous === null ? null : fixOnly(step.previous);
  const unseen = previous !== null && fix.time_ms - previous.time_ms <= longestUnseenWayMs;
  const candidates = new Set(index.near(unseen ? previous : fix, fix));
  for (const id of Object.keys(before)) {
    const fence = index.get(id);
    if (fence !== undefined) candidates.add(fence);
  }
  const after: Record<string, FenceSide> = {};
  const crossings: FenceCrossing[] = [];
  for (const fence of candidates) {
    if (!step.appliesTo(fence)) continue;
    const id = fence.fence.geozone_id;
    const old = before[id];
    if (previous === null || step.isFirstLook(fence)) {
      if (fence.shape.isInside(fix)) after[id] = { inside: true, since_ms: fix.time_ms, turning: null };
      continue;
    }
    const isIn = old?.inside === true ? !hasLeft(fence, fix) : fence.shape.isInside(fix);
    const next =
      isIn === (old?.inside ?? false)
        ? stay(fence, old, isIn, unseen ? previous : null, fix)
        : turn(fence, old, fix);
    if (next.side !== null) after[id] = next.side;
    crossings.push(...next.crossings.filter((it) => isActive(fence.fence.schedule, it.at.time_ms)));
  }
  return { after, crossings };
}

/** What is remembered goes into the store with each batch: nothing that a caller's fix holds beside. */
function fixOnly({ time_ms, lat, lon, speed_kmh }: FencedFix): FencedFix {
  return { time_ms, lat, lon, speed_kmh };
}

interface Moved {
  side: FenceSide | null;
  crossings: FenceCrossing[];
}

function hasLeft(fence: IndexedFence, fix: FencedFix): boolean {
  return fence.shape.isBeyond(fix, fence.fence.hysteresis_m);
}

/** On the same side as before; outside it may still have passed through since the last fix. */
function stay(
  fence: IndexedFence,
  old: FenceSide | undefined,
  isIn: boolean,
  previous: FencedFix | null,
  fix: FencedFix,
): Moved {
  if (isIn)
    return { side: { inside: true, since_ms: old?.since_ms ?? fix.time_ms, turning: null }, crossings: [] };
  if (previous === null || old !== undefined) return { side: null, crossings: [] };
  const way = fence.shape.crossing(previous, fix);
  if (way === null) return { side: null, crossings: [] };
  const enter = fixBetween(previous, fix, way.enter);
  const leave = fixBetween(previous, fix, way.leave);
  const { min_inside_s, geozone_id } = fence.fence;
  const duration_s = (leave.time_ms - enter.time_ms) / 1_000;
  if (duration_s < min_inside_s) return { side: null, crossings: [] };
  const fixes = [previous, fix];
  return {
    side: null,
    crossings: [
      { kind: 'geofence_enter', geozone_id, at: enter, duration_s: null, fixes },
      { kind: 'geofence_exit', geozone_id, at: leave, duration_s, fixes },
    ],
  };
}

/** On the other side than before: at once, or once it has lasted. */
function turn(fence: IndexedFence, old: FenceSide | undefined, fix: FencedFix): Moved {
  const entering = old?.inside !== true;
  const first = old?.turning ?? fix;
  const { min_inside_s, min_outside_s, geozone_id } = fence.fence;
  const needed_s = entering ? min_inside_s : min_outside_s;
  if (fix.time_ms - first.time_ms < needed_s * 1_000) {
    return {
      side: { inside: !entering, since_ms: old?.since_ms ?? fix.time_ms, turning: first },
      crossings: [],
    };
  }
  const duration_s = entering ? null : (first.time_ms - old.since_ms) / 1_000;
  const crossing: FenceCrossing = {
    kind: entering ? 'geofence_enter' : 'geofence_exit',
    geozone_id,
    at: first,
    duration_s,
    fixes: first === fix ? [fix] : [first, fix],
  };
  return {
    side: entering ? { inside: true, since_ms: first.time_ms, turning: null } : null,
    crossings: [crossing],
  };
}

function fixBetween(a: FencedFix, b: FencedFix, t: number): FencedFix {
  const speed_kmh =
    a.speed_kmh === null || b.speed_kmh === null
      ? b.speed_kmh
      : a.speed_kmh + (b.speed_kmh - a.speed_kmh) * t;
  return { ...between(a, b, t), time_ms: Math.round(a.time_ms + (b.time_ms - a.time_ms) * t), speed_kmh };
}
