import type { Geofence } from '../contract/geofences.ts';
import {
  placeOf,
  type GeofenceShape,
  type ShapePlan,
  boxAround,
  edgeNumbers,
  type Coordinates,
  type Sides,
} from './shapeTypes.ts';
import { planCircle, planLine } from './bufferShapes.ts';
import pointInPolygon from 'point-in-polygon-hao';
import { lonDifference, type Box, type LatLon } from './geodesy.ts';
import { heaviestOverlap } from './overlap.ts';
import { planRingBands } from './ringBands.ts';
import { countSides, createEdgeTree, fewSides, sidesOf, edgeTreeBytes } from './edgeTree.ts';

export type { GeofenceShape as FenceShape, ShapePlan } from './shapeTypes.ts';

export type ShapedGeofence = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** Throws when the geometry does not fit the shape: whoever stores geofences checks that first. */
export function planShape(geofence: ShapedGeofence): ShapePlan {
  const { shape, geometry } = geofence;
  if (shape === 'circle' && geometry.type === 'Point' && geofence.radius_m !== null) {
    return planCircle(placeOf(geometry.coordinates), geofence.radius_m);
  }
  if (shape === 'line' && geometry.type === 'LineString' && geofence.width_m !== null) {
    return planLine(geometry.coordinates, geofence.width_m / 2);
  }
  if (shape === 'polygon' && geometry.type === 'Polygon') return planPolygon([geometry.coordinates]);
  if (shape === 'polygon' && geometry.type === 'MultiPolygon') return planPolygon(geometry.coordinates);
  throw new Error(`a ${geometry.type} cannot be a ${shape}`);
}

/** Throws as `planShape`. */
export function geofenceShape(geofence: ShapedGeofence): GeofenceShape {
  return planShape(geofence).build();
}

type Rings = readonly Coordinates[];

/** Rings of fewer sides are walked whole. */
const fewSidesOfPart = 64;

/** Rings of at most 180 degrees of longitude, by polygon; the first of each is the outer one. */
function planPolygon(polygons: readonly Rings[]): ShapePlan {
  const edges = sidesOf(polygons.flat());
  let end = 0;
  const parts = polygons.map((rings) => {
    const first = end;
    end += countSides(rings);
    const box = boxAround((rings[0] ?? []).map(placeOf), 0);
    return end - first < fewSidesOfPart
      ? { box, bytes: 0, maxRead: end - first, build: () => walkedRings(rings) }
      : { box, ...planRingBands(edges, first, end) };
  });
  const boxes = Float64Array.from(parts.flatMap((it) => it.box));
  return {
    boxes: parts.map((it) => it.box),
    edges,
    bytes: edges.byteLength + edgeTreeBytes(end) + parts.reduce((sum, it) => sum + it.bytes, 0),
    maxReadInside: heaviestOverlap(boxes, (at) => parts[at]?.maxRead ?? 0)?.weight ?? 0,
    build: () => polygonShape(edges, parts),
  };
}

interface Part {
  box: Box;
  build: () => { holds(place: LatLon): boolean; read(): number };
}

function walkedRings(rings: Rings) {
  const whole = rings as number[][][];
  const count = countSides(rings);
  let read = 0;
  return {
    holds({ lat, lon }: LatLon) {
      read += count;
      return pointInPolygon([lon, lat], whole) !== false;
    },
    read: () => read,
  };
}

function polygonShape(edges: Sides, plans: readonly Part[]): GeofenceShape {
  const parts = plans.map(({ box, build }) => ({ box, rings: build() }));
  const tree = createEdgeTree(edges);

  function isInside(place: LatLon): boolean {
    for (const { rings, box } of parts) if (inBox(place, box) && rings.holds(place)) return true;
    return false;
  }

  return {
    boxes: parts.map((it) => it.box),
    isInside,
    isBeyond: (place, metres) => !isInside(place) && !tree.isWithin(place, metres),
    crossing(a, b) {
      const way = { lon: lonDifference(b.lon, a.lon), lat: b.lat - a.lat };
      const there = meetings(a, way);
      if (there === null) return null;
      if (edges.length < fewSides * edgeNumbers) {
        return there.isAlone ? null : { enter: there.share, leave: there.last };
      }
      const back = meetings({ lon: a.lon + way.lon, lat: b.lat }, { lon: -way.lon, lat: -way.lat });
      if (back === null || (there.isAlone && back.isAlone && there.edge === back.edge)) return null;
      return { enter: there.share, leave: Math.max(there.share, 1 - back.share) };
    },
    read: () => parts.reduce((sum, it) => sum + it.rings.read(), tree.read()),
  };

  /** The first side that a way meets, and the last one of those that were looked at. */
  function meetings(a: LatLon, way: { lon: number; lat: number }) {
    let [met, first, share, last] = [0, -1, 1, 0];
    tree.along(a, way, noMargin, (edge, aLon) => {
      const at = meetingShare(edges, edge, aLon, a.lat, way.lon, way.lat);
      if (at < 0) return share;
      met += 1;
      if (first === -1 || at < share) {
        first = edge;
        share = at;
      }
      if (at > last) last = at;
      return share;
    });
    return first === -1 ? null : { edge: first, share, last, isAlone: met === 1 };
  }
}

const noMargin = { lon: 0, lat: 0 };

/**
 * The share of the way from a place by (x, y) at which it meets a side; -1 when it does not. In degrees: how far along
 * two lines meet is the same however a plane is stretched.
 */
function meetingShare(edges: Sides, edge: number, lon: number, lat: number, x: number, y: number): number {
  const at = edge * edgeNumbers;
  const cx = (edges[at] ?? 0) - lon;
  const cy = (edges[at + 1] ?? 0) - lat;
  const sx = (edges[at + 2] ?? 0) - (edges[at] ?? 0);
  const sy = (edges[at + 3] ?? 0) - (edges[at + 1] ?? 0);
  const cross = x * sy - y * sx;
  if (cross === 0) return -1;
  const t = (cx * sy - cy * sx) / cross;
  if (t < 0 || t > 1) return -1;
  const u = (cx * y - cy * x) / cross;
  return u >= 0 && u <= 1 ? t : -1;
}

function inBox(place: LatLon, [west, south, east, north]: Box): boolean {
  return place.lon >= west && place.lon <= east && place.lat >= south && place.lat <= north;
}
