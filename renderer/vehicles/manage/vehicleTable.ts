import { createTextSearch, searchWords } from '../../../server/contract/searchText.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
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
}

const findsVehicle = createTextSearch<Vehicle>((it) => [
  ...[it.name, it.plate, it.terminal_id, it.driver, it.current_driver?.name],
]);

/** Vehicles of which every word of the text stands in the name, plate, terminal ID or driver. */
export function wanted(
  vehicles: readonly Vehicle[],
  { text, status, groupId }: TableFilter,
  statuses: ReadonlyMap<string, ShownStatus>,
): Vehicle[] {
  const words = searchWords(text);
  return vehicles.filter(
    (it) =>
      (groupId === null || it.group_ids.includes(groupId)) &&
      (status === null || (statuses.get(it.vehicle_id) ?? 'never') === status) &&
      findsVehicle(it, words),
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
