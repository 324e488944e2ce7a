import type { Cause } from '../../contract/causes.ts';
import { detailOf } from '../../contract/causeTexts.ts';
import type { SQLInputValue } from 'node:sqlite';
import type { ActRefused } from '../storeErrors.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';

/**
 * What people administer, each kind in a table of its own. `keys` are the columns beside the record, which the schema's
 * indexes guard; members have their `group_ids` in `memberships`, not in the record. `keepOne`: an act leaves at least
 * one row in which this column is set, if there was one before it.
 */
export const entityTables = {
  user: { table: 'users', id: 'user_id', keys: ['login_key', 'active_dealer'], keepOne: 'active_dealer' },
  group: { table: 'groups', id: 'group_id', keys: ['name_key'] },
  vehicle: { table: 'vehicles', id: 'vehicle_id', keys: ['terminal_key'], versions: 'vehicle_versions' },
  driver: { table: 'drivers', id: 'driver_id', keys: ['external_key'] },
  assignment: { table: 'assignments', id: 'assignment_id', keys: [] },
  geofence: { table: 'geofences', id: 'geozone_id', keys: [], versions: 'geofence_versions' },
  rule: { table: 'rules', id: 'rule_id', keys: [] },
  profile: { table: 'profiles', id: 'profile_id', keys: ['vehicle_id'] },
  api_token: { table: 'api_tokens', id: 'token_id', keys: [] },
  share: { table: 'shares', id: 'share_id', keys: [] },
  report_schedule: { table: 'report_schedules', id: 'schedule_id', keys: [] },
  shift: { table: 'shifts', id: 'shift_id', keys: [] },
  recipient: { table: 'recipients', id: 'recipient_id', keys: ['place_key'] },
} as const satisfies Record<string, EntityTable>;

interface EntityTable {
  table: string;
  id: string;
  keys: readonly string[];
  keepOne?: string;
  versions?: string;
}

export type EntityKind = keyof typeof entityTables;
export type EntityKeys<Kind extends EntityKind> = (typeof entityTables)[Kind]['keys'][number];

export interface Reference {
  kind: EntityKind;
  id: string;
}

/** What an act makes of one entity. */
export interface EntityWrite extends Reference {
  /** The version that it must have before the act; null: it must not be there. */
  was: number | null;
  /** Null: it is removed. */
  after: {
    version: number;
    /** As JSON, without the `group_ids` of members. */
    record: string;
    /** Null: as they were. */
    keys: Readonly<Record<string, string | number | null>> | null;
  } | null;
  /** Null: as they were. Ordered. */
  group_ids: readonly string[] | null;
  /** What it names, and what therefore cannot be removed; null: as they were. */
  references: readonly Reference[] | null;
}

export interface EntityRow {
  id: string;
  version: number;
  record: string;
  /** Null for what is no member. */
  group_ids: string[] | null;
}

/** Why an act is not stored, though each of its statements could be carried out. */
export class Refused extends Error {
  override name = 'Refused';
  readonly reason: ActRefused['reason'];
  readonly kind: EntityKind | null;
  /** Of which the message consists, as a sentence; undefined where it is one without its full stop. */
  readonly causes: Cause[] | undefined;

  constructor(reason: Refused['reason'], kind: EntityKind | null, detail: string | Cause) {
    super(typeof detail === 'string' ? detail : detailOf([detail]));
    this.reason = reason;
    this.kind = kind;
    this.causes = typeof detail === 'string' ? undefined : [detail];
  }
}

const SQLITE_CONSTRAINT_UNIQUE = 2067;

/** Of one vehicle or geofence; the former versions of one that is changed all day would fill the disk. */
const keptVersions = 200;
const keptBytes = 1_000_000;
/** Of one vehicle or user, those that have ended. */
const keptMemberships = 200;

const members: readonly EntityKind[] = ['user', 'vehicle'];
const isMember = (kind: EntityKind) => members.includes(kind);

const rowWriters = new Map(
  Object.entries<EntityTable>(entityTables).map(([kind, { table, id, keys }]) => [
    kind,
    upsert<string>(table, [id], [...keys, 'version', 'record']),
  ]),
);

/** @throws {Refused} */
export function writeEntities(db: Database, writes: readonly EntityWrite[], at_ms: number): void {
  const kept = tablesThatKeepOne(db, writes);
  for (const write of writes) checkVersion(db, write);
  // Rows of one act may exchange their keys: they are all taken out before the first one is put in.
  const changing = writes.filter(({ was, after }) => was !== null && after?.keys !== null);
  if (writes.length > 1) for (const write of changing) deleteRow(db, write);
  for (const write of writes) {
    writeRow(db, write);
    writeVersion(db, write, at_ms);
    if (write.group_ids !== null) writeMemberships(db, write, write.group_ids, at_ms);
    if (write.references !== null) writeReferences(db, write, write.references);
  }
  for (const write of writes) checkReferences(db, write);
  for (const { kind, table, column } of kept) {
    if (!hasOne(db, table, column)) throw new Refused('in_use', kind, 'the last one must stay');
  }
}

function tablesThatKeepOne(db: Database, writes: readonly EntityWrite[]) {
  const kinds = new Set(writes.filter(({ was }) => was !== null).map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const { table, keepOne: column }: EntityTable = entityTables[kind];
    return column !== undefined && hasOne(db, table, column) ? [{ kind, table, column }] : [];
  });
}

function hasOne(db: Database, table: string, column: string): boolean {
  return db.get(`SELECT 1 FROM ${table} WHERE ${column} <> 0 LIMIT 1`) !== undefined;
}

function versionOf(db: Database, { kind, id }: Reference): number | null {
  const { table, id: column } = entityTables[kind];
  return (
    db.get<{ version: number }>(`SELECT version FROM ${table} WHERE ${column} = ?`, [id])?.version ?? null
  );
}

function checkVersion(db: Database, write: EntityWrite): void {
  const version = versionOf(db, write);
  if (version === write.was) return;
  throw new Refused('stale', write.kind, `${write.kind} ${write.id} has version ${version ?? 'none'}`);
}

function deleteRow(db: Database, { kind, id }: Reference): void {
  const { table, id: column } = entityTables[kind];
  db.run(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
}

function writeRow(db: Database, write: EntityWrite): void {
  const { kind, id, after } = write;
  if (after === null) {
    deleteRow(db, write);
    return;
  }
  const { table, id: column } = entityTables[kind];
  const { version, record, keys } = after;
  if (keys === null) {
    db.run(`UPDATE ${table} SET version = ?, record = ? WHERE ${column} = ?`, [version, record, id]);
    return;
  }
  try {
    rowWriters.get(kind)?.(db, { ...keys, [column]: id, version, record });
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_CONSTRAINT_UNIQUE))
      throw error;
    throw new Refused('taken', kind, error.message);
  }
}

function writeVersion(db: Database, { kind, id, was, after }: EntityWrite, at_ms: number): void {
  const { versions, id: column }: EntityTable = entityTables[kind];
  if (versions === undefined) return;
  db.run(`INSERT INTO ${versions} (${column}, version, from_ms, record) VALUES (?, ?, ?, ?)`, [
    id,
    after?.version ?? (was ?? 0) + 1,
    at_ms,
    after?.record ?? null,
  ]);
  db.run(
    `DELETE FROM ${versions} WHERE ${column} = :id AND version IN (
      SELECT version FROM (
        SELECT version, row_number() OVER newest AS place, sum(octet_length(record)) OVER newest AS bytes
          FROM ${versions} WHERE ${column} = :id WINDOW newest AS (ORDER BY version DESC)
      ) WHERE place > ${keptVersions} OR (place > 2 AND bytes > ${keptBytes})
    )`,
    { id },
  );
}

/** Rows that end are closed and stay, up to a bound. One that ended in this very millisecond goes on: a key names it by its start. */
function writeMemberships(
  db: Database,
  { kind, id }: Reference,
  group_ids: readonly string[],
  at_ms: number,
): void {
  db.run(
    `UPDATE memberships SET to_ms = max(from_ms, :at_ms) WHERE member_kind = :kind AND member_id = :id
      AND to_ms IS NULL AND group_id NOT IN (SELECT value FROM json_each(:group_ids))`,
    { kind, id, at_ms, group_ids: JSON.stringify(group_ids) },
  );
  for (const [place, group_id] of group_ids.entries()) {
    const params = { kind, id, group_id, place, at_ms };
    const isIn = db.run(
      `UPDATE memberships SET place = :place
        WHERE member_kind = :kind AND member_id = :id AND group_id = :group_id AND to_ms IS NULL`,
      params,
    );
    if (isIn > 0) continue;
    db.run(
      `INSERT INTO memberships (member_kind, member_id, group_id, from_ms, to_ms, place)
        VALUES (:kind, :id, :group_id, :at_ms, NULL, :place)
        ON CONFLICT DO UPDATE SET to_ms = NULL, place = excluded.place`,
      params,
    );
  }
  db.run(
    `DELETE FROM memberships WHERE member_kind = :kind AND member_id = :id AND to_ms < (
      SELECT to_ms FROM memberships WHERE member_kind = :kind AND member_id = :id AND to_ms IS NOT NULL
        ORDER BY to_ms DESC LIMIT 1 OFFSET ${keptMemberships}
    )`,
    { kind, id },
  );
}

function writeReferences(db: Database, { kind, id }: Reference, references: readonly Reference[]): void {
  db.run('DELETE FROM entity_references WHERE from_kind = ? AND from_id = ?', [kind, id]);
  for (const to of references) {
    db.run(
      'INSERT OR IGNORE INTO entity_references (from_kind, from_id, to_kind, to_id) VALUES (?, ?, ?, ?)',
      [kind, id, to.kind, to.id],
    );
  }
}

/** What it names is there, and what is removed is named by nothing. */
function checkReferences(db: Database, { kind, id, after, group_ids, references }: EntityWrite): void {
  const groups = (group_ids ?? []).map((group_id): Reference => ({ kind: 'group', id: group_id }));
  for (const to of [...groups, ...(references ?? [])]) {
    if (versionOf(db, to) === null) throw new Refused('stale', to.kind, `${to.kind} ${to.id} is not there`);
  }
  if (after !== null) return;
  const user =
    db.get<Reference>(
      'SELECT from_kind AS kind, from_id AS id FROM entity_references WHERE to_kind = ? AND to_id = ?',
      [kind, id],
    ) ??
    (kind === 'group'
      ? db.get<Reference>(
          'SELECT member_kind AS kind, member_id AS id FROM memberships WHERE group_id = ? AND to_ms IS NULL',
          [id],
        )
      : undefined);
  if (user !== undefined) throw new Refused('in_use', kind, `${user.kind} ${user.id} names it`);
}

const groupsOf = (kind: EntityKind, id: string, when: string) =>
  isMember(kind)
    ? `(SELECT json_group_array(group_id ORDER BY place) FROM memberships
        WHERE member_kind = '${kind}' AND member_id = ${id} AND ${when})`
    : 'NULL';

/** All of a kind, as they are. */
export function loadEntities(db: Database, kind: EntityKind): EntityRow[] {
  const { table, id } = entityTables[kind];
  const groups = groupsOf(kind, `${table}.${id}`, 'to_ms IS NULL');
  return rowsOf(db, `SELECT ${id} AS id, version, record, ${groups} AS group_ids FROM ${table}`, {});
}

/**
 * All of every kind, as the text of a JSON document in UTF-8: an array of records for each kind, a record a line. One
 * statement, so that each is there that another one names.
 */
export function depotCopy(db: Database): Uint8Array {
  const kinds = Object.keys(entityTables) as EntityKind[];
  const lines = new Map(kinds.map((kind): [string, string[]] => [kind, []]));
  const selects = kinds.map((kind) => {
    const { table, id } = entityTables[kind];
    const groups = groupsOf(kind, `${table}.${id}`, 'to_ms IS NULL');
    return `SELECT '${kind}' AS kind, record, ${groups} AS group_ids FROM ${table}`;
  });
  for (const { kind, record, group_ids } of db.all<{
    kind: string;
    record: string;
    group_ids: string | null;
  }>(selects.join(' UNION ALL '))) {
    const whole = group_ids === null ? record : `${record.slice(0, -1)},"group_ids":${group_ids}}`;
    lines.get(kind)?.push(whole);
  }
  const arrays = [...lines].map(([kind, records]) => `"${kind}":[\n${records.join(',\n')}\n]`);
  return Buffer.from(`{"schema":1,\n${arrays.join(',\n')}}\n`);
}

/** All vehicles or geofences as they were at a moment. */
export function entitiesAt(
  db: Database,
  { kind, at_ms }: { kind: 'vehicle' | 'geofence'; at_ms: number },
): EntityRow[] {
  const { versions, id } = entityTables[kind];
  const groups = groupsOf(kind, 'former.id', 'from_ms <= :at_ms AND (to_ms IS NULL OR to_ms > :at_ms)');
  return rowsOf(
    db,
    `SELECT id, version, record, ${groups} AS group_ids
      FROM (SELECT ${id} AS id, max(version) AS version, record FROM ${versions} WHERE from_ms <= :at_ms GROUP BY ${id}) AS former
      WHERE record IS NOT NULL`,
    { at_ms },
  );
}

export interface Membership {
  member_kind: 'user' | 'vehicle';
  member_id: string;
  group_id: string;
}

/** Who was in which group at a moment, each member's groups in their order. */
export function membershipsAt(db: Database, at_ms: number): Membership[] {
  return db
    .all<Membership>(
      `SELECT DISTINCT member_kind, member_id, group_id FROM memberships
        WHERE from_ms <= :at_ms AND (to_ms IS NULL OR to_ms > :at_ms) ORDER BY member_kind, member_id, place`,
      { at_ms },
    )
    .map((row) => ({ ...row }));
}

function rowsOf(db: Database, sql: string, params: Record<string, SQLInputValue>): EntityRow[] {
  return db.all<Omit<EntityRow, 'group_ids'> & { group_ids: string | null }>(sql, params).map((row) => ({
    ...row,
    group_ids: row.group_ids === null ? null : (JSON.parse(row.group_ids) as string[]),
  }));
}
