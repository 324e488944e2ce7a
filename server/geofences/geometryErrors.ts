import { causeOf, messageOf } from '../contract/causeTexts.ts';
import { formOfShape, type NewGeofence } from '../contract/geofences.ts';
import type { FieldError } from '../contract/problem.ts';
import { sweepSides, turn, type Vertex, type Meeting, type Swept } from './edgeSweep.ts';

export type GeofenceForm = Pick<NewGeofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

type Point = readonly number[];
type Ring = readonly Point[];

/**
 * What is wrong with a fence's form, by field; empty when nothing is. Which way round a ring runs does not matter. Of n
 * corners, whose number the contract bounds, it takes n log n steps.
 */
export function geometryErrors(geofence: GeofenceForm): FieldError[] {
  const misfits = formFaults(geofence);
  if (misfits.length > 0) return misfits;
  const { geometry } = geofence;
  switch (geometry.type) {
    case 'Point':
      return [];
    case 'LineString':
      return lineFaults(geometry.coordinates);
    case 'Polygon':
      return polygonFaults(geometry.coordinates, 'geometry.coordinates');
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((rings, at) => polygonFaults(rings, `geometry.coordinates.${at}`));
  }
}

/** Whether geometry, radius and width are those of the shape: without that the engine cannot take the fence at all. */
export function formFaults({ shape, geometry, radius_m, width_m }: GeofenceForm): FieldError[] {
  const faults: FieldError[] = [];
  const { geometries } = formOfShape[shape];
  if (!geometries.includes(geometry.type)) {
    faults.push({ path: 'geometry.type', message: `is ${geometries.join(' or ')} for a ${shape}` });
  }
  const sizes = [
    { path: 'radius_m', size: radius_m, of: 'circle' },
    { path: 'width_m', size: width_m, of: 'line' },
  ];
  for (const { path, size, of } of sizes) {
    if (shape === of && !(size !== null && size > 0)) {
      faults.push({ path, message: `is needed for a ${shape}, and more than 0` });
    }
    if (shape !== of && size !== null) faults.push({ path, message: `belongs to a ${of} alone` });
  }
  return faults;
}

function lineFaults(points: Ring): FieldError[] {
  const [first] = points;
  return first === undefined || points.every((it) => isSame(it, first))
    ? [{ path: 'geometry.coordinates', ...messageOf(causeOf('geofence.two_points')) }]
    : [];
}

/** The first error of each ring; relations between rings are checked once each ring is valid. */
function polygonFaults(rings: readonly Ring[], path: string): FieldError[] {
  const faults = rings.flatMap((ring, at) => ringError(ring, `${path}.${at}`) ?? []);
  if (faults.length > 0) return faults;
  const vertices = rings.map(cornersOf);
  const repeated = repeatedCorner(vertices, path);
  if (repeated !== null) return [repeated];
  const { met, around } = sweepSides(vertices);
  const fault = met === null ? holeOutside(around, path) : meetingSides(met, path);
  return fault === null ? [] : [fault];
}

function ringError(ring: Ring, path: string): FieldError | null {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined || ring.length < 4 || !isSame(first, last)) {
    return {
      path: `${path}.${Math.max(0, ring.length - 1)}`,
      ...messageOf(causeOf('geofence.ring_open')),
    };
  }
  const lons = ring.map((point) => point[0] ?? 0);
  if (largest(lons) + largest(lons.map((lon) => -lon)) > 180) {
    return {
      path,
      ...messageOf(causeOf('geofence.too_wide')),
    };
  }
  const vertices = cornersOf(ring);
  if (new Set(vertices.map(placeName)).size < 3)
    return { path, ...messageOf(causeOf('geofence.three_corners')) };
  const [a, b] = vertices;
  if (a === undefined || b === undefined || vertices.every((it) => turn(a, b, it) === 0)) {
    return { path, ...messageOf(causeOf('geofence.encloses_nothing')) };
  }
  return turningBack(vertices, path);
}

/** Without the closing corner, and without corners that only repeat the one before. */
function cornersOf(ring: Ring): Vertex[] {
  const vertices = ring.slice(0, -1).map((point, at) => ({ x: point[0] ?? 0, y: point[1] ?? 0, at }));
  return vertices.filter((corner, at) => {
    const before = vertices[at === 0 ? vertices.length - 1 : at - 1];
    return before === undefined || before.x !== corner.x || before.y !== corner.y;
  });
}

function turningBack(vertices: readonly Vertex[], path: string): FieldError | null {
  for (const [at, corner] of vertices.entries()) {
    const before = vertices.at(at - 1) ?? corner;
    const after = vertices[(at + 1) % vertices.length] ?? corner;
    const forth = (corner.x - before.x) * (after.x - corner.x) + (corner.y - before.y) * (after.y - corner.y);
    if (turn(before, corner, after) === 0 && forth < 0) {
      return {
        path: `${path}.${corner.at}`,
        ...messageOf(causeOf('geofence.turns_back', placeOf(corner))),
      };
    }
  }
  return null;
}

function repeatedCorner(rings: readonly (readonly Vertex[])[], path: string): FieldError | null {
  const seen = new Map<string, number>();
  for (const [ring, vertices] of rings.entries()) {
    for (const corner of vertices) {
      const name = placeName(corner);
      const other = seen.get(name);
      if (other !== undefined) {
        return {
          path: `${path}.${ring}.${corner.at}`,
          ...messageOf(
            other === ring
              ? causeOf('geofence.touches_itself', placeOf(corner))
              : causeOf('geofence.touches_ring', { ring: String(other), ...placeOf(corner) }),
          ),
        };
      }
      seen.set(name, ring);
    }
  }
  return null;
}

function meetingSides({ first, second, x, y }: Meeting, path: string): FieldError {
  const where = { corner: String(second.at), ...placeOf({ x, y }) };
  const cause =
    first.ring === second.ring
      ? causeOf('geofence.crosses_itself', where)
      : causeOf('geofence.crosses_ring', { ring: String(second.ring), ...where });
  return {
    path: `${path}.${first.ring}.${first.at}`,
    ...messageOf(cause),
  };
}

/** A hole may lie in another one, if that lies in the outer ring. */
function holeOutside(around: Swept['around'], path: string): FieldError | null {
  const isInside = around.map((_, at): boolean | undefined => (at === 0 ? true : undefined));
  for (const [at] of around.entries()) {
    const walked: number[] = [];
    let ring: number | null | undefined = at;
    while (ring !== null && ring !== undefined && isInside[ring] === undefined) {
      walked.push(ring);
      ring = around[ring];
    }
    const answer = ring !== null && ring !== undefined && isInside[ring] === true;
    for (const it of walked) isInside[it] = answer;
  }
  const outside = isInside.indexOf(false);
  return outside < 0 ? null : { path: `${path}.${outside}`, ...messageOf(causeOf('geofence.hole_outside')) };
}

function isSame(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

function placeName({ x, y }: Vertex): string {
  return `${x} ${y}`;
}

const placeOf = ({ x, y }: { x: number; y: number }) => ({ lat: y.toFixed(6), lon: x.toFixed(6) });
