import { causeOf } from '../contract/causeTexts.ts';
import { assignmentRoutes, driveRoutes, driverRoutes, type Drive } from '../contract/drivers.ts';
import { createTextSearch, searchWords } from '../contract/searchText.ts';
import type { Api } from '../http/api.ts';
import { forbidden, notFound } from '../http/apiError.ts';
import { paginate } from '../http/pagination.ts';
import { isDealer, sharesGroup, withOwnGroups, type Viewer } from '../http/viewer.ts';
import { createLines } from '../http/lines.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Assignments } from './assignments.ts';
import {
  presentAssignment,
  presentDriver,
  type AssignmentRecord,
  type DriverRecord,
} from './driverRecord.ts';
import type { Drive as FoundDrive, DriveHistory } from './driveHistory.ts';
import { driverOrder, type Drivers } from './drivers.ts';

export interface DriverRouteDeps {
  drivers: Drivers;
  assignments: Assignments;
  drives: DriveHistory;
  vehicles: Pick<Vehicles, 'find' | 'get' | 'sees'>;
  groups: { exists(groupId: string): boolean };
}

const findsDriver = createTextSearch<DriverRecord>((it) => [
  ...[it.name, it.phone, it.licence_number, it.external_id],
  ...it.cards.map((card) => card.number),
]);

/** In the order in which they began; the newest first. */
const assignmentOrder = ({ from, assignment_id }: AssignmentRecord) =>
  [String(8.64e15 - Date.parse(from)).padStart(17, '0'), assignment_id] as const;

export function addDriverRoutes(
  api: Api,
  { drivers, assignments, drives, vehicles, groups }: DriverRouteDeps,
): void {
  api.handle(driverRoutes.list, ({ query, viewer }) => {
    const { group_id } = query;
    if (group_id !== undefined && !(groups.exists(group_id) && sharesGroup(viewer, [group_id])))
      throw notFound('group');
    const words = searchWords(query.q ?? '');
    const found = drivers
      .visible(viewer)
      .filter((it) => (group_id === undefined || it.group_ids.includes(group_id)) && findsDriver(it, words));
    const { items, next_cursor } = paginate(found, driverOrder, query);
    return { items: items.map((it) => presentDriver(withOwnGroups(it, viewer))), next_cursor };
  });

  api.handle(driverRoutes.create, ({ body, viewer, once }) =>
    once<DriverRecord[]>(
      (stored) => drivers.add(body, viewer, stored),
      ([driver]) => {
        if (driver === undefined) throw new Error('the driver was not added');
        return {
          reply: presentDriver(withOwnGroups(driver, viewer)),
          location: `/api/v1/drivers/${driver.driver_id}`,
        };
      },
    ),
  );

  api.handle(driverRoutes.get, ({ params, viewer }) =>
    presentDriver(withOwnGroups(drivers.find(params.driver_id, viewer), viewer)),
  );

  api.handle(driverRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    presentDriver(withOwnGroups(await drivers.patch(params.driver_id, body, viewer, ifMatch), viewer)),
  );

  api.handle(driverRoutes.remove, async ({ params, query, viewer, ifMatch }) => {
    const { driver_id, group_ids } = drivers.find(params.driver_id, viewer);
    if (query.purge === 'true' && !isDealer(viewer)) throw forbidden(causeOf('driver.purge_dealer'));
    if (!group_ids.every((id) => sharesGroup(viewer, [id]))) throw forbidden(causeOf('driver.other_groups'));
    await drivers.archive(driver_id, ifMatch);
    if (query.purge === 'true') await drivers.purge(driver_id);
  });

  /** Of one user one at a time: a month of a vehicle is some 100,000 rows that may have to be looked through. */
  const perUser = createLines();
  const periodOf = ({ from, to }: { from: string; to: string }) => ({
    ...{ from_ms: Date.parse(from), to_ms: Date.parse(to) },
  });

  /** Who sees a vehicle sees who drives it, by name; the record is for those who see the driver. */
  function presentDrive(found: FoundDrive, viewer: Viewer): Drive {
    const { vehicle_id, driver_id, card, assignment_id, from_ms, to_ms } = found;
    const driver = driver_id === null ? undefined : drivers.get(driver_id);
    const isSeen = driver !== undefined && drivers.sees(viewer, driver);
    return {
      vehicle_id,
      vehicle_name: vehicles.get(vehicle_id)?.name ?? '',
      driver_id: isSeen ? driver_id : null,
      driver_name: driver?.name ?? null,
      card,
      assignment_id: isSeen ? assignment_id : null,
      from: new Date(from_ms).toISOString(),
      to: to_ms === null ? null : new Date(to_ms).toISOString(),
    };
  }

  api.handle(driveRoutes.ofDriver, async ({ params, query, viewer }) => {
    const driver = drivers.find(params.driver_id, viewer);
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      const found = await drives.ofDriver(driver, periodOf(query), (id) => vehicles.sees(viewer, id));
      return { items: found.map((it) => presentDrive(it, viewer)) };
    } finally {
      leave();
    }
  });

  api.handle(driveRoutes.ofVehicle, async ({ params, query, viewer }) => {
    const { vehicle_id } = vehicles.find(params.vehicle, viewer);
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      const found = await drives.ofVehicles([vehicle_id], periodOf(query));
      return { items: found.map((it) => presentDrive(it, viewer)) };
    } finally {
      leave();
    }
  });

  api.handle(assignmentRoutes.list, ({ query, viewer }) => {
    const { driver_id, vehicle, from, to } = query;
    if (driver_id !== undefined) drivers.find(driver_id, viewer);
    const vehicle_id = vehicle === undefined ? undefined : vehicles.find(vehicle, viewer).vehicle_id;
    const some = vehicle_id === undefined ? assignments.all() : assignments.ofVehicle(vehicle_id);
    const found = some.filter(
      (it) =>
        (driver_id === undefined || it.driver_id === driver_id) &&
        (from === undefined || it.to === null || it.to > from) &&
        (to === undefined || it.from < to) &&
        assignments.sees(viewer, it),
    );
    const { items, next_cursor } = paginate(found, assignmentOrder, query);
    return { items: items.map(presentAssignment), next_cursor };
  });

  api.handle(assignmentRoutes.create, ({ body, viewer, once }) =>
    once<AssignmentRecord[]>(
      (stored) => assignments.add(body, viewer, stored),
      ([added]) => {
        if (added === undefined) throw new Error('the assignment was not added');
        return {
          reply: presentAssignment(added),
          location: `/api/v1/assignments/${added.assignment_id}`,
        };
      },
    ),
  );

  api.handle(assignmentRoutes.get, ({ params, viewer }) =>
    presentAssignment(assignments.find(params.assignment_id, viewer)),
  );

  api.handle(assignmentRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    presentAssignment(await assignments.patch(params.assignment_id, body, viewer, ifMatch)),
  );

  api.handle(assignmentRoutes.remove, ({ params, viewer, ifMatch }) =>
    assignments.remove(params.assignment_id, viewer, ifMatch),
  );
}
