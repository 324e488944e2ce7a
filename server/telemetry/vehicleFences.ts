import type { IndexedFence } from '../geofences/fenceIndex.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';

/** Whether a geofence holds for a vehicle: one without groups holds for all. */
export function holdsFor({ fence }: IndexedFence, vehicle: VehicleRecord): boolean {
  return fence.group_ids.length === 0 || fence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

/**
 * Whether a vehicle that was evaluated last by a fix received at `evaluated_ms` has never been held against this
 * geofence as it is now.
 */
export function isNewTo(fence: IndexedFence, vehicle: VehicleRecord, evaluated_ms: number): boolean {
  return (
    fence.known_from_ms > evaluated_ms ||
    (fence.fence.group_ids.length > 0 && Date.parse(vehicle.groups_changed_at) > evaluated_ms)
  );
}
