import type { Event } from '../contract/events.ts';
import type { Notification } from '../contract/notifications.ts';
import type { Task } from '../contract/video.ts';
import {
  presentAssignment,
  presentDriver,
  type AssignmentRecord,
  type DriverRecord,
} from '../drivers/driverRecord.ts';
import type { Assignments } from '../drivers/assignments.ts';
import type { Drivers } from '../drivers/drivers.ts';
import { geofenceOf, presentGeofence, type GeofenceRecord } from '../geofences/geofenceRecord.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { GroupRecord, Groups } from '../groups/groups.ts';
import type { IncidentSight } from '../incidents/presentIncident.ts';
import { isDealer, sharesGroup, withOwnGroups, type Viewer } from '../http/viewer.ts';
import { eventOf, notificationOf } from '../notifications/presentNotification.ts';
import type { EscalationViews } from '../notifications/presentEscalation.ts';
import { presentRule, type RuleRecord } from '../notifications/ruleRecord.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Sight } from '../notifications/sight.ts';
import { presentSnooze, type Snoozes } from '../notifications/snoozes.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Shifts } from '../shifts/shifts.ts';
import type {
  ChangeRow,
  ChangeTopic,
  EventRow,
  NotificationRow,
  SnoozeRow,
  TaskRow,
  TerminalCommandRow,
} from '../store/telemetry/rows.ts';
import type { IncidentRow } from '../store/telemetry/incidentRows.ts';
import type { Store } from '../store/operations.ts';
import type { Lookup, VisibleResource } from '../stream/streamItems.ts';
import { presentCommand } from '../telemetry/terminalCommands/terminalCommandRoutes.ts';
import { presentUser, type UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import { presentVehicle, type NowOf, type VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { ProfileRecord } from '../video/profileRecord.ts';
import type { Profiles } from '../video/profiles.ts';

export interface VisibleResources {
  vehicle(record: VehicleRecord): VisibleResource;
  geofence(record: GeofenceRecord): VisibleResource;
  rule(record: RuleRecord): VisibleResource;
  snooze(row: SnoozeRow): VisibleResource;
  task(row: TaskRow): VisibleResource;
  /** What is of a vehicle, for those who still see that as it was. */
  silent(vehicleId: string): VisibleResource;
  /** Finds what a write changed among the rows that it wrote. */
  among(rows: {
    events?: readonly EventRow[];
    notifications?: readonly NotificationRow[];
    tasks?: readonly TaskRow[];
    snoozes?: readonly SnoozeRow[];
    commands?: readonly TerminalCommandRow[];
    incidents?: readonly IncidentRow[] | undefined;
  }): (change: ChangeRow) => VisibleResource | undefined;
  /** Finds what people administer. */
  administered: (change: ChangeRow) => VisibleResource | undefined;
  lookups: Record<ChangeTopic, Lookup>;
}

/** The resources of the stream as REST shows them, each with who may see it. */
export function createVisibleResources(deps: {
  vehicles: Vehicles;
  drivers: Drivers;
  assignments: Assignments;
  geofences: Geofences;
  rules: Rules;
  sight: Sight;
  snoozes: Snoozes;
  escalationViews: Pick<EscalationViews, 'of'>;
  groups: Pick<Groups, 'get'>;
  shifts: Pick<Shifts, 'get' | 'sees'>;
  users: Pick<Users, 'get'>;
  profiles: () => Pick<Profiles, 'get' | 'present'>;
  settings: Pick<SettingsStore, 'present'>;
  nowOf: NowOf;
  presentTask: (row: TaskRow) => Task;
  incidentSight: IncidentSight;
  store: Pick<Store, 'events' | 'notificationsById' | 'tasksById' | 'terminalCommandsById' | 'incidentsById'>;
}): VisibleResources {
  const { vehicles, drivers, assignments, geofences, rules, sight, snoozes, escalationViews, store } = deps;
  const ofVehicle = (vehicleId: string | null) => (viewer: Viewer) => vehicles.sees(viewer, vehicleId);

  /** Of a vehicle, and naming what not all who see the vehicle may see. */
  const naming = (resource: Event | Notification | Task): VisibleResource => ({
    resource,
    sees: ofVehicle(resource.vehicle_id),
    asSeenBy: (viewer) => sight.of(resource, viewer),
  });
  const event = (row: EventRow): VisibleResource => naming(eventOf(row));
  const notification = (row: NotificationRow): VisibleResource => {
    const shown = (viewer: Viewer | null) =>
      notificationOf(row, snoozes.snoozedUntil(row), escalationViews.of(row, viewer));
    const resource = shown(null);
    const named = { ...naming(resource), isQuiet: row.quiet };
    if (resource.escalation === null) return named;
    return { ...named, asSeenBy: (viewer) => sight.of(shown(viewer), viewer) };
  };
  const task = (row: TaskRow): VisibleResource => naming(deps.presentTask(row));
  const vehicle = (record: VehicleRecord): VisibleResource => ({
    resource: presentVehicle(record, deps.nowOf(record)),
    asSeenBy: (viewer) => presentVehicle(withOwnGroups(record, viewer), deps.nowOf(record)),
    // An archived one is gone from the lists of all.
    sees: (viewer) => record.archived_at === null && vehicles.sees(viewer, record.vehicle_id),
  });
  const driver = (record: DriverRecord): VisibleResource => ({
    resource: presentDriver(record),
    asSeenBy: (viewer) => presentDriver(withOwnGroups(record, viewer)),
    // An archived one is gone from the lists of all.
    sees: (viewer) => record.archived_at === null && drivers.sees(viewer, record),
  });
  const assignment = (record: AssignmentRecord): VisibleResource => ({
    resource: presentAssignment(record),
    sees: (viewer) => assignments.sees(viewer, record),
  });
  const geofence = (record: GeofenceRecord): VisibleResource => ({
    resource: { ...geofenceOf(record), not_monitored: geofences.notMonitored(record.geozone_id) },
    asSeenBy: (viewer) => presentGeofence(record, viewer, geofences),
    sees: (viewer) => isDealer(viewer) || geofences.sees(viewer, record.geozone_id),
  });
  const rule = (record: RuleRecord): VisibleResource => ({
    resource: presentRule(record),
    sees: (viewer) => rules.sees(viewer, record),
    asSeenBy: (viewer) => rules.shownTo(viewer, presentRule(record)),
  });
  const snooze = (row: SnoozeRow): VisibleResource => ({
    resource: presentSnooze(row),
    sees: (viewer) => snoozes.sees(viewer, row),
  });
  const group = (record: GroupRecord): VisibleResource => ({
    resource: record,
    sees: (viewer) => sharesGroup(viewer, [record.group_id]),
  });
  const user = (record: UserRecord): VisibleResource => ({
    resource: presentUser(record),
    // A token may do less than its owner, who is shown whole here.
    sees: (viewer) =>
      isDealer(viewer) || (viewer.user.user_id === record.user_id && viewer.token === undefined),
  });
  const profile = (record: ProfileRecord): VisibleResource => ({
    resource: deps.profiles().present(record),
    // That of an archived vehicle is in no list.
    sees: (viewer) =>
      vehicles.get(record.vehicle_id)?.archived_at === null && vehicles.sees(viewer, record.vehicle_id),
  });
  const command = (row: TerminalCommandRow): VisibleResource => ({
    resource: presentCommand(row),
    sees: ofVehicle(row.vehicle_id),
  });

  const { incidentSight } = deps;
  const incident = (row: IncidentRow): VisibleResource => {
    const resource = incidentSight.whole(row);
    return {
      resource,
      sees: (viewer) => incidentSight.sees(viewer, row),
      asSeenBy: (viewer) => incidentSight.seenBy(row, viewer, resource),
    };
  };

  const lookups: VisibleResources['lookups'] = {
    event: async (ids) =>
      byKey(await store.events({ limit: ids.length, event_ids: [...ids] }), (row) => [
        row.event_id,
        event(row),
      ]),
    notification: async (ids) =>
      byKey(await store.notificationsById([...ids]), (row) => [row.notification_id, notification(row)]),
    incident: async (ids) =>
      byKey(await store.incidentsById([...ids]), (row) => [row.incident_id, incident(row)]),
    task: async (ids) => byKey(await store.tasksById([...ids]), (row) => [row.task_id, task(row)]),
    vehicle: (ids) => byKey(ids, (id) => entry(id, vehicles.get(id), vehicle)),
    driver: (ids) => byKey(ids, (id) => entry(id, drivers.get(id), driver)),
    assignment: (ids) => byKey(ids, (id) => entry(id, assignments.get(id), assignment)),
    geofence: (ids) => byKey(ids, (id) => entry(id, geofences.get(id), geofence)),
    rule: (ids) => byKey(ids, (id) => entry(id, rules.get(id), rule)),
    snooze: (ids) =>
      byKey(ids, (id) =>
        entry(
          id,
          snoozes.all().find((it) => it.snooze_id === id),
          snooze,
        ),
      ),
    shift: (ids) =>
      byKey(ids, (id) =>
        entry(id, deps.shifts.get(id), (it) => ({
          resource: it,
          sees: (viewer) => deps.shifts.sees(viewer, it),
        })),
      ),
    command: async (ids) =>
      byKey(await store.terminalCommandsById([...ids]), (row) => [row.command_id, command(row)]),
    group: (ids) => byKey(ids, (id) => entry(id, deps.groups.get(id), group)),
    user: (ids) => byKey(ids, (id) => entry(id, deps.users.get(id), user)),
    profile: (ids) => byKey(ids, (id) => entry(id, deps.profiles().get(id), profile)),
    settings: (ids) =>
      byKey(ids, (id) =>
        // The channels are a part of them in the log alone; of the maps they bear the version.
        id === 'settings' || id === 'maps'
          ? [id, { resource: deps.settings.present(), sees: () => true }]
          : null,
      ),
  };

  return {
    vehicle,
    geofence,
    rule,
    snooze,
    task,
    silent: (vehicleId) => ({ resource: {}, sees: ofVehicle(vehicleId), isSilent: true }),
    administered({ topic, resource_id }) {
      const found = lookups[topic]([resource_id]);
      return found instanceof Map
        ? (found as ReadonlyMap<string, VisibleResource>).get(resource_id)
        : undefined;
    },
    among(rows) {
      const found = new Map<string, VisibleResource>([
        ...(rows.events ?? []).map((row): [string, VisibleResource] => [row.event_id, event(row)]),
        ...(rows.notifications ?? []).map((row): [string, VisibleResource] => [
          row.notification_id,
          notification(row),
        ]),
        ...(rows.tasks ?? []).map((row): [string, VisibleResource] => [row.task_id, task(row)]),
        ...(rows.snoozes ?? []).map((row): [string, VisibleResource] => [row.snooze_id, snooze(row)]),
        ...(rows.commands ?? []).map((row): [string, VisibleResource] => [row.command_id, command(row)]),
        ...(rows.incidents ?? []).map((row): [string, VisibleResource] => [row.incident_id, incident(row)]),
      ]);
      return (change) => found.get(change.resource_id);
    },
    lookups,
  };
}

function entry<T>(
  id: string,
  record: T | undefined,
  show: (record: T) => VisibleResource,
): [string, VisibleResource] | null {
  return record === undefined ? null : [id, show(record)];
}

function byKey<T>(
  rows: readonly T[],
  pair: (row: T) => [string, VisibleResource] | null,
): ReadonlyMap<string, VisibleResource> {
  return new Map(
    rows.flatMap((row) => {
      const found = pair(row);
      return found === null ? [] : [found];
    }),
  );
}
