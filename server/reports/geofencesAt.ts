import type { Geofence } from '../contract/geofences.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import { createGeofenceIndex, type IndexedGeofence } from '../geofences/geofenceIndex.ts';
import type { ReportVehicle } from './reportOrder.ts';

/** Whether a geofence holds for a vehicle. */
export function holdsFor(vehicle: ReportVehicle): (geofence: IndexedGeofence) => boolean {
  return ({ geofence }) =>
    geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

export type GeofencesAt = (place: LatLon, vehicle: ReportVehicle) => string[];

/** The ids of the geofences that hold for a vehicle and that a place lies in, by their names; schedules do not count. */
export function createGeofencesAt(geofences: readonly Geofence[]): GeofencesAt {
  const index = createGeofenceIndex(geofences.map((geofence) => ({ geofence, known_from_ms: 0 })));
  return (place, vehicle) => {
    const near: IndexedGeofence[] = [];
    index.near(place, place, collect, near);
    return near
      .filter(holdsFor(vehicle))
      .filter(({ shape }) => shape.isInside(place))
      .map(({ geofence }) => geofence)
      .sort((a, b) => a.name.localeCompare(b.name) || (a.geozone_id < b.geozone_id ? -1 : 1))
      .map(({ geozone_id }) => geozone_id);
  };
}

function collect(geofence: IndexedGeofence, found: IndexedGeofence[]): void {
  found.push(geofence);
}
