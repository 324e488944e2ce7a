import type { Geofence } from '../../server/contract/geofences.ts';
import { latLon, type LatLon } from '../map/geodesy.ts';
import { geofenceArea } from '../map/geofences/geofenceShapes.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';

/** Nearer than this a small yard fills the map, and nobody knows where it lies. */
const MAX_ZOOM = 17;

type Shaped = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** Moves the map so that it shows all of a geofence. */
export function frameGeofence(map: ConsoleMap, geofence: Shaped): void {
  map.camera.fitAll(borderOf(geofence), MAX_ZOOM);
}

/** The corners of what a geofence covers, in no order; none for one that cannot be drawn. */
export function borderOf({ shape, geometry, radius_m, width_m }: Shaped): LatLon[] {
  try {
    const area = geofenceArea({
      shape,
      geometry,
      ...(radius_m === null ? {} : { radius_m }),
      ...(width_m === null ? {} : { width_m }),
    });
    const rings =
      area.type === 'Polygon'
        ? area.coordinates
        : area.type === 'MultiPolygon'
          ? area.coordinates.flat()
          : [];
    return rings.flat().map(latLon);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}
