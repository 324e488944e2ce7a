import type { GeofenceGeometry } from '../../server/contract/geofenceGeometry.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { DrawnShape } from '../map/drawing/drawnShape.ts';
import type { MapGeofence } from '../map/geofences/geofenceShapes.ts';

/** A geofence as the map draws it. */
export function toMapGeofence(geofence: Geofence): MapGeofence {
  return {
    id: geofence.geozone_id,
    version: geofence.version,
    name: geofence.name,
    shape: geofence.shape,
    geometry: geofence.geometry,
    color: geofence.color,
    ...(geofence.radius_m === null ? {} : { radius_m: geofence.radius_m }),
    ...(geofence.width_m === null ? {} : { width_m: geofence.width_m }),
  };
}

/** A geofence as the hand edits it; null for one of several parts, which the hand cannot. */
export function toDrawnShape({
  geometry,
  radius_m,
  width_m,
}: Pick<Geofence, 'geometry' | 'radius_m' | 'width_m'>): DrawnShape | null {
  switch (geometry.type) {
    case 'Polygon':
      return { shape: 'polygon', geometry };
    case 'Point':
      return { shape: 'circle', geometry, radius_m: radius_m ?? 0 };
    case 'LineString':
      return { shape: 'line', geometry, width_m: width_m ?? 0 };
    case 'MultiPolygon':
      return null;
  }
}

/** What the hand drew, as the API takes it. */
export function drawnFields(drawn: DrawnShape): {
  shape: Geofence['shape'];
  geometry: GeofenceGeometry;
  radius_m: number | null;
  width_m: number | null;
} {
  const sizes = {
    shape: drawn.shape,
    radius_m: drawn.shape === 'circle' ? drawn.radius_m : null,
    width_m: drawn.shape === 'line' ? drawn.width_m : null,
  };
  switch (drawn.shape) {
    case 'polygon':
      return {
        ...sizes,
        geometry: { type: 'Polygon', coordinates: drawn.geometry.coordinates.map((ring) => ring.map(pair)) },
      };
    case 'circle':
      return { ...sizes, geometry: { type: 'Point', coordinates: pair(drawn.geometry.coordinates) } };
    case 'line':
      return {
        ...sizes,
        geometry: { type: 'LineString', coordinates: drawn.geometry.coordinates.map(pair) },
      };
  }
}

function pair([lon = 0, lat = 0]: readonly number[]): [number, number] {
  return [lon, lat];
}
