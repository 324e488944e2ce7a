import type { IndexedGeofence } from '../geofences/geofenceIndex.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';

/** Whether a geofence holds for a vehicle: one without groups holds for all. */
export function appliesTo({ geofence }: IndexedGeofence, vehicle: VehicleRecord): boolean {
  return geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

/**
 * Whether a vehicle that was evaluated last by a fix received at `evaluated_ms` has never been held against this
 * geofence as it is now.
 */
export function isNewTo(geofence: IndexedGeofence, vehicle: VehicleRecord, evaluated_ms: number): boolean {
  return (
    geofence.known_from_ms > evaluated_ms ||
    (geofence.geofence.group_ids.length > 0 && Date.parse(vehicle.groups_changed_at) > evaluated_ms)
  );
}
