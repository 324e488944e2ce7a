import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createAssignments, type Assignments } from '../drivers/assignments.ts';
import { loadCurrentDrivers, type CurrentDrivers } from '../drivers/currentDrivers.ts';
import { createDriveHistory, type DriveHistory } from '../drivers/driveHistory.ts';
import { createDrivers, type Drivers } from '../drivers/drivers.ts';
import { createGeofences, type Geofences } from '../geofences/geofences.ts';
import type { GeofenceWork } from '../geofences/geofenceWork.ts';
import { createGroups, type Groups } from '../groups/groups.ts';
import { createRecipients, type Recipients } from '../notifications/channels/recipients.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { IsOwnAddress } from '../notifications/ruleChannels.ts';
import { createRules, type Rules } from '../notifications/rules.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import type { UnknownTerminals } from '../telemetry/unknownTerminals.ts';
import { createSight, type Sight } from '../notifications/sight.ts';
import { loadLiveFleet, type LiveFleet } from '../telemetry/liveFleet.ts';
import { keptPosition } from '../telemetry/presentPosition.ts';
import { overdueSince } from '../telemetry/overdue.ts';
import { vehicleStatus } from '../telemetry/vehicleState.ts';
import { createUsers, type Users, type UsersDeps } from '../users/users.ts';
import { endShares } from '../shares/shares.ts';
import type { NowOf } from '../vehicles/vehicleRecord.ts';
import { createVehicles, type Vehicles } from '../vehicles/vehicles.ts';
import type { Stores } from './openStores.ts';

/** Users, what they watch over, and their rules. */
export interface Repositories {
  groups: Groups;
  users: Users;
  vehicles: Vehicles;
  drivers: Drivers;
  assignments: Assignments;
  drives: DriveHistory;
  currentDrivers: CurrentDrivers;
  fleet: LiveFleet;
  nowOf: NowOf;
  geofences: Geofences;
  rules: Rules;
  sight: Sight;
  recipients: Recipients;
}

export async function openRepositories(deps: {
  stores: Stores;
  settings: () => SettingsFields;
  isOwnAddress: IsOwnAddress;
  geofenceWork: Pick<GeofenceWork, 'faultsOf'>;
  listeningSince: () => number;
  clock: Clock;
  log: Logger;
  hash: UsersDeps['hash'];
  sessions: Pick<Sessions, 'endAll'>;
  endSnoozes: Snoozes['gone'];
  archiveIncidents: Incidents['archive'];
  terminalsGiven: UnknownTerminals['forget'];
  between: Pipeline['runExclusive'];
}): Promise<Repositories> {
  const {
    stores,
    settings,
    isOwnAddress,
    geofenceWork,
    listeningSince,
    clock,
    log,
    hash,
    sessions,
    endSnoozes,
    archiveIncidents,
    terminalsGiven,
    between,
  } = deps;
  const { collections } = stores;

  const groups = createGroups(collections.groups);
  const groupExists = (id: string) => groups.exists(id);
  const users = createUsers({
    collection: collections.users,
    groupExists,
    makeGroup: (name) => groups.addFor(name),
    leaving({ user_id, login }) {
      rules.ownerGone(user_id, login);
      endShares(collections.shares, (it) => it.user_id === user_id);
    },
    endSessions: (userId, act) => sessions.endAll(userId, act),
    hash,
  });
  const vehicles = createVehicles({
    collection: collections.vehicles,
    groupExists,
    leaving(ids, act, isDeleted) {
      for (const id of ids) archiveIncidents(id, act, isDeleted);
      rules.vehiclesGone(ids);
      assignments.end((it) => ids.has(it.vehicle_id));
      endSnoozes((it) => it.vehicle_id !== null && ids.has(it.vehicle_id), act);
      endShares(collections.shares, (it) => ids.has(it.vehicle_id));
    },
    openIncidents: async (ids) => new Map(await stores.telemetry.openIncidentCounts(ids)),
    purging(vehicle_id) {
      assignments.forget((it) => it.vehicle_id === vehicle_id);
      endShares(collections.shares, (it) => it.vehicle_id === vehicle_id);
    },
    terminalsGiven,
    between,
    clock,
  });
  const drivers = createDrivers({
    collection: collections.drivers,
    groupExists,
    leaving: (driver_id) => assignments.end((it) => it.driver_id === driver_id),
    purging: (driver_id) => assignments.forget((it) => it.driver_id === driver_id),
    clock,
  });
  const assignments = createAssignments({ collection: collections.assignments, drivers, vehicles, clock });
  const ofDrivers = { store: stores.telemetry, drivers, assignments, clock, log };
  const drives = createDriveHistory(ofDrivers);
  const currentDrivers = await loadCurrentDrivers({ ...ofDrivers, drives });
  const fleet = loadLiveFleet(await stores.telemetry.vehicleStates());
  const nowOf: NowOf = (vehicle) => {
    const state = fleet.state(vehicle.vehicle_id);
    const now_ms = clock.now();
    const listening = { started_ms: listeningSince(), settings: settings() };
    return {
      status: vehicleStatus(state, settings(), now_ms),
      overdue: overdueSince(state, now_ms, listening) !== null,
      position: state.newest === null ? null : keptPosition(state.newest, vehicle.terminal_id),
      current_driver: currentDrivers.of(vehicle.vehicle_id),
    };
  };
  const geofences = createGeofences({
    collection: collections.geofences,
    groupExists,
    faultsOf: geofenceWork.faultsOf,
    usedBy: (id) => rules.naming(id),
    clock,
    onNotMonitored: ({ geozone_id, name }, reason) =>
      log.warn({ geozone_id, name, reason }, 'geofence is not monitored'),
  });
  const recipients = createRecipients({
    collection: collections.recipients,
    users: () => users.all(),
    clock,
  });
  const rules = createRules({
    collection: collections.rules,
    userOf: (id) => users.get(id),
    groupExists,
    vehicles,
    geofences,
    isOwnAddress,
    recipients,
    settings,
    leaving: ({ rule_id }, act) => endSnoozes((it) => it.rule_id === rule_id, act),
  });
  const sight = createSight({ geofences, rules });
  return {
    groups,
    users,
    vehicles,
    drivers,
    assignments,
    drives,
    currentDrivers,
    fleet,
    nowOf,
    geofences,
    rules,
    sight,
    recipients,
  };
}
