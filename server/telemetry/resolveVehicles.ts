import { notFound } from '../http/apiError.ts';
import { sharesGroup, type Viewer } from '../http/viewer.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

export interface VehicleLookup {
  vehicles: Pick<Vehicles, 'find' | 'visible'>;
  groupExists: (groupId: string) => boolean;
}

/** As people order them: Van 2 comes before Van 10. */
const names = new Intl.Collator('en', { numeric: true });

/**
 * The vehicles that a call is about, by their names: one, a group's, or all that the viewer sees. Throws 404 for a
 * vehicle or a group that is not there or not the viewer's. Dealers name archived vehicles by their UUID.
 */
export function resolveVehicles(
  requested: { vehicle?: string | undefined; group_id?: string | undefined },
  viewer: Viewer,
  { vehicles, groupExists }: VehicleLookup,
): VehicleRecord[] {
  const { vehicle, group_id } = requested;
  if (group_id !== undefined && !(groupExists(group_id) && sharesGroup(viewer, [group_id]))) {
    throw notFound('group');
  }
  const found = vehicle === undefined ? vehicles.visible(viewer) : [vehicles.find(vehicle, viewer)];
  return found
    .filter((it) => group_id === undefined || it.group_ids.includes(group_id))
    .toSorted((a, b) => names.compare(a.name, b.name) || (a.vehicle_id < b.vehicle_id ? -1 : 1));
}
