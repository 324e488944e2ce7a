/** A rectangle in degrees. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/**
 * Cuts a closed ring to a box (Sutherland and Hodgman, Reentrant Polygon Clipping, 1974). A ring that leaves the box
 * several times stays one ring that runs along the box's edges, which is right for filling and wrong for outlines.
 * Returns null when nothing is left.
 */
export function clipRing(ring: readonly GeoJSON.Position[], box: Box): GeoJSON.Position[] | null {
  let points: readonly GeoJSON.Position[] = ring.slice(0, -1);
  points = cut(points, 0, (value) => value >= box.west, box.west);
  points = cut(points, 0, (value) => value <= box.east, box.east);
  points = cut(points, 1, (value) => value >= box.south, box.south);
  points = cut(points, 1, (value) => value <= box.north, box.north);
  const first = points[0];
  return points.length < 3 || first === undefined ? null : [...points, first];
}

/** Cuts a polygon (outer ring first, then its holes); null when its outer ring misses the box. */
export function clipPolygon(
  polygon: readonly (readonly GeoJSON.Position[])[],
  box: Box,
): GeoJSON.Position[][] | null {
  const rings = polygon.map((ring) => clipRing(ring, box));
  if (rings[0] === null || rings[0] === undefined) return null;
  return rings.filter((ring) => ring !== null);
}

export function boxOf(ring: readonly GeoJSON.Position[]): Box {
  const box: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [lon = 0, lat = 0] of ring) {
    box.west = Math.min(box.west, lon);
    box.east = Math.max(box.east, lon);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  }
  return box;
}

export const overlap = (a: Box, b: Box): boolean =>
  a.west < b.east && a.east > b.west && a.south < b.north && a.north > b.south;

function cut(
  points: readonly GeoJSON.Position[],
  axis: 0 | 1,
  inside: (value: number) => boolean,
  edge: number,
): GeoJSON.Position[] {
  const retained: GeoJSON.Position[] = [];
  let before = points[points.length - 1];
  for (const point of points) {
    if (before === undefined) break;
    const isIn = inside(point[axis] ?? 0);
    if (isIn !== inside(before[axis] ?? 0)) retained.push(crossing(before, point, axis, edge));
    if (isIn) retained.push(point);
    before = point;
  }
  return retained;
}

function crossing(a: GeoJSON.Position, b: GeoJSON.Position, axis: 0 | 1, edge: number): GeoJSON.Position {
  const [aLon = 0, aLat = 0] = a;
  const [bLon = 0, bLat = 0] = b;
  const share = axis === 0 ? (edge - aLon) / (bLon - aLon) : (edge - aLat) / (bLat - aLat);
  return axis === 0 ? [edge, aLat + share * (bLat - aLat)] : [aLon + share * (bLon - aLon), edge];
}
