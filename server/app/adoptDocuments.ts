import { DataFolderError } from '../store/storeErrors.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { apiTokenRecord } from '../auth/apiTokens.ts';
import type { Clock } from '../clock.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { version } from '../contract/fields.ts';
import { assignmentRecord, driverRecord } from '../drivers/driverRecord.ts';
import { geofenceRecord } from '../geofences/geofenceRecord.ts';
import { groupRecord } from '../groups/groups.ts';
import { recipientRecord } from '../notifications/channels/recipients.ts';
import { scheduleRecord } from '../reports/schedules/scheduleRecord.ts';
import { keyOf, namedTargets } from '../notifications/ruleChannels.ts';
import { newRules, ruleRecord, type RuleRecord } from '../notifications/ruleRecord.ts';
import { newSettings, settingsDocument } from '../settings/settings.ts';
import {
  adoptedDocuments,
  lookAtDocument,
  prepareAdoption,
  type AdoptionOptions,
} from '../store/adoption.ts';
import { type DataFolder } from '../store/dataFolder.ts';
import { depotCopyName } from '../store/depotCopy.ts';
import type { Recovery, StoreLog } from '../store/documents/DocumentFile.ts';
import * as definitions from '../store/entities.ts';
import { writeOf, type EntityDefinition, type Stamped } from '../store/entity.ts';
import type { Adoption } from '../store/telemetry/adopt.ts';
import type { EntityWrite } from '../store/telemetry/entityTables.ts';
import { loginKey, userRecord, type UserRecord } from '../users/userRecord.ts';
import { vehicleRecord } from '../vehicles/vehicleRecord.ts';
import { profileRecord } from '../video/profileRecord.ts';

const silent: StoreLog = { info: () => undefined, warn: () => undefined };

/**
 * Reads what the documents of 0.1.0 hold, for the database to take in; of a new folder, what a new depot begins with.
 * Nothing in the folder is touched. Null where the database has it already.
 *
 * @throws {DataFolderError} `unreadable`, `newer_version`, or `not_writable` where the disk has no room; the system's
 * errors
 */
export async function readDocuments(
  { path: folder, schema }: Pick<DataFolder, 'path' | 'schema'>,
  { clock, log, readSpace }: { clock: Clock; log: Logger } & Pick<AdoptionOptions, 'readSpace'>,
): Promise<Adoption | null> {
  // Before anything is written.
  for (const name of ['settings', 'channels', 'secrets', 'recoveries'])
    await lookAtDocument({ folder, name, schema: z.looseObject({}) }, { clock, log: silent });
  if (schema > 1) return null;
  const now = new Date(clock.now()).toISOString();
  const recoveries: Recovery[] = [];

  const look = <T extends object>(name: string, schema: z.ZodType<T>) =>
    lookAtDocument({ folder, name, schema }, { clock, log });

  /** Null: there is no such document. */
  async function records<T>(name: string, record: z.ZodType<T>): Promise<T[] | null> {
    const { data, recovery } = await look(name, z.object({ items: z.record(z.string(), record) }));
    if (recovery?.restoredFrom === 'initial') {
      throw new DataFolderError(
        'unreadable',
        `Neither ${name}.json nor its backup ${name}.json.bak in ${folder} can be read: put back a copy of one of them.`,
      );
    }
    if (recovery !== null) recoveries.push(recovery);
    return data === null ? null : Object.values(data.items);
  }

  const settings = (await look('settings', settingsDocument)).data ?? newSettings(clock.now());
  // What else is in it stays a document, and is none of this.
  const channels = await look(
    'channels',
    z.object({ recipients: z.array(stampedRecipient(now)).nullable().default(null) }),
  );
  const users = await records('users', userRecord);
  const groups = await records('groups', groupRecord);
  const vehicles = await records('vehicles', vehicleRecord);
  const geofences = await records('geofences', geofenceRecord);
  const rules = await records('rules', ruleRecord);
  const profiles = await records('profiles', profileRecord);
  if (users === null && [groups, vehicles, geofences, rules, profiles].some((it) => it !== null)) {
    throw new DataFolderError(
      'unreadable',
      `${folder} holds a depot without its users.json: put back a copy of it.`,
    );
  }

  const groupIds = new Set(groups?.map((it) => it.group_id));
  const vehicleIds = new Set(vehicles?.map((it) => it.vehicle_id));
  const geofenceIds = new Set(geofences?.map((it) => it.geozone_id));

  /** 0.1.0 wrote one file after the other: one that it did not come to names what is gone. */
  function present(of: object, ids: string[], known: ReadonlySet<string>): string[] {
    const gone = ids.filter((id) => !known.has(id));
    if (gone.length === 0) return ids;
    log.warn({ ...of, gone }, 'a record named what is gone, which was taken out of it');
    return ids.filter((id) => known.has(id));
  }

  /** A rule that would be left without a scope, or would hold for more than it did, is disabled. */
  function withPresent(rule: RuleRecord): RuleRecord {
    const of = { rule_id: rule.rule_id };
    const geozone_ids = present(of, rule.geozone_ids, geofenceIds);
    const scope =
      'all' in rule.scope
        ? rule.scope
        : {
            vehicle_ids: present(of, rule.scope.vehicle_ids, vehicleIds),
            group_ids: present(of, rule.scope.group_ids, groupIds),
          };
    const hasNoScope = !('all' in scope) && scope.vehicle_ids.length + scope.group_ids.length === 0;
    const hasNoGeofence = rule.geozone_ids.length > 0 && geozone_ids.length === 0;
    const next = { ...rule, scope, geozone_ids };
    if (!rule.enabled || !(hasNoScope || hasNoGeofence)) return next;
    const causes = [causeOf('rule.named_deleted')];
    return { ...next, enabled: false, disabled_reason: detailOf(causes), disabled_causes: causes };
  }

  const keptRules = rules?.map(withPresent) ?? newRules(clock.now(), settings);
  const keptProfiles = (profiles ?? []).filter(
    ({ profile_id, vehicle_id }) => present({ profile_id }, [vehicle_id], vehicleIds).length > 0,
  );
  // Null in what 0.1.0 has written.
  const recipients = channels.data?.recipients ?? toReview(keptRules, users ?? [], now);

  const inPresentGroups =
    <T extends { group_ids: string[] }>(id: keyof T & string) =>
    (it: T): T => ({ ...it, group_ids: present({ [id]: it[id] }, it.group_ids, groupIds) });

  const entities = [
    ...added(definitions.groups(groupRecord), groups),
    ...added(definitions.users(userRecord, loginKey), users?.map(inPresentGroups('user_id'))),
    ...added(definitions.vehicles(vehicleRecord), vehicles?.map(inPresentGroups('vehicle_id'))),
    ...added(definitions.geofences(geofenceRecord), geofences?.map(inPresentGroups('geozone_id'))),
    ...added(definitions.rules(ruleRecord), keptRules),
    ...added(definitions.profiles(profileRecord), keptProfiles),
    ...added(definitions.recipients(stampedRecipient(now)), recipients),
  ];
  if (channels.data?.recipients == null && recipients.length > 0) {
    log.warn({ recipients: recipients.length }, 'recipients of rules need approval by a dealer');
  }
  return prepareAdoption({ folder, entities, recoveries, clock, ...(readSpace && { readSpace }) });
}

const depotCopy = z.object({
  schema: z.literal(1),
  group: z.array(groupRecord),
  user: z.array(userRecord),
  vehicle: z.array(vehicleRecord),
  geofence: z.array(geofenceRecord),
  rule: z.array(ruleRecord),
  profile: z.array(profileRecord),
  recipient: z.array(recipientRecord),
  // Copies of earlier versions have none.
  api_token: z.array(apiTokenRecord).default([]),
  driver: z.array(driverRecord).default([]),
  assignment: z.array(assignmentRecord).default([]),
  report_schedule: z.array(scheduleRecord).default([]),
});

/**
 * Reads the copy of what a lost database held, for a new one to take in. It may lack the last changes, which dealers
 * confirm. Shared links are left out: one that was ended since would show a vehicle to strangers again, and what was ended
 * only the lost database knew.
 *
 * @throws {DataFolderError} `unreadable`
 */
export async function readDepotCopy(folder: string, clock: Pick<Clock, 'now'>): Promise<Adoption> {
  let copy: z.infer<typeof depotCopy>;
  try {
    copy = depotCopy.parse(JSON.parse(await readFile(join(folder, depotCopyName), 'utf8')));
  } catch (error) {
    throw new DataFolderError(
      'unreadable',
      `Neither telemetry.db nor the copy of its users and vehicles, ${depotCopyName}, in ${folder} can be read: put back a backup of the folder.`,
      error,
    );
  }
  const at = new Date(clock.now()).toISOString();
  return {
    entities: [
      ...added(definitions.groups(groupRecord), copy.group),
      ...added(definitions.users(userRecord, loginKey), copy.user),
      ...added(definitions.vehicles(vehicleRecord), copy.vehicle),
      ...added(definitions.geofences(geofenceRecord), copy.geofence),
      ...added(definitions.rules(ruleRecord), copy.rule),
      ...added(definitions.profiles(profileRecord), copy.profile),
      ...added(definitions.recipients(recipientRecord), copy.recipient),
      ...added(definitions.apiTokens(apiTokenRecord), copy.api_token),
      ...added(definitions.drivers(driverRecord), copy.driver),
      ...added(definitions.assignments(assignmentRecord), copy.assignment),
      ...added(definitions.reportSchedules(scheduleRecord), copy.report_schedule),
    ],
    files: [],
    ending: '',
    recoveries: adoptedDocuments.map((document) => ({
      document,
      quarantinedAs: [],
      restoredFrom: 'bak',
      at,
    })),
  };
}

function added<T extends Stamped>(
  definition: EntityDefinition<T>,
  records: readonly T[] | null = [],
): EntityWrite[] {
  return (records ?? []).map((after) => writeOf<T>(definition, { before: null, after }));
}

/** In the document recipients had no stamps. */
const stampedRecipient = (now: string) =>
  recipientRecord.extend({
    version: version.default(1),
    created_at: z.string().default(now),
    updated_at: z.string().default(now),
  });

/** What rules of 0.1.0 name beyond the depot's own users: a dealer has to review it. */
function toReview(rules: readonly RuleRecord[], users: readonly UserRecord[], now: string) {
  const own = new Set(
    users.flatMap(({ email, blocked }) => (email === null || blocked ? [] : [email.toLowerCase()])),
  );
  const targets = rules
    .flatMap(namedTargets)
    .filter((it) => it.channel !== 'email' || !own.has(it.target.toLowerCase()));
  return [...new Set(targets.map(keyOf))].map((key) => {
    const [kind, address] = key.split(' ');
    return stampedRecipient(now).parse({
      recipient_id: randomUUID(),
      kind,
      address,
      state: 'to_review',
      origin: 'upgrade',
      approved_by: null,
      approved_at: null,
    });
  });
}
