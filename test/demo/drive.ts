import { courseDeg, distanceM, pointBetween, turnDeg, type PlanePoint } from './planeGeometry.ts';
import type { Route, RouteSegment } from './route.ts';

export interface DriverStyle {
  /** Share of the limit that the driver likes to go at. */
  limitShare: number;
  accelerationMs2: number;
  brakingMs2: number;
  /** Speeds at which this drive ignores the limit of the ring and of the 30 km/h streets. */
  ringKmh?: number;
  streetKmh?: number;
}

export interface DriveStop {
  /** Metres along the route. */
  atM: number;
  waitS: number;
  /** The driver presses the emergency button so long after the stop. */
  sosAfterS?: number;
  /** Braked for at the last moment, with this deceleration. */
  brakingMs2?: number;
}

/** A route as it will be driven: its corners rounded, and the speed that every point allows. */
export interface Drive {
  points: PlanePoint[];
  /** Metres from the start to each point. */
  atM: number[];
  /** Top speed on the segment after each point. */
  capMs: number[];
  /** Speed at each point from which all that follows can still be braked for. */
  entryMs: number[];
  /** Deceleration on the segment after each point. */
  brakingMs2: number[];
  /** In order; the last is the end of the drive. */
  stops: DriveStop[];
  lengthM: number;
  accelerationMs2: number;
}

export interface DriveState {
  m: number;
  speedMs: number;
  segment: number;
  nextStop: number;
}

/** Simulated time goes in quarters of a second. */
export const TICK_S = 0.25;
/** Near enough to a stop to be standing at it. */
const REACHED_M = 0.1;

/** Comfortable for passengers and loads; the alarm for cornering stands at 4.0. */
const LATERAL_MS2 = 1.5;
const CORNER_CUT_M = 11;
const CORNER_FROM_DEG = 8;
const STREET_CORNER_MS = 22 / 3.6;
const TURNING_BACK_MS = 1;

interface Vertex {
  point: PlanePoint;
  /** Speed allowed at this very point. */
  limitMs: number;
  /** The segment that follows. */
  capMs: number;
  stop: DriveStop | null;
}

/** Stops are kept in order, at least a metre apart; the drive always ends in one. */
export function planDrive(route: Route, style: DriverStyle, stops: readonly DriveStop[] = []): Drive {
  const vertices = rounded(verticesOf(route, style, stops));
  const points = vertices.map(({ point }) => point);
  const atM: number[] = [];
  for (const [index, point] of points.entries()) {
    atM.push((atM[index - 1] ?? 0) + distanceM(points[index - 1] ?? point, point));
  }
  const lengthM = atM.at(-1) ?? 0;
  const entryMs = vertices.map(({ stop, limitMs }) => (stop === null ? limitMs : 0));
  entryMs[entryMs.length - 1] = 0;
  const brakingMs2 = vertices.map(() => style.brakingMs2);
  let braking = style.brakingMs2;
  for (let index = vertices.length - 2; index >= 0; index -= 1) {
    const after = vertices[index + 1];
    if (after?.stop) braking = after.stop.brakingMs2 ?? style.brakingMs2;
    brakingMs2[index] = braking;
    const length = (atM[index + 1] ?? 0) - (atM[index] ?? 0);
    const brakeable = Math.sqrt((entryMs[index + 1] ?? 0) ** 2 + 2 * braking * length);
    const own = Math.min(entryMs[index] ?? 0, vertices[index]?.capMs ?? 0);
    // Once the limit binds, the stop ahead no longer does.
    if (own <= brakeable) braking = style.brakingMs2;
    entryMs[index] = Math.min(own, brakeable);
  }
  const placed = vertices.flatMap(({ stop }, index) =>
    stop === null ? [] : [{ ...stop, atM: atM[index] ?? 0 }],
  );
  return {
    points,
    atM,
    capMs: vertices.map(({ capMs }) => capMs),
    entryMs,
    brakingMs2,
    stops: [...placed.filter((stop) => stop.atM < lengthM - 1), { atM: lengthM, waitS: 0 }],
    lengthM,
    accelerationMs2: style.accelerationMs2,
  };
}

export function startOfDrive(): DriveState {
  return { m: 0, speedMs: 0, segment: 0, nextStop: 0 };
}

/** One tick onward. Answers the stop that was reached in it, if one was; the state then stands at it. */
export function advance(drive: Drive, state: DriveState): DriveStop | null {
  const { segment } = state;
  const leftM = (drive.atM[segment + 1] ?? drive.lengthM) - state.m;
  const allowed = Math.min(
    drive.capMs[segment] ?? 0,
    brakeableFrom(leftM, drive.entryMs[segment + 1] ?? 0, drive.brakingMs2[segment] ?? 1),
  );
  state.speedMs = Math.min(state.speedMs + drive.accelerationMs2 * TICK_S, allowed);
  state.m += state.speedMs * TICK_S;
  const stop = drive.stops[state.nextStop];
  const isReached = stop !== undefined && state.m >= stop.atM - REACHED_M;
  if (isReached) {
    state.m = stop.atM;
    state.speedMs = 0;
    state.nextStop += 1;
  }
  while (state.segment < drive.points.length - 2 && state.m >= (drive.atM[state.segment + 1] ?? Infinity)) {
    state.segment += 1;
  }
  return isReached ? stop : null;
}

/**
 * The speed from which `entryMs` can be reached in `leftM`, given that a whole tick passes before the next decision:
 * Krauss's safe speed ("Microscopic Modeling of Traffic Flow", 1998, section 4.2).
 */
function brakeableFrom(leftM: number, entryMs: number, brakingMs2: number): number {
  const reaction = brakingMs2 * TICK_S;
  return Math.max(
    entryMs,
    Math.sqrt(reaction ** 2 + entryMs ** 2 + 2 * brakingMs2 * Math.max(0, leftM)) - reaction,
  );
}

export function isAtEnd(drive: Drive, state: DriveState): boolean {
  return state.nextStop >= drive.stops.length;
}

export function placeOf(drive: Drive, { segment, m }: DriveState): { point: PlanePoint; courseDeg: number } {
  const a = drive.points[segment] ?? { x: 0, y: 0 };
  const b = drive.points[segment + 1] ?? a;
  const length = distanceM(a, b);
  const share = length === 0 ? 0 : (m - (drive.atM[segment] ?? 0)) / length;
  return { point: pointBetween(a, b, Math.min(1, Math.max(0, share))), courseDeg: courseDeg(a, b) };
}

/** Seconds from the start, waits included, until `isThere` first holds; the whole drive when it never does. */
export function secondsUntil(drive: Drive, isThere: (state: DriveState) => boolean): number {
  const state = startOfDrive();
  let seconds = 0;
  while (!isThere(state)) {
    const stop = advance(drive, state);
    seconds += TICK_S + (stop?.waitS ?? 0);
    if (isAtEnd(drive, state)) break;
  }
  return seconds;
}

function speedOn({ limitKmh, roadClass }: RouteSegment, style: DriverStyle): number {
  const isRing = roadClass === 'motorway' && limitKmh === 60;
  if (isRing && style.ringKmh !== undefined) return style.ringKmh / 3.6;
  if (roadClass === 'street' && style.streetKmh !== undefined) return style.streetKmh / 3.6;
  return (limitKmh * style.limitShare) / 3.6;
}

/** The route's points, with a point of its own for each stop. */
function verticesOf(route: Route, style: DriverStyle, stops: readonly DriveStop[]): Vertex[] {
  const vertices: Vertex[] = [];
  // Who ignores the limit of a street does not slow down for its corners either.
  const cornerMs = style.streetKmh === undefined ? STREET_CORNER_MS : style.streetKmh / 3.6;
  const waiting = stops.toSorted((a, b) => a.atM - b.atM);
  let m = 0;
  for (const [index, point] of route.points.entries()) {
    const after = route.segments[index] ?? route.segments[index - 1];
    const capMs = after === undefined ? 0 : speedOn(after, style);
    const isSlow = point.junction === 'street' || point.junction === 'yard';
    const before = vertices.at(-1);
    if (before !== undefined) {
      const length = distanceM(before.point, point);
      const startM = m;
      const start = before.point;
      m += length;
      for (let stop = waiting[0]; stop !== undefined && stop.atM <= m - 1; stop = waiting[0]) {
        waiting.shift();
        const last = vertices.at(-1);
        const at = pointBetween(start, point, Math.max(0, stop.atM - startM) / length);
        if (last === undefined) continue;
        if (distanceM(last.point, at) < 1) last.stop ??= stop;
        else vertices.push({ point: at, limitMs: Infinity, capMs: last.capMs, stop });
      }
      if (length < 0.5) continue;
    }
    vertices.push({ point, limitMs: isSlow ? cornerMs : Infinity, capMs, stop: null });
  }
  return vertices;
}

/** Sharp corners become bends, driven no faster than their radius allows. */
function rounded(vertices: Vertex[]): Vertex[] {
  return vertices.flatMap((vertex, index): Vertex[] => {
    const before = vertices[index - 1];
    const after = vertices[index + 1];
    if (before === undefined || after === undefined || vertex.stop !== null) return [vertex];
    const turn = turnDeg(before.point, vertex.point, after.point);
    const [lengthBefore, lengthAfter] = [
      distanceM(before.point, vertex.point),
      distanceM(vertex.point, after.point),
    ];
    if (turn > 150) return [{ ...vertex, limitMs: TURNING_BACK_MS }];
    const halfTurn = (turn / 2) * (Math.PI / 180);
    if (turn < CORNER_FROM_DEG) return [vertex];
    const cut = Math.min(CORNER_CUT_M, 0.45 * lengthBefore, 0.45 * lengthAfter);
    const bendMs = Math.max(TURNING_BACK_MS, Math.sqrt((LATERAL_MS2 * cut) / Math.tan(halfTurn)));
    const start = pointBetween(vertex.point, before.point, cut / lengthBefore);
    const end = pointBetween(vertex.point, after.point, cut / lengthAfter);
    const limitMs = Math.min(vertex.limitMs, bendMs);
    return [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      point: pointBetween(
        pointBetween(start, vertex.point, share),
        pointBetween(vertex.point, end, share),
        share,
      ),
      limitMs,
      capMs: share === 1 ? vertex.capMs : Math.min(vertex.capMs, bendMs),
      stop: null,
    }));
  });
}
