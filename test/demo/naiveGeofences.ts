import { distanceM, insidePolygon, nearestOnLine, type PlanePoint } from './planeGeometry.ts';
import type { Town } from './townModel.ts';
import { toPlane } from './townProjection.ts';

export interface NaiveGeofence {
  name: string;
  speedLimitKmh: number | null;
  holds(fix: { lat: number; lon: number }): boolean;
}

/** Point in fence by the shortest code there is, to hold the fleet's promises against. */
export function naiveGeofences(town: Town): NaiveGeofence[] {
  return town.geofences.map((geofence) => {
    const { geometry } = geofence;
    let holds: (point: PlanePoint) => boolean;
    if (geometry.type === 'Polygon') {
      const ring = (geometry.coordinates[0] ?? []).map(plane);
      holds = (point) => insidePolygon(point, ring);
    } else if (geometry.type === 'Point') {
      const centre = plane(geometry.coordinates);
      holds = (point) => distanceM(point, centre) <= (geofence.radius_m ?? 0);
    } else {
      const line = geometry.coordinates.map(plane);
      holds = (point) => nearestOnLine(point, line).distanceM <= (geofence.width_m ?? 0) / 2;
    }
    return {
      name: geofence.name,
      speedLimitKmh: geofence.speed_limit_kmh ?? null,
      holds: (fix) => holds(toPlane(fix)),
    };
  });
}

export function plane([lon = 0, lat = 0]: number[]): PlanePoint {
  return toPlane({ lat, lon });
}
