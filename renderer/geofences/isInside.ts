import type { Geofence } from '../../server/contract/geofences.ts';
import { distanceM, distanceToSegmentM } from '../map/geodesy.ts';

type Fence = Pick<Geofence, 'geometry' | 'radius_m' | 'width_m'>;

/**
 * Whether a place lies in a geofence, for telling where a vehicle is. Alarms are the server's: it keeps to the
 * hysteresis, this does not.
 */
export function isInside({ geometry, radius_m, width_m }: Fence, lat: number, lon: number): boolean {
  switch (geometry.type) {
    case 'Point': {
      const [geofenceLon, geofenceLat] = geometry.coordinates;
      return distanceM({ lat, lon }, { lat: geofenceLat, lon: geofenceLon }) <= (radius_m ?? 0);
    }
    case 'LineString':
      return distanceToLineM(geometry.coordinates, lat, lon) <= (width_m ?? 0) / 2;
    case 'Polygon':
      return isInRings(geometry.coordinates, lat, lon);
    case 'MultiPolygon':
      return geometry.coordinates.some((rings) => isInRings(rings, lat, lon));
  }
}

/** Even-odd over all rings, so that holes are outside. */
function isInRings(rings: readonly (readonly number[][])[], lat: number, lon: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [lonA = 0, latA = 0] = ring[i] ?? [];
      const [lonB = 0, latB = 0] = ring[j] ?? [];
      if (latA > lat !== latB > lat && lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA)
        inside = !inside;
    }
  }
  return inside;
}

function distanceToLineM(line: readonly number[][], lat: number, lon: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < line.length; i++) {
    const [lonA = 0, latA = 0] = line[i - 1] ?? [];
    const [lonB = 0, latB = 0] = line[i] ?? [];
    nearest = Math.min(nearest, distanceToSegmentM({ lat, lon }, { lonA, latA, lonB, latB }));
  }
  return nearest;
}
