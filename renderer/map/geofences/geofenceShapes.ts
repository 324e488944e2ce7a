import { EARTH_RADIUS_M, destination, latLon, type LatLon } from '../geodesy.ts';

/** A geofence as the API shows it, as far as the map draws it. Geometries in GeoJSON order (lon, lat). */
export interface MapGeofence {
  id: string;
  /** Its area and its label are computed once for each. */
  version: number;
  name: string;
  shape: 'polygon' | 'circle' | 'line';
  /** Polygon or MultiPolygon; Point of a circle; LineString of a line. */
  geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon | GeoJSON.Point | GeoJSON.LineString;
  /** Of a circle. */
  radius_m?: number;
  /** Of a line: the full width. */
  width_m?: number;
  color?: string | null;
}

// The corners of a drawn circle lie on it; its sides miss it by 0.08 % of the radius at the most (1 - cos(pi / 96)).
const CIRCLE_CORNERS = 96;
/** Round ends and joins have a corner every so many degrees. */
const ARC_STEP_DEG = 15;

/** What to draw for a geofence: its area, as it is. Throws a RangeError when the geofence lacks what its shape needs. */
export function geofenceArea(
  geofence: Pick<MapGeofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>,
): GeoJSON.Geometry {
  const { shape, geometry } = geofence;
  if (shape === 'circle') {
    if (geometry.type !== 'Point' || !(geofence.radius_m !== undefined && geofence.radius_m > 0)) {
      throw new RangeError('a circle needs a point and a radius');
    }
    return { type: 'Polygon', coordinates: [circleRing(latLon(geometry.coordinates), geofence.radius_m)] };
  }
  if (shape === 'line') {
    if (geometry.type !== 'LineString' || !(geofence.width_m !== undefined && geofence.width_m > 0)) {
      throw new RangeError('a line needs a line string and a width');
    }
    return { type: 'Polygon', coordinates: [corridorRing(geometry.coordinates, geofence.width_m)] };
  }
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')
    throw new RangeError('a polygon needs rings');
  return geometry;
}

/** A circle on the Earth as a closed ring. */
export function circleRing(centre: LatLon, radiusM: number): GeoJSON.Position[] {
  const ring: GeoJSON.Position[] = [];
  for (let i = 0; i <= CIRCLE_CORNERS; i++) {
    const { lat, lon } = destination(centre, ((i % CIRCLE_CORNERS) * -360) / CIRCLE_CORNERS, radiusM);
    ring.push([lon, lat]);
  }
  return ring;
}

interface Vector {
  x: number;
  y: number;
}

/**
 * The outline of all that lies within half of `widthM` of a line: two parallel edges, round at bends and ends, as one
 * closed ring. At a bend sharper than the corridor is wide, the inner edge crosses itself; filling does not mind.
 */
export function corridorRing(line: readonly GeoJSON.Position[], widthM: number): GeoJSON.Position[] {
  const plane = planeAt(line);
  const points = withoutRepeats(line.map((position) => plane.toMetres(latLon(position))));
  if (points.length < 2) throw new RangeError('a line needs two different points');
  const half = widthM / 2;
  const there = edge(points, half);
  const back = edge([...points].reverse(), half);
  const ring = [...there, ...back].map((point) => plane.toPosition(point));
  const first = ring[0];
  return first ? [...ring, first] : [];
}

/** The edge at the left of a line, from beside its first point to the round end before its last. */
function edge(points: readonly Vector[], half: number): Vector[] {
  const result: Vector[] = [];
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[i];
    const b = points[i + 1];
    if (!a || !b) break;
    const normal = leftNormal(a, b);
    const next = points[i + 2];
    const before = points[i - 1];
    if (!before) result.push(along(a, normal, half));
    if (!next) {
      result.push(along(b, normal, half), ...arc(b, normal, half, -180));
      continue;
    }
    const nextNormal = leftNormal(b, next);
    const turn = turnDeg(normal, nextNormal);
    if (turn <= 0) {
      result.push(along(b, normal, half), ...arc(b, normal, half, turn), along(b, nextNormal, half));
      continue;
    }
    const reach = half * Math.tan((turn * Math.PI) / 360);
    if (reach < distance(a, b) && reach < distance(b, next)) {
      result.push(along(along(b, normal, half), { x: -normal.y, y: normal.x }, reach));
    } else {
      result.push(along(b, normal, half), along(b, nextNormal, half));
    }
  }
  return result;
}

/** Points between a start direction and `deg` degrees on (positive: to the left), both ends left out. */
function arc(centre: Vector, from: Vector, radius: number, deg: number): Vector[] {
  const steps = Math.ceil(Math.abs(deg) / ARC_STEP_DEG);
  const points: Vector[] = [];
  for (let step = 1; step < steps; step++) {
    const angle = ((deg * step) / steps / 180) * Math.PI;
    const direction = {
      x: from.x * Math.cos(angle) - from.y * Math.sin(angle),
      y: from.x * Math.sin(angle) + from.y * Math.cos(angle),
    };
    points.push(along(centre, direction, radius));
  }
  return points;
}

const distance = (a: Vector, b: Vector): number => Math.hypot(b.x - a.x, b.y - a.y);

function leftNormal(a: Vector, b: Vector): Vector {
  const length = distance(a, b);
  return { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
}

function along(from: Vector, direction: Vector, length: number): Vector {
  return { x: from.x + direction.x * length, y: from.y + direction.y * length };
}

function turnDeg(from: Vector, to: Vector): number {
  return (Math.atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y) * 180) / Math.PI;
}

function withoutRepeats(points: readonly Vector[]): Vector[] {
  return points.filter((point, i) => {
    const before = points[i - 1];
    return !before || distance(before, point) > 0.01;
  });
}

/** A plane of metres at a line's middle latitude: true to 0.1 % for lines of some tens of kilometres. */
function planeAt(line: readonly GeoJSON.Position[]) {
  const latitudes = line.map((position) => latLon(position).lat);
  const middle = ((Math.min(...latitudes) + Math.max(...latitudes)) / 2) * (Math.PI / 180);
  const origin = latLon(line[0]);
  const perDegree = (EARTH_RADIUS_M * Math.PI) / 180;
  return {
    toMetres: ({ lat, lon }: LatLon): Vector => ({
      x: (lon - origin.lon) * perDegree * Math.cos(middle),
      y: (lat - origin.lat) * perDegree,
    }),
    toPosition: ({ x, y }: Vector): GeoJSON.Position => [
      origin.lon + x / (perDegree * Math.cos(middle)),
      origin.lat + y / perDegree,
    ],
  };
}
