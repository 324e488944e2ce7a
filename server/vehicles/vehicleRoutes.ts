import { causeOf } from '../contract/causeTexts.ts';
import { createTextSearch, searchWords } from '../contract/searchText.ts';
import { vehicleRoutes } from '../contract/vehicles.ts';
import type { Api } from '../http/api.ts';
import { ApiError, forbidden, notFound } from '../http/apiError.ts';
import { paginateSorted } from '../http/pagination.ts';
import { readyPage } from '../http/serializedJson.ts';
import { isDealer, withOwnGroups, type Viewer } from '../http/viewer.ts';
import {
  presentVehicle,
  vehicleJson,
  type NowOf,
  type VehicleNow,
  type VehicleRecord,
} from './vehicleRecord.ts';
import { importVehicles, rowsOfCsv } from './vehicleImport.ts';
import { checkAllGroups, vehicleOrder, type Vehicles } from './vehicles.ts';

export interface VehicleRouteDeps {
  vehicles: Vehicles;
  nowOf: NowOf;
  /** Archives a vehicle and deletes all that is kept of it. */
  purgeVehicle: (vehicleId: string, ifMatch: number | null) => Promise<void>;
  /** How far a terminal's clock seems to be ahead, in seconds, when its vehicle is not set to that; else null. */
  clockSuggestion: (terminalId: string) => number | null;
}

const findsVehicle = createTextSearch<VehicleRecord>((it) => [
  ...[it.name, it.terminal_id, it.plate, it.driver, it.phone, it.vin],
]);
const findsDriver = createTextSearch<NonNullable<VehicleNow['current_driver']>>((it) => [it.name, it.phone]);

export function addVehicleRoutes(
  api: Api,
  { vehicles, nowOf, purgeVehicle, clockSuggestion }: VehicleRouteDeps,
): void {
  const present = (record: VehicleRecord, viewer: Viewer) =>
    presentVehicle(withOwnGroups(record, viewer), nowOf(record));

  /** Whether each word stands in what a vehicle is called by, or in who drives it now. */
  function finds(record: VehicleRecord, words: readonly string[]): boolean {
    const others = words.filter((word) => !findsVehicle(record, [word]));
    if (others.length === 0) return true;
    const { current_driver } = nowOf(record);
    return current_driver !== null && findsDriver(current_driver, others);
  }

  api.handle(vehicleRoutes.list, ({ query, viewer }) => {
    const { group_id } = query;
    const isArchived = query.archived === 'true';
    if (isArchived && !isDealer(viewer)) throw forbidden(causeOf('right.dealer'));
    if (group_id !== undefined && vehicles.groupError([group_id], viewer) !== null) throw notFound('group');
    const words = searchWords(query.q ?? '');
    const found = (isArchived ? vehicles.archived() : vehicles.visible(viewer)).filter(
      (it) =>
        (group_id === undefined || it.group_ids.includes(group_id)) &&
        finds(it, words) &&
        (query.status === undefined || nowOf(it).status === query.status),
    );
    const { items, next_cursor } = paginateSorted(found, vehicleOrder, query);
    return readyPage({
      items: items.map((it) => vehicleJson(withOwnGroups(it, viewer), nowOf(it))),
      next_cursor,
    });
  });

  api.handle(vehicleRoutes.import, async ({ body, text, query, viewer }) => {
    const { mapping } = query;
    if (text === null && mapping !== undefined) {
      throw new ApiError('validation_failed', 'mapping: belongs to CSV; the rows of JSON name their fields', {
        faults: [{ path: 'mapping', message: 'belongs to CSV' }],
      });
    }
    const rows =
      text === null ? body : await rowsOfCsv(text, mapping === undefined ? undefined : [mapping].flat());
    return importVehicles(vehicles, rows, viewer, query.dry_run === '1');
  });

  api.handle(vehicleRoutes.create, ({ body, viewer, once }) =>
    once<VehicleRecord[]>(
      (stored) => vehicles.add([body], viewer, stored),
      ([vehicle]) => {
        if (vehicle === undefined) throw new Error('the vehicle was not added');
        return { reply: present(vehicle, viewer), location: `/api/v1/vehicles/${vehicle.vehicle_id}` };
      },
    ),
  );

  api.handle(vehicleRoutes.get, ({ params, viewer }) =>
    present(vehicles.find(params.vehicle, viewer), viewer),
  );

  api.handle(vehicleRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    present(await vehicles.patch(params.vehicle, body, viewer, ifMatch), viewer),
  );

  api.handle(vehicleRoutes.changeGroups, ({ body: { action, group_id, vehicle_ids }, viewer }) =>
    vehicles.setGroupOfMany(vehicle_ids, group_id, action === 'add', viewer),
  );

  api.handle(vehicleRoutes.archiveMany, ({ body, viewer }) => vehicles.archiveMany(body.vehicle_ids, viewer));

  api.handle(vehicleRoutes.restoreMany, ({ body, viewer }) => vehicles.restoreMany(body.vehicle_ids, viewer));

  api.handle(vehicleRoutes.clock, ({ params, viewer }) => {
    const { terminal_id, clock_offset_s, archived_at } = vehicles.find(params.vehicle, viewer);
    // The terminal of an archived one may be another vehicle's by now.
    const suggested_clock_offset_s = archived_at === null ? clockSuggestion(terminal_id) : null;
    return { clock_offset_s, suggested_clock_offset_s };
  });

  api.handle(vehicleRoutes.remove, async ({ params, query, viewer, ifMatch }) => {
    const vehicle = vehicles.find(params.vehicle, viewer);
    const isDeleted = query.purge === 'true';
    if (isDeleted && !isDealer(viewer)) {
      throw forbidden(causeOf('vehicle.purge_dealer'));
    }
    checkAllGroups(vehicle, viewer);
    await (isDeleted ? purgeVehicle : vehicles.archive)(vehicle.vehicle_id, ifMatch);
  });
}
