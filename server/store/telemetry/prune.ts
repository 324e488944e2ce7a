import type { Tx } from '../operation.ts';
import type { Database } from './database.ts';
import { slotBefore } from './cardReads.ts';
import { dropDays, forgetDays } from './dayRecordsTable.ts';
import { changeLogFloor } from './changesTable.ts';
import { entityTables } from './entityTables.ts';
import { forgetIncidentsOf, pruneIncidents } from './incidentErasure.ts';
import type { Written } from './rows.ts';
import { knownVehicle } from './vehicleIds.ts';

/** Rows that one slice looks at in each table; about 10 ms of work. */
const SLICE = 5_000;

/**
 * Positions are found for pruning by the time of the fix, which is their key, and not by an index of the receipt: that
 * would be a fifth more to store and to write for every fix, for the sake of one sweep a day. A fix is received at or
 * after its time, so all that was received before a moment lies before it in its vehicle's track; this much is left
 * for clocks that run ahead (more than ten minutes are rejected at the intake).
 */
const CLOCKS_AHEAD_MS = 86_400_000;

export interface PruneBefore {
  positions_ms: number;
  events_ms: number;
  /** Of changes that nobody made and that hold no values. */
  changes_ms: number;
  /** Of changes that somebody made: the audit log. Not before `changes_ms`, from where streams replay all. */
  audit_ms: number;
  /** What vehicles, geofences and groups were before this moment nobody asks any more. */
  versions_ms: number;
  idempotency_ms: number;
  rejected_ms: number;
}

export interface Slice {
  deleted: number;
  more: boolean;
}

export function pruneSlice(tx: Tx, before: PruneBefore): Slice & Written {
  const { db } = tx;
  // First those that hold events and notifications back.
  const incidents = pruneIncidents(tx, before.events_ms);
  const slices = [
    incidents,
    sweepPurged(db),
    sweepPositions(db, before.positions_ms),
    oldest(db, 'card_reads', 'vehicle_key, slot, card', 'slot', slotBefore(before.positions_ms)),
    ...keptForOthers.map((held) => sweepUnheld(db, held, before.events_ms)),
    oldest(db, 'deliveries', 'delivery_id', 'created_ms', before.events_ms),
    oldest(db, 'terminal_commands', 'command_id', 'completed_ms', before.events_ms),
    oldest(db, 'idempotency_keys', 'user_id, operation, key', 'at_ms', before.idempotency_ms),
    sweepStreamed(db, before.changes_ms),
    sweepChanges(db, 'IS NULL', Math.min(before.events_ms, before.changes_ms)),
    sweepChanges(db, 'IS NOT NULL', Math.min(before.audit_ms, before.changes_ms)),
    sweepVersions(db, 'vehicle', before.versions_ms),
    sweepVersions(db, 'geofence', before.versions_ms),
    oldest(db, 'memberships', 'member_kind, member_id, group_id, from_ms', 'to_ms', before.versions_ms),
    beginning(db, 'video_access', 'access_id', 'at_ms', before.events_ms),
    beginning(db, 'rejected_positions', 'rejected_id', 'received_ms', before.rejected_ms),
  ];
  return {
    deleted: slices.reduce((sum, slice) => sum + slice.deleted, 0),
    more: slices.some((slice) => slice.more),
    changes: incidents.changes,
  };
}

/**
 * Takes a vehicle out of everything at once, except that its positions stay behind under a number that nobody knows
 * any more; `sweepPurged` deletes those in slices, also after a crash. Of the log of changes stays who did what and
 * when, and the name under which the vehicle was deleted. Returns the incidents of others that have lost something of it.
 */
export function forgetVehicle(tx: Tx, vehicle_id: string): ReturnType<typeof forgetIncidentsOf> {
  const { db } = tx;
  // First, while it is known who could see it.
  const written = forgetIncidentsOf(tx, vehicle_id);
  for (const table of [
    'events',
    'notifications',
    'deliveries',
    'snoozes',
    'terminal_commands',
    'vehicle_versions',
  ])
    db.run(`DELETE FROM ${table} WHERE vehicle_id = ?`, [vehicle_id]);
  db.run("DELETE FROM memberships WHERE member_kind = 'vehicle' AND member_id = ?", [vehicle_id]);
  db.run(
    `UPDATE change_log SET after = NULL, vehicle_id = NULL,
        before = CASE WHEN topic = 'vehicle' AND version IS NULL THEN json_object('name', before ->> 'name') END
      WHERE vehicle_id = ?`,
    [vehicle_id],
  );
  const vehicle = knownVehicle(db, vehicle_id);
  if (vehicle === null) return written;
  db.run('DELETE FROM vehicle_states WHERE vehicle_key = ?', [vehicle]);
  db.run('DELETE FROM card_reads WHERE vehicle_key = ?', [vehicle]);
  forgetDays(db, vehicle);
  db.run('INSERT INTO purged_vehicles (vehicle_key) VALUES (?)', [vehicle]);
  db.run('DELETE FROM vehicle_ids WHERE vehicle_key = ?', [vehicle]);
  return written;
}

/** One slice of the positions of vehicles that were deleted. */
export function sweepPurged(db: Database): Slice {
  const purged = db.get<{ vehicle_key: number }>('SELECT vehicle_key FROM purged_vehicles LIMIT 1');
  if (purged === undefined) return { deleted: 0, more: false };
  const deleted = db.run(
    `DELETE FROM positions WHERE vehicle_key = :vehicle_key AND time_ms IN (
      SELECT time_ms FROM positions WHERE vehicle_key = :vehicle_key ORDER BY time_ms LIMIT ${SLICE}
    )`,
    { vehicle_key: purged.vehicle_key },
  );
  if (deleted < SLICE) db.run('DELETE FROM purged_vehicles WHERE vehicle_key = ?', [purged.vehicle_key]);
  return {
    deleted,
    more: deleted === SLICE || db.get('SELECT vehicle_key FROM purged_vehicles LIMIT 1') !== undefined,
  };
}

interface Place {
  vehicle: number;
  time_ms: number;
}

/** Where a sweep goes on; in the database, so that it moves with the deletions or not at all. */
function placeOf(db: Database, sweep: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', [sweep])?.value;
}

function setPlace(db: Database, sweep: string, place: string | number | null): void {
  if (place === null) db.run('DELETE FROM meta WHERE name = ?', [sweep]);
  else db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [sweep, String(place)]);
}

const BEGINNING = Number.MIN_SAFE_INTEGER;

function sweepPositions(db: Database, before_ms: number): Slice {
  const [first = 0, first_ms = BEGINNING] = placeOf(db, 'prune_place')?.split(' ').map(Number) ?? [];
  let place: Place = { vehicle: first, time_ms: first_ms };
  let deleted = 0;
  for (let left = SLICE; left > 0;) {
    const vehicle = db.get<{ vehicle_key: number }>(
      'SELECT vehicle_key FROM vehicle_ids WHERE vehicle_key >= ? ORDER BY vehicle_key LIMIT 1',
      [place.vehicle],
    )?.vehicle_key;
    if (vehicle === undefined) {
      setPlace(db, 'prune_place', null);
      return { deleted, more: false };
    }
    const after_ms = vehicle === place.vehicle ? place.time_ms : BEGINNING;
    const part = sweepTrack(db, { vehicle, after_ms, before_ms, limit: left });
    deleted += part.deleted;
    const isAtEnd = part.rows < left;
    place = isAtEnd ? { vehicle: vehicle + 1, time_ms: BEGINNING } : { vehicle, time_ms: part.last_ms };
    // A vehicle without old rows costs a look, too.
    left -= part.rows + 1;
  }
  setPlace(db, 'prune_place', `${place.vehicle} ${place.time_ms}`);
  return { deleted, more: true };
}

/** Looks at `limit` old rows of a track; `rows` is how many there were, `last_ms` the time of the last of them. */
function sweepTrack(
  db: Database,
  {
    vehicle,
    after_ms,
    before_ms,
    limit,
  }: { vehicle: number; after_ms: number; before_ms: number; limit: number },
): { rows: number; last_ms: number; deleted: number } {
  const old = db.get<{ rows: number; last_ms: number | null }>(
    `SELECT count(*) AS rows, max(time_ms) AS last_ms FROM (
      SELECT time_ms FROM positions WHERE vehicle_key = ? AND time_ms > ? AND time_ms < ? ORDER BY time_ms LIMIT ?
    )`,
    [vehicle, after_ms, before_ms + CLOCKS_AHEAD_MS, limit],
  );
  if (old === undefined || old.last_ms === null) return { rows: 0, last_ms: after_ms, deleted: 0 };
  const deleted = db.run(
    'DELETE FROM positions WHERE vehicle_key = ? AND time_ms > ? AND time_ms <= ? AND received_ms < ?',
    [vehicle, after_ms, old.last_ms, before_ms],
  );
  if (deleted > 0) dropDays(db, vehicle, after_ms, old.last_ms);
  return { rows: old.rows, last_ms: old.last_ms, deleted };
}

/**
 * Deletes what only streams that reconnect ask for: changes that nobody made and that hold no values. The others stay
 * among them, so that the log begins for streams where this sweep has come to.
 */
function sweepStreamed(db: Database, before_ms: number): Slice {
  const floor = Number(placeOf(db, changeLogFloor) ?? 0);
  const last = agedUpTo(db, { table: 'change_log', key: 'seq', time: 'at_ms', after: floor, before_ms });
  if (last === null) return { deleted: 0, more: false };
  const deleted = db.run(
    `DELETE FROM change_log WHERE seq > ? AND seq <= ? AND actor IS NULL AND before IS NULL AND after IS NULL`,
    [floor, last.key],
  );
  setPlace(db, changeLogFloor, last.key);
  return { deleted, more: last.more };
}

/** Deletes changes that the host made, or those of the audit log, as far as the log has been swept for streams. */
function sweepChanges(db: Database, actor: 'IS NULL' | 'IS NOT NULL', before_ms: number): Slice {
  const sweep = actor === 'IS NULL' ? 'host_changes_place' : 'audit_place';
  const floor = Number(placeOf(db, changeLogFloor) ?? 0);
  const after = Number(placeOf(db, sweep) ?? 0);
  const last = agedUpTo(db, { table: 'change_log', key: 'seq', time: 'at_ms', after, before_ms });
  if (last === null || floor <= after) return { deleted: 0, more: false };
  const upTo = Math.min(last.key, floor);
  setPlace(db, sweep, upTo);
  const deleted = db.run(`DELETE FROM change_log WHERE seq > ? AND seq <= ? AND actor ${actor}`, [
    after,
    upTo,
  ]);
  return { deleted, more: last.more || upTo < last.key };
}

/** Deletes versions that a newer one had replaced before this moment, and deletions that old. */
function sweepVersions(db: Database, kind: 'vehicle' | 'geofence', before_ms: number): Slice {
  const { versions: table, id } = entityTables[kind];
  const sweep = `${table}_place`;
  const after = Number(placeOf(db, sweep) ?? 0);
  const last = agedUpTo(db, { table, key: 'rowid', time: 'from_ms', after, before_ms });
  setPlace(db, sweep, last?.more === true ? last.key : null);
  if (last === null) return { deleted: 0, more: false };
  const deleted = db.run(
    `DELETE FROM ${table} WHERE rowid > :after AND rowid <= :last AND (
      SELECT CASE WHEN newer.version IS NULL THEN ${table}.record IS NULL ELSE newer.from_ms <= :before_ms END
        FROM (SELECT 1) LEFT JOIN ${table} AS newer ON newer.${id} = ${table}.${id} AND newer.version > ${table}.version
        ORDER BY newer.version LIMIT 1
    )`,
    { after, last: last.key, before_ms },
  );
  return { deleted, more: last.more };
}

/**
 * Of a table that is numbered as it grows: the last one of the rows after a number that are older than a moment, of at
 * most a slice; `more`: behind it may be others. Null: there is none.
 */
function agedUpTo(
  db: Database,
  {
    table,
    key,
    time,
    after,
    before_ms,
  }: { table: string; key: string; time: string; after: number; before_ms: number },
): { key: number; more: boolean } | null {
  const rows = db.all<{ key: number; time: number }>(
    `SELECT ${key} AS key, ${time} AS time FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${SLICE}`,
    [after],
  );
  const firstKept = rows.findIndex((row) => row.time >= before_ms);
  const last = firstKept === -1 ? rows.at(-1) : rows[firstKept - 1];
  return last === undefined ? null : { key: last.key, more: firstKept === -1 && rows.length === SLICE };
}

interface Held {
  table: string;
  key: string;
  /** With an index by it. */
  time: string;
  /** SQL that finds something for a row that stays. */
  by: string;
}

/**
 * What belongs to incidents: the alarms and clips while they are kept, what happened to a vehicle meanwhile until they are
 * closed. A task also stays for its file, and while it is to be carried out.
 */
const keptForOthers: readonly Held[] = [
  {
    ...{ table: 'events', key: 'event_id', time: 'received_ms' },
    by: `SELECT 1 FROM incidents INDEXED BY incidents_of_vehicle WHERE status <> 'closed'
      AND vehicle_id = events.vehicle_id AND from_ms <= events.time_ms AND to_ms >= events.time_ms`,
  },
  {
    ...{ table: 'notifications', key: 'notification_id', time: 'updated_ms' },
    by: 'SELECT 1 FROM incident_alarms AS held WHERE held.notification_id = notifications.notification_id',
  },
  {
    ...{ table: 'video_tasks', key: 'task_id', time: 'created_ms' },
    by: `SELECT 1 WHERE status NOT IN ('failed', 'cancelled', 'expired')
      UNION ALL SELECT 1 FROM incident_clips AS held WHERE held.task_id = video_tasks.task_id`,
  },
];

/** Looks at each old row once in a run, which has the same moment throughout; those that stay are many, maybe. */
function sweepUnheld(db: Database, { table, key, time, by }: Held, before_ms: number): Slice {
  const sweep = `${table}_place`;
  const beginning = [before_ms, BEGINNING, ''] as const;
  const reached = JSON.parse(placeOf(db, sweep) ?? 'null') as typeof beginning | null;
  const [, after_ms, after] = reached?.[0] === before_ms ? reached : beginning;
  const rows = db.all<{ key: string; time: number }>(
    `SELECT ${key} AS key, ${time} AS time FROM ${table}
      WHERE (${time}, ${key}) > (?, ?) AND ${time} < ? ORDER BY ${time}, ${key} LIMIT ${SLICE}`,
    [after_ms, after, before_ms],
  );
  const last = rows.at(-1);
  if (last === undefined) return { deleted: 0, more: false };
  setPlace(db, sweep, JSON.stringify([before_ms, last.time, last.key]));
  const deleted = db.run(
    `DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?)) AND NOT EXISTS (${by})`,
    [JSON.stringify(rows.map((row) => row.key))],
  );
  return { deleted, more: rows.length === SLICE };
}

/** For tables with an index by this time. */
function oldest(db: Database, table: string, key: string, time: string, before_ms: number): Slice {
  const deleted = db.run(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${time} < ? ORDER BY ${time} LIMIT ${SLICE})`,
    [before_ms],
  );
  return { deleted, more: deleted === SLICE };
}

/**
 * For tables that are numbered as they grow: deletes from the beginning up to the first row that is young enough, so
 * that what remains is whole.
 */
function beginning(db: Database, table: string, key: string, time: string, before_ms: number): Slice {
  const last = agedUpTo(db, { table, key, time, after: BEGINNING, before_ms });
  if (last === null) return { deleted: 0, more: false };
  return { deleted: db.run(`DELETE FROM ${table} WHERE ${key} <= ?`, [last.key]), more: last.more };
}
