/** A shape of a file, in the words of GeoJSON and as far as it could be read; nothing of it has been checked. */
export interface FileFeature {
  geometry: FileGeometry | null;
  properties: Readonly<Record<string, unknown>>;
}

/** One part of a geometry: such as a geofence can be. */
export interface FileGeometry {
  type: 'Point' | 'LineString' | 'Polygon' | 'MultiPolygon';
  coordinates: unknown;
}

/** A file that is not what it should be, as a whole. */
export class FileFault extends Error {
  override name = 'FileFault';
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
