import pointInPolygon from 'point-in-polygon-hao';
import type { Geofence } from '../contract/geofences.ts';
import {
  between,
  boxAlong,
  cornerOnPlane,
  degreesOf,
  distanceM,
  lonDifference,
  onPlane,
  segmentDistance,
  type Box,
  type Place,
  type Plane,
  type RingCorner,
} from './geodesy.ts';
import { createSideIndex } from './sideIndex.ts';

/** A stretch of a straight way, as shares of it from 0 to 1. */
interface Span {
  enter: number;
  leave: number;
}

/** A geofence's shape as the engine asks it; all distances in metres. */
export interface FenceShape {
  boxes: readonly Box[];
  isInside(place: Place): boolean;
  /** Whether a place lies outside, and farther than so many metres from the border. */
  isBeyond(place: Place, metres: number): boolean;
  /**
   * Where the straight way from `a` to `b` first enters and last leaves, as shares of the way from 0 to 1; null when it
   * keeps outside.
   */
  crossing(a: Place, b: Place): Span | null;
}

type Coordinates = readonly (readonly [number, number] | number[])[];

/** Throws when the geometry does not fit the shape: whoever stores geofences checks that first. */
export function fenceShape(fence: Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>): FenceShape {
  const { shape, geometry } = fence;
  if (shape === 'circle' && geometry.type === 'Point' && fence.radius_m !== null) {
    return circleShape(placeOf(geometry.coordinates), fence.radius_m);
  }
  if (shape === 'line' && geometry.type === 'LineString' && fence.width_m !== null) {
    return lineShape(geometry.coordinates.map(placeOf), fence.width_m / 2);
  }
  if (shape === 'polygon' && geometry.type === 'Polygon') return polygonShape([geometry.coordinates]);
  if (shape === 'polygon' && geometry.type === 'MultiPolygon') return polygonShape(geometry.coordinates);
  throw new Error(`a ${geometry.type} cannot be a ${shape}`);
}

function placeOf(point: readonly number[] | undefined): Place {
  return { lon: point?.[0] ?? 0, lat: point?.[1] ?? 0 };
}

/** Everything within `radius` of a point. */
function circleShape(centre: Place, radius: number): FenceShape {
  const distance = (place: Place) => distanceM(place, centre);
  return {
    boxes: [boxAround([centre], radius)],
    isInside: (place) => distance(place) <= radius,
    isBeyond: (place, metres) => distance(place) > radius + metres,
    crossing: (a, b) => (distance(a) > reachOf(a, b, radius) ? null : spanWithin(distance, radius, a, b)),
  };
}

interface Piece {
  from: Place;
  to: Place;
}

/** Everything within `radius` of a line. */
function lineShape(places: readonly Place[], radius: number): FenceShape {
  const pieces = createSideIndex(
    pairsOf(places).map(([from, to]): Piece => ({ from, to })),
    ({ from, to }) => boxAlong(from, to, 0),
  );

  function isWithin(place: Place, metres: number): boolean {
    return pieces.near(boxAlong(place, place, metres)).some((it) => pieceDistance(place, it) <= metres);
  }

  return {
    boxes: [boxAround(places, radius)],
    isInside: (place) => isWithin(place, radius),
    isBeyond: (place, metres) => !isWithin(place, radius + metres),
    crossing(a, b) {
      const reach = reachOf(a, b, radius);
      const spans = pieces
        .near(boxAlong(a, b, radius))
        .filter((piece) => pieceDistance(a, piece) <= reach)
        .flatMap((piece) => spanWithin((place) => pieceDistance(place, piece), radius, a, b) ?? []);
      if (spans.length === 0) return null;
      return {
        enter: Math.min(...spans.map((it) => it.enter)),
        leave: Math.max(...spans.map((it) => it.leave)),
      };
    },
  };
}

/** What lies farther off than the way is long cannot be reached; with room for what the plane stretches. */
const reachMargin = 1.05;

function reachOf(a: Place, b: Place, radius: number): number {
  return distanceM(a, b) * reachMargin + radius;
}

/** Asked as `isInside` asks, or a large fence would be crossed by whoever drives along outside of it. */
function spanWithin(distance: (place: Place) => number, radius: number, a: Place, b: Place): Span | null {
  return spanBelow((t) => distance(between(a, b, t)) - radius);
}

function pieceDistance(place: Place, { from, to }: Piece): number {
  return segmentDistance({ x: 0, y: 0 }, onPlane(from, place), onPlane(to, place));
}

function pairsOf<T>(list: readonly T[]): [T, T][] {
  return list.slice(1).map((to, at) => [list[at] ?? to, to]);
}

const steps = 60;

/** Where a convex function (distance to something convex, along a straight way) is at most 0 between 0 and 1. */
function spanBelow(f: (t: number) => number): Span | null {
  let low = 0;
  let high = 1;
  for (let step = 0; step < steps; step += 1) {
    const third = (high - low) / 3;
    if (f(low + third) < f(high - third)) high -= third;
    else low += third;
  }
  const lowest = (low + high) / 2;
  if (f(lowest) > 0) return null;
  return { enter: rootBetween(f, lowest, 0), leave: rootBetween(f, lowest, 1) };
}

/** The last t from `inside` towards `edge` where f is at most 0. */
function rootBetween(f: (t: number) => number, inside: number, edge: number): number {
  if (f(edge) <= 0) return edge;
  let near = inside;
  let far = edge;
  for (let step = 0; step < steps; step += 1) {
    const middle = (near + far) / 2;
    if (f(middle) <= 0) near = middle;
    else far = middle;
  }
  return near;
}

type Rings = readonly Coordinates[];

function polygonShape(polygons: readonly Rings[]): FenceShape {
  const parts = polygons.map((rings) => ({
    rings: rings as number[][][],
    box: boxAround((rings[0] ?? []).map(placeOf), 0),
  }));
  const sides = createSideIndex(polygons.flat().flatMap(sidesOf), boxOfSide);

  function isInside(place: Place): boolean {
    return parts.some(
      ({ rings, box }) =>
        inBox(place, box) &&
        // 0 is on the border, which counts as inside.
        pointInPolygon([place.lon, place.lat], rings) !== false,
    );
  }

  function isAtBorder(place: Place, metres: number): boolean {
    const here = { x: 0, y: 0 };
    return sides
      .near(boxAlong(place, place, metres))
      .some(
        ({ from, to }) =>
          segmentDistance(here, cornerOnPlane(from, place), cornerOnPlane(to, place)) <= metres,
      );
  }

  return {
    boxes: parts.map((it) => it.box),
    isInside,
    isBeyond: (place, metres) => !isInside(place) && !isAtBorder(place, metres),
    crossing(a, b) {
      const end = onPlane(b, a);
      let [met, enter, leave] = [0, 1, 0];
      for (const { from, to } of sides.near(boxAlong(a, b, 0))) {
        const share = meetingShare(end, cornerOnPlane(from, a), cornerOnPlane(to, a));
        if (share === null) continue;
        met += 1;
        enter = Math.min(enter, share);
        leave = Math.max(leave, share);
      }
      return met < 2 ? null : { enter, leave };
    },
  };
}

interface RingSide {
  from: RingCorner;
  to: RingCorner;
}

function boxOfSide({ from, to }: RingSide): Box {
  return [
    Math.min(from.lon, to.lon),
    Math.min(from.lat, to.lat),
    Math.max(from.lon, to.lon),
    Math.max(from.lat, to.lat),
  ];
}

function sidesOf(ring: Coordinates): RingSide[] {
  const ringLon = placeOf(ring[0]).lon;
  const corners = ring.map((point): RingCorner => ({ ...placeOf(point), ringLon }));
  return pairsOf(corners).map(([from, to]) => ({ from, to }));
}

/** The share of the way from the origin to `end` at which it meets the segment from `c` to `d`; null when it does not. */
function meetingShare(end: Plane, c: Plane, d: Plane): number | null {
  const sx = d.x - c.x;
  const sy = d.y - c.y;
  const cross = end.x * sy - end.y * sx;
  if (cross === 0) return null;
  const t = (c.x * sy - c.y * sx) / cross;
  const u = (c.x * end.y - c.y * end.x) / cross;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? t : null;
}

function inBox(place: Place, [west, south, east, north]: Box): boolean {
  return place.lon >= west && place.lon <= east && place.lat >= south && place.lat <= north;
}

/** Of a line over the antimeridian the box reaches beyond 180 degrees, to one side or the other. */
function boxAround(places: readonly Place[], radius: number): Box {
  let [west, south, east, north] = [180, 90, -180, -90];
  let lon = places[0]?.lon ?? 0;
  for (const place of places) {
    const margin = degreesOf(radius, place.lat);
    lon += lonDifference(place.lon, lon);
    west = Math.min(west, lon - margin.lon);
    east = Math.max(east, lon + margin.lon);
    south = Math.min(south, place.lat - margin.lat);
    north = Math.max(north, place.lat + margin.lat);
  }
  return [west, south, east, north];
}
