import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { apiTokenMeasures, apiTokenRecord } from '../auth/apiTokens.ts';
import {
  assignmentMeasures,
  assignmentRecord,
  driverMeasures,
  driverRecord,
} from '../drivers/driverRecord.ts';
import { geofenceMeasures, geofenceRecord } from '../geofences/geofenceRecord.ts';
import { groupMeasures, groupRecord } from '../groups/groups.ts';
import { createQuotaCheck, type Measure } from '../http/quotas.ts';
import { recipientRecord } from '../notifications/channels/recipients.ts';
import { ruleMeasures, ruleRecord } from '../notifications/ruleRecord.ts';
import { scheduleMeasures, scheduleRecord } from '../reports/schedules/scheduleRecord.ts';
import { shiftRecord } from '../shifts/shiftRecord.ts';
import { createActs } from '../store/acts.ts';
import { currentCaller } from '../store/caller.ts';
import * as definitions from '../store/entities.ts';
import {
  createEntities,
  type Change,
  type Collection,
  type EntityDefinition,
  type Stamped,
} from '../store/entity.ts';
import type { Store } from '../store/operations.ts';
import type { LoggedChange } from '../store/telemetry/changesTable.ts';
import { everybody } from '../store/telemetry/changesTable.ts';
import { userAlone } from '../stream/streamItems.ts';
import { loginKey, userMeasures, userRecord } from '../users/userRecord.ts';
import { shareMeasures, shareRecord } from '../shares/shares.ts';
import { vehicleMeasures, vehicleRecord, type VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { profileMeasures, profileRecord } from '../video/profileRecord.ts';

/**
 * What people administer, as the database has it, and the acts that change it.
 *
 * @throws for a record that is not of its form; {StoreFailed}
 */
export async function openCollections(deps: {
  store: Pick<Store, 'act' | 'loadEntities' | 'lastSeq'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'error'>;
}) {
  const { store, clock, log } = deps;
  const acts = createActs({ store, clock, by: currentCaller });

  const followed: ((listener: () => void) => void)[] = [];

  function open<T extends Stamped>(
    definition: EntityDefinition<T>,
    measures: readonly Measure<T>[],
    visibleTo: (record: T) => string[],
    showsAlso?: (change: Change<T>) => LoggedChange[],
  ) {
    const collection = createEntities(definition, {
      acts,
      visibleTo,
      ...(showsAlso && { showsAlso }),
      checkGrowth: createQuotaCheck(measures),
      onListenerFault: (error) => log.error({ err: error }, 'dependent changes of a stored change failed'),
    });
    followed.push((listener) => void collection.onChange(listener));
    return collection;
  }

  const vehicles = open(
    definitions.vehicles(vehicleRecord),
    vehicleMeasures,
    (it) => it.group_ids,
    profileShownWith,
  );
  const profiles = open(
    definitions.profiles(profileRecord),
    profileMeasures,
    (it) => vehicles.get(it.vehicle_id)?.group_ids ?? [],
  );
  const profileOf = indexOf(profiles, (it) => it.vehicle_id);

  /** A profile is seen by those who see its vehicle, and bears its terminal ID. */
  function profileShownWith({ before, after }: Change<VehicleRecord>): LoggedChange[] {
    const profile = before === null ? undefined : profileOf(before.vehicle_id);
    if (before === null || profile === undefined || shownInProfile(before) === shownInProfile(after))
      return [];
    const { profile_id, version } = profile;
    return [{ topic: 'profile', resource_id: profile_id, visible_to: before.group_ids, version }];
  }

  const collections = {
    acts,
    vehicles,
    users: open(definitions.users(userRecord, loginKey), userMeasures, (it) => [userAlone(it.user_id)]),
    groups: open(definitions.groups(groupRecord), groupMeasures, (it) => [it.group_id]),
    drivers: open(definitions.drivers(driverRecord), driverMeasures, (it) => it.group_ids),
    assignments: open(
      definitions.assignments(assignmentRecord),
      assignmentMeasures,
      (it) => vehicles.get(it.vehicle_id)?.group_ids ?? [],
    ),
    geofences: open(definitions.geofences(geofenceRecord), geofenceMeasures, (it) =>
      it.group_ids.length === 0 ? [everybody] : it.group_ids,
    ),
    // A rule of the depot holds no secret; a user's own is for the user and dealers.
    rules: open(definitions.rules(ruleRecord), ruleMeasures, (it) => [
      it.owner_id === null ? everybody : userAlone(it.owner_id),
    ]),
    profiles,
    apiTokens: open(definitions.apiTokens(apiTokenRecord), apiTokenMeasures, (it) => [userAlone(it.user_id)]),
    shares: open(definitions.shares(shareRecord), shareMeasures, () => []),
    reportSchedules: open(definitions.reportSchedules(scheduleRecord), scheduleMeasures, () => []),
    // One that is removed is long past: its going is no message.
    shifts: open(definitions.shifts(shiftRecord), [], () => []),
    recipients: open(definitions.recipients(recipientRecord), [], () => []),
  };
  await acts.load();
  return {
    ...collections,
    /** Called after each commit. */
    onChange(listener: () => void) {
      for (const it of followed) it(listener);
    },
  };
}

function shownInProfile(vehicle: VehicleRecord | null): string {
  return JSON.stringify(vehicle && [vehicle.terminal_id, vehicle.archived_at, [...vehicle.group_ids].sort()]);
}

/** Finds one by a key as they are committed; worked out anew when they have changed. */
function indexOf<T extends Stamped>(
  collection: Pick<Collection<T>, 'committed'>,
  keyOf: (record: T) => string,
) {
  let from: readonly T[] = [];
  let index = new Map<string, T>();
  return (key: string): T | undefined => {
    if (from !== collection.committed()) {
      from = collection.committed();
      index = new Map(from.map((it) => [keyOf(it), it]));
    }
    return index.get(key);
  };
}
