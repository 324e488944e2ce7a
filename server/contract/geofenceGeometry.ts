import { z } from 'zod';
import type { CustomParams } from './fieldFaults.ts';

/** What a geofence, and a file of geofences, may hold at most; each is counted before anything costly is done. */
export const geofenceLimits = {
  /** Corners of one geofence in all its rings, or points of its line: beyond, no operator drew it. */
  corners: 20_000,
  /** Rings of a polygon. */
  rings: 1_000,
  /** Polygons of one geofence. */
  polygons: 1_000,
  /** How often the rings of one polygon go over the antimeridian: each two make a polygon of their own. */
  crossings: 1_000,
  /** Shapes of one file. */
  shapes: 5_000,
  /** Corners of all shapes of one file. */
  fileCorners: 250_000,
  /** Levels of a GeometryCollection in others, of JSON, and of XML elements. */
  nesting: 64,
  /** Elements of a KML file: some 80 for each shape. */
  elements: 400_000,
  /** Attributes of one element. */
  attributes: 64,
} as const;

export type GeofencePoint = [lon: number, lat: number];
type Ring = GeofencePoint[];

export type GeofenceGeometry =
  | { type: 'Point'; coordinates: GeofencePoint }
  | { type: 'LineString'; coordinates: GeofencePoint[] }
  | { type: 'Polygon'; coordinates: Ring[] }
  | { type: 'MultiPolygon'; coordinates: Ring[][] };

interface Fault {
  path: (string | number)[];
  message: string;
  params?: CustomParams;
}

const limit = (least: number, most: number) => ({ type: 'array', minItems: least, maxItems: most }) as const;
const position = {
  type: 'array',
  prefixItems: [
    { type: 'number', minimum: -180, maximum: 180 },
    { type: 'number', minimum: -90, maximum: 90 },
  ],
  minItems: 2,
  items: { type: 'number' },
} as const;
const ring = { ...limit(4, geofenceLimits.corners), items: position };
const jsonOf = (type: GeofenceGeometry['type'], coordinates: object) => ({
  type: 'object' as const,
  properties: { type: { type: 'string' as const, const: type }, coordinates },
  required: ['type', 'coordinates'],
  additionalProperties: false,
});

/**
 * A geometry of GeoJSON (longitude first; a third number, the height, is taken off). Read in one pass that ends at the
 * first fault: a schema of arrays in arrays takes some 5 µs for each corner, and as much again for each fault.
 */
export const geometry = z
  .any()
  .check(({ value, issues }) => {
    const fault = geometryError(value);
    if (fault !== null) issues.push({ code: 'custom', input: value, ...fault });
  })
  .overwrite((value) => withoutHeights(value as GeofenceGeometry))
  .meta({
    id: 'FenceGeometry',
    description: `At most ${geofenceLimits.corners} corners in all.`,
    oneOf: [
      jsonOf('Point', position),
      jsonOf('LineString', { ...limit(2, geofenceLimits.corners), items: position }),
      jsonOf('Polygon', { ...limit(1, geofenceLimits.rings), items: ring }),
      jsonOf('MultiPolygon', {
        ...limit(1, geofenceLimits.polygons),
        items: { type: 'array', minItems: 1, items: ring },
      }),
    ],
  }) as unknown as z.ZodType<GeofenceGeometry, GeofenceGeometry>;

/** Linear in what is given, whatever that is; of arrays the lengths are looked at before their items. */
function geometryError(value: unknown): Fault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], message: 'is not a geometry of GeoJSON' };
  }
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  const other = Object.keys(value).find((key) => key !== 'type' && key !== 'coordinates');
  const path = ['coordinates'];
  let fault: Fault | null;
  switch (type) {
    case 'Point':
      fault = pointError(coordinates, path);
      break;
    case 'LineString':
      fault =
        sizeError(coordinates, 2, Infinity, path) ??
        cornersError([coordinates as unknown[]]) ??
        pointsError(coordinates as unknown[], path);
      break;
    case 'Polygon':
      fault = sizeError(coordinates, 1, geofenceLimits.rings, path) ?? ringsError([coordinates]);
      break;
    case 'MultiPolygon':
      fault =
        sizeError(coordinates, 1, geofenceLimits.polygons, path) ??
        ringsError(coordinates as unknown[], path);
      break;
    default:
      return { path: ['type'], message: 'is not Point, LineString, Polygon or MultiPolygon' };
  }
  return fault ?? (other === undefined ? null : { path: [other], message: 'is not known here' });
}

/** @param path of the list of polygons; left out, there is one, which stands at `coordinates` itself */
function ringsError(polygons: readonly unknown[], path?: readonly (string | number)[]): Fault | null {
  const pathOf = (at: number) => (path === undefined ? ['coordinates'] : [...path, at]);
  const rings: unknown[][] = [];
  for (const [at, polygon] of polygons.entries()) {
    const fault = sizeError(polygon, 1, Infinity, pathOf(at));
    if (fault !== null) return fault;
    for (const [place, points] of (polygon as unknown[]).entries()) {
      const fault = sizeError(points, 4, Infinity, [...pathOf(at), place]);
      if (fault !== null) return fault;
      rings.push(points as unknown[]);
    }
  }
  const many = cornersError(rings);
  if (many !== null) return many;
  for (const [at, polygon] of polygons.entries()) {
    for (const [place, points] of (polygon as unknown[][]).entries()) {
      const fault = pointsError(points, [...pathOf(at), place]);
      if (fault !== null) return fault;
    }
  }
  return null;
}

function cornersError(rings: readonly (readonly unknown[])[]): Fault | null {
  const corners = rings.reduce((sum, points) => sum + points.length, 0);
  return corners <= geofenceLimits.corners
    ? null
    : {
        path: ['coordinates'],
        message: `has ${corners} corners, at most ${geofenceLimits.corners} are taken`,
        params: {
          causes: [{ code: 'geofence.too_many_corners', values: { corners, most: geofenceLimits.corners } }],
        },
      };
}

function sizeError(list: unknown, least: number, most: number, path: Fault['path']): Fault | null {
  if (!Array.isArray(list)) return { path, message: 'is not a list' };
  if (list.length < least) return { path, message: `has ${list.length} items, at least ${least} are needed` };
  return list.length <= most
    ? null
    : { path, message: `has ${list.length} items, at most ${most} are taken` };
}

function pointsError(points: readonly unknown[], path: Fault['path']): Fault | null {
  for (let at = 0; at < points.length; at += 1) {
    const point = points[at];
    if (!isPoint(point)) return pointError(point, [...path, at]);
  }
  return null;
}

function isPoint(point: unknown): boolean {
  if (!Array.isArray(point) || point.length < 2) return false;
  const [lon, lat] = point as unknown[];
  return isWithin(lon, 180) && isWithin(lat, 90) && (point.length === 2 || point.every(Number.isFinite));
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= -most && value <= most;
}

function pointError(point: unknown, path: Fault['path']): Fault | null {
  if (isPoint(point)) return null;
  if (!Array.isArray(point) || point.length < 2) {
    return { path, message: 'is not a longitude and a latitude' };
  }
  const [lon, lat] = point as unknown[];
  if (!isWithin(lon, 180)) return { path: [...path, 0], message: 'is not a longitude from -180 to 180' };
  if (!isWithin(lat, 90)) return { path: [...path, 1], message: 'is not a latitude from -90 to 90' };
  return { path, message: 'holds what is not a number' };
}

function hasHeight(point: readonly number[]): boolean {
  return point.length > 2;
}

/** The same lists where there are none. */
function withoutHeights(value: GeofenceGeometry): GeofenceGeometry {
  const flat = <T>(list: T[], each: (item: T) => T): T[] => {
    const next = list.map(each);
    return next.every((it, at) => it === list[at]) ? list : next;
  };
  const point = (it: GeofencePoint): GeofencePoint => (hasHeight(it) ? [it[0], it[1]] : it);
  const ringOf = (it: Ring): Ring => flat(it, point);
  const polygon = (it: Ring[]): Ring[] => flat(it, ringOf);
  switch (value.type) {
    case 'Point':
      return { ...value, coordinates: point(value.coordinates) };
    case 'LineString':
      return { ...value, coordinates: ringOf(value.coordinates) };
    case 'Polygon':
      return { ...value, coordinates: polygon(value.coordinates) };
    case 'MultiPolygon':
      return { ...value, coordinates: flat(value.coordinates, polygon) };
  }
}
