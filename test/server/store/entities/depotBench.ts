import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { rights } from '../../../../server/contract/rights.ts';
import { newRule } from '../../../../server/contract/rules.ts';
import { newGeofence } from '../../../../server/contract/geofences.ts';
import { newVehicle } from '../../../../server/contract/vehicles.ts';
import { geofenceRecord, type GeofenceRecord } from '../../../../server/geofences/geofenceRecord.ts';
import { groupRecord } from '../../../../server/groups/groups.ts';
import { recipientRecord } from '../../../../server/notifications/channels/recipients.ts';
import { ruleRecord, type RuleRecord } from '../../../../server/notifications/ruleRecord.ts';
import { createActs } from '../../../../server/store/acts.ts';
import { type Stamped, createEntities, type EntityDefinition } from '../../../../server/store/entity.ts';
import type { Caller } from '../../../../server/store/caller.ts';
import * as definitions from '../../../../server/store/entities.ts';
import { asError } from '../../../../server/store/telemetry/failure.ts';
import { openDatabase, type Database } from '../../../../server/store/telemetry/database.ts';
import { loadEntities } from '../../../../server/store/telemetry/entityTables.ts';
import { commitGroup } from '../../../../server/store/telemetry/groupCommit.ts';
import type { ActMessage, ActOutcome } from '../../../../server/store/telemetry/runActs.ts';
import { lastSeq, type LoggedChange } from '../../../../server/store/telemetry/changesTable.ts';
import { migrations } from '../../../../server/store/telemetry/schema.ts';
import { everySession, loginKey, userRecord, type UserRecord } from '../../../../server/users/userRecord.ts';
import { profileRecord, type ProfileRecord } from '../../../../server/video/profileRecord.ts';
import { vehicleRecord, type VehicleRecord } from '../../../../server/vehicles/vehicleRecord.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { morning } from '../telemetry/sampleRows.ts';

type New<T> = Omit<T, keyof Stamped>;

/** What acts need of a store. */
type ActStore = Parameters<typeof createActs>[0]['store'];

export interface BenchOptions {
  store: ActStore;
  by?: () => Caller | null;
}

/** All collections of a depot over a store, loaded, and a clock that stands at `clock.ms`. */
export async function openDepot({ store, by = () => null }: BenchOptions) {
  const clock = { ms: morning, now: () => clock.ms };
  const committed: (LoggedChange & { seq: number })[] = [];
  let reloads = 0;
  const acts = createActs({ store, clock, by });
  acts.follow({
    onCommitted: (changes) => committed.push(...changes),
    onReloaded: () => (reloads += 1),
  });
  const open = <T extends Stamped>(definition: EntityDefinition<T>, visibleTo: (it: T) => string[]) =>
    createEntities(definition, { acts, visibleTo });
  const collections = {
    user: open(definitions.users(userRecord, loginKey), (it) => [it.user_id]),
    group: open(definitions.groups(groupRecord), (it) => [it.group_id]),
    vehicle: open(definitions.vehicles(vehicleRecord), (it) => it.group_ids),
    geofence: open(definitions.geofences(geofenceRecord), (it) => it.group_ids),
    rule: open(definitions.rules(ruleRecord), () => ['*']),
    profile: open(definitions.profiles(profileRecord), () => []),
    recipient: open(definitions.recipients(recipientRecord), () => []),
  };
  await acts.load();
  return { acts, clock, committed, reloads: () => reloads, ...collections };
}

/** A database in a new folder, with the newest tables. */
export async function openFile(): Promise<{ db: Database; file: string }> {
  const file = join(await temporaryFolder(), 'telemetry.db');
  const db = openDatabase(file, { readOnly: false });
  onTestFinished(() => db.close());
  // Nothing here is about a machine that loses its power.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  db.exec(`BEGIN; ${migrations.map(({ sql }) => sql).join(';')}; COMMIT`);
  return { db, file };
}

/** Stores acts as the writer does, on this thread; `sent` has what it was given. */
export function storeOver(db: Database): ActStore & { sent: ActMessage[][] } {
  const sent: ActMessage[][] = [];
  return {
    sent,
    act(acts) {
      sent.push(acts);
      const [reply] = commitGroup(
        db,
        [{ id: 1, op: 'act', args: structuredClone(acts), at_ms: 0, by: null }],
        () => 0,
      );
      if (reply === undefined) throw new Error('one reply was expected');
      if ('failure' in reply) return Promise.reject(asError(reply.failure));
      return Promise.resolve(structuredClone(reply.result) as ActOutcome[]);
    },
    loadEntities: (kind) => Promise.resolve(loadEntities(db, kind)),
    lastSeq: () => Promise.resolve(lastSeq(db)),
  };
}

export function countOf(db: Database, table: string, where = '1 = 1'): number {
  return db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${where}`)?.count ?? NaN;
}

export const group = (group_id: string, name = group_id) => ({ group_id, name });

export function vehicle(vehicle_id: string, part: Partial<VehicleRecord> = {}): New<VehicleRecord> {
  return {
    ...newVehicle.parse({ name: vehicle_id, terminal_id: `t-${vehicle_id}` }),
    vehicle_id,
    archived_at: null,
    groups_changed_at: new Date(morning).toISOString(),
    ...part,
  };
}

export function user(user_id: string, part: Partial<UserRecord> = {}): New<UserRecord> {
  return {
    user_id,
    login: user_id,
    name: null,
    email: null,
    role: 'dealer',
    rights: rights.parse({}),
    group_ids: [],
    blocked: false,
    password_hash: 'secret-hash',
    sessions_since: everySession,
    ...part,
  };
}

export function geofence(geozone_id: string, part: Partial<GeofenceRecord> = {}): New<GeofenceRecord> {
  return {
    ...newGeofence.parse({
      name: geozone_id,
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [13.4, 52.5] },
      radius_m: 100,
    }),
    geozone_id,
    known_from: new Date(morning).toISOString(),
    ...part,
  };
}

export function rule(rule_id: string, part: Partial<RuleRecord> = {}): New<RuleRecord> {
  return {
    ...newRule.parse({ name: rule_id, event_kind: 'sos', scope: { all: true } }),
    video: null,
    rule_id,
    disabled_reason: null,
    owner_id: null,
    ...part,
  };
}

export function profile(
  profile_id: string,
  vehicle_id: string,
  secret_id: string | null,
): New<ProfileRecord> {
  return {
    profile_id,
    vehicle_id,
    name: profile_id,
    kind: 'simulated',
    channels: [{ channel: 1, name: 'front' }],
    connection: {},
    secret_id,
  };
}

export const recipient = (recipient_id: string, address: string) => ({
  recipient_id,
  kind: 'email' as const,
  address,
  state: 'approved' as const,
  origin: 'added' as const,
  approved_by: null,
  approved_at: null,
});
