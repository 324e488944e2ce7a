import type { Tx } from '../operation.ts';
import type { Database } from './database.ts';
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
  changes_ms: number;
  idempotency_ms: number;
  rejected_ms: number;
}

export interface Slice {
  deleted: number;
  more: boolean;
}

export function pruneSlice({ db }: Tx, before: PruneBefore): Slice {
  const slices = [
    sweepPurged(db),
    sweepPositions(db, before.positions_ms),
    oldest(db, 'events', 'event_id', 'received_ms', before.events_ms),
    oldest(db, 'notifications', 'notification_id', 'updated_ms', before.events_ms),
    oldest(db, 'deliveries', 'delivery_id', 'created_ms', before.events_ms),
    oldest(db, 'terminal_commands', 'command_id', 'completed_ms', before.events_ms),
    oldest(db, 'idempotency_keys', 'user_id, operation, key', 'at_ms', before.idempotency_ms),
    beginning(db, 'change_log', 'seq', 'at_ms', before.changes_ms),
    beginning(db, 'video_access', 'access_id', 'at_ms', before.events_ms),
    beginning(db, 'rejected_positions', 'rejected_id', 'received_ms', before.rejected_ms),
  ];
  return {
    deleted: slices.reduce((sum, slice) => sum + slice.deleted, 0),
    more: slices.some((slice) => slice.more),
  };
}

/** The first slice is given the vehicle, the others null. */
export function purgeSlice({ db }: Tx, vehicle_id: string | null): Slice {
  if (vehicle_id !== null) purgeVehicle(db, vehicle_id);
  return sweepPurged(db);
}

/**
 * Takes a vehicle out of everything at once, except that its positions stay behind under a number that nobody knows
 * any more; `sweepPurged` deletes those in slices, also after a crash.
 */
export function purgeVehicle(db: Database, vehicle_id: string): void {
  db.run('DELETE FROM events WHERE vehicle_id = ?', [vehicle_id]);
  db.run('DELETE FROM notifications WHERE vehicle_id = ?', [vehicle_id]);
  db.run('DELETE FROM deliveries WHERE vehicle_id = ?', [vehicle_id]);
  db.run('DELETE FROM snoozes WHERE vehicle_id = ?', [vehicle_id]);
  db.run('DELETE FROM terminal_commands WHERE vehicle_id = ?', [vehicle_id]);
  const vehicle = knownVehicle(db, vehicle_id);
  if (vehicle === null) return;
  db.run('DELETE FROM vehicle_states WHERE vehicle_key = ?', [vehicle]);
  db.run('INSERT INTO purged_vehicles (vehicle_key) VALUES (?)', [vehicle]);
  db.run('DELETE FROM vehicle_ids WHERE vehicle_key = ?', [vehicle]);
}

function sweepPurged(db: Database): Slice {
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

/** Where the sweep goes on; in the database, so that it moves with the deletions or not at all. */
const PLACE = 'prune_place';
const BEGINNING = Number.MIN_SAFE_INTEGER;

function sweepPositions(db: Database, before_ms: number): Slice {
  let place = sweepPlace(db);
  let deleted = 0;
  for (let left = SLICE; left > 0;) {
    const vehicle = db.get<{ vehicle_key: number }>(
      'SELECT vehicle_key FROM vehicle_ids WHERE vehicle_key >= ? ORDER BY vehicle_key LIMIT 1',
      [place.vehicle],
    )?.vehicle_key;
    if (vehicle === undefined) {
      db.run('DELETE FROM meta WHERE name = ?', [PLACE]);
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
  db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [
    PLACE,
    `${place.vehicle} ${place.time_ms}`,
  ]);
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
  return { rows: old.rows, last_ms: old.last_ms, deleted };
}

function sweepPlace(db: Database): Place {
  const text = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', [PLACE])?.value;
  const [vehicle = 0, time_ms = BEGINNING] = text?.split(' ').map(Number) ?? [];
  return { vehicle, time_ms };
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
  const rows = db.all<{ key: number; time: number }>(
    `SELECT ${key} AS key, ${time} AS time FROM ${table} ORDER BY ${key} LIMIT ${SLICE}`,
  );
  const firstKept = rows.findIndex((row) => row.time >= before_ms);
  const last = rows.at(firstKept === -1 ? -1 : firstKept - 1);
  if (last === undefined || firstKept === 0) return { deleted: 0, more: false };
  const deleted = db.run(`DELETE FROM ${table} WHERE ${key} <= ?`, [last.key]);
  return { deleted, more: deleted === SLICE };
}
