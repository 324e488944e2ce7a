import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { geofenceMeasures } from '../geofences/geofenceRecord.ts';
import { createGeofences, type Geofences } from '../geofences/geofences.ts';
import type { GeofenceWork } from '../geofences/geofenceWork.ts';
import { createGroups, groupMeasures, type Groups } from '../groups/groups.ts';
import { createQuotaCheck } from '../http/quotas.ts';
import { createRecipients, type Recipients } from '../notifications/channels/recipients.ts';
import type { IsOwnAddress } from '../notifications/ruleChannels.ts';
import { ruleMeasures } from '../notifications/ruleRecord.ts';
import { createRules, type Rules } from '../notifications/rules.ts';
import { createSight, type Sight } from '../notifications/sight.ts';
import { createCollection } from '../store/documents/collection.ts';
import { loadLiveFleet, type LiveFleet } from '../telemetry/liveFleet.ts';
import { keptPosition } from '../telemetry/presentPosition.ts';
import { vehicleStatus } from '../telemetry/vehicleStatus.ts';
import { userMeasures } from '../users/userRecord.ts';
import { createUsers, type Users, type UsersDeps } from '../users/users.ts';
import { vehicleMeasures, type NowOf } from '../vehicles/vehicleRecord.ts';
import { createVehicles, type Vehicles } from '../vehicles/vehicles.ts';
import type { Stores } from './openStores.ts';

/** Users, what they watch over, and their rules. */
export interface Repositories {
  groups: Groups;
  users: Users;
  vehicles: Vehicles;
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
  clock: Clock;
  log: Logger;
  hash: UsersDeps['hash'];
}): Promise<Repositories> {
  const { stores, settings, isOwnAddress, geofenceWork, clock, log, hash } = deps;
  const { documents } = stores;
  const unheard = (error: unknown) =>
    log.error({ err: error }, 'dependent changes of a stored change failed');

  const groups = createGroups(
    createCollection(documents.groups, (it) => it.group_id, clock, unheard, createQuotaCheck(groupMeasures)),
  );
  const groupExists = (id: string) => groups.exists(id);
  const users = createUsers({
    collection: createCollection(
      documents.users,
      (it) => it.user_id,
      clock,
      unheard,
      createQuotaCheck(userMeasures),
    ),
    groupExists,
    makeGroup: (name) => groups.addFor(name),
    hash,
  });
  const vehicles = createVehicles({
    collection: createCollection(
      documents.vehicles,
      (it) => it.vehicle_id,
      clock,
      unheard,
      createQuotaCheck(vehicleMeasures),
    ),
    groupExists,
    clock,
  });
  const fleet = loadLiveFleet(await stores.telemetry.vehicleStates());
  const nowOf: NowOf = (vehicle) => {
    const state = fleet.state(vehicle.vehicle_id);
    return {
      status: vehicleStatus(state, settings(), clock.now()),
      position: state.newest === null ? null : keptPosition(state.newest, vehicle.terminal_id),
    };
  };
  const geofences = createGeofences({
    collection: createCollection(
      documents.geofences,
      (it) => it.geozone_id,
      clock,
      unheard,
      createQuotaCheck(geofenceMeasures),
    ),
    groupExists,
    faultsOf: geofenceWork.faultsOf,
    usedBy: (id) => rules.naming(id),
    clock,
    onNotMonitored: ({ geozone_id, name }, reason) =>
      log.warn({ geozone_id, name, reason }, 'geofence is not monitored'),
  });
  const recipients = createRecipients({ document: documents.channels, users: () => users.all(), clock });
  const rules = createRules({
    collection: createCollection(
      documents.rules,
      (it) => it.rule_id,
      clock,
      unheard,
      createQuotaCheck(ruleMeasures),
    ),
    userOf: (id) => users.get(id),
    groupExists,
    vehicles,
    geofences,
    isOwnAddress,
    recipients,
    settings,
  });
  const sight = createSight({ geofences, rules });
  const older = await recipients.enterOlder(rules.all());
  if (older > 0) {
    log.warn({ recipients: older }, 'recipients of rules need approval by a dealer');
  }
  return { groups, users, vehicles, fleet, nowOf, geofences, rules, sight, recipients };
}
