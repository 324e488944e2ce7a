import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { vehicleSearch } from '../../search/searches.ts';
import type { ShownStatus } from '../../telemetry/statusStore.ts';

/** A vehicle as a row of the table. */
export interface VehicleLine {
  vehicle: Vehicle;
  status: ShownStatus;
  /** Names of its groups that may be seen. */
  groups: string;
  /** When it was last heard of, milliseconds; null for never. */
  contactAt: number | null;
}

/** What the operator looks for. */
export interface TableFilter {
  text: string;
  status: ShownStatus | null;
  groupId: string | null;
  /** Archived vehicles in place of those in service; dealers alone see them. */
  archived?: boolean;
}

/** Those that the search finds by the text, of the status and the group. */
export function wanted(
  vehicles: readonly Vehicle[],
  { text, status, groupId }: TableFilter,
  statuses: ReadonlyMap<string, ShownStatus>,
): Vehicle[] {
  return vehicleSearch
    .filter(vehicles, text)
    .filter(
      (it) =>
        (groupId === null || it.group_ids.includes(groupId)) &&
        (status === null || (statuses.get(it.vehicle_id) ?? 'never') === status),
    );
}

/** How many of the vehicles are in each status. */
export function countsOf(
  vehicles: readonly Vehicle[],
  statuses: ReadonlyMap<string, ShownStatus>,
): Record<ShownStatus, number> {
  const counts = { moving: 0, idle: 0, stopped: 0, overdue: 0, offline: 0, never: 0 };
  for (const { vehicle_id } of vehicles) counts[statuses.get(vehicle_id) ?? 'never'] += 1;
  return counts;
}
