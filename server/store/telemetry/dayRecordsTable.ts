import type { Tx } from '../operation.ts';
import type { Database } from './database.ts';
import { knownVehicle } from './vehicleIds.ts';

/** Of all vehicles together; some 300 MB. Those of whole vehicles go, the least recently used first. */
const mostKept = { days: 400_000, bytes: 400_000_000 };

/** By which it is seen whether a vehicle's positions have changed. */
export interface TrackState {
  /** Counts late positions and deletions. */
  revision: number;
  /** Of the newest position; null: there is none. */
  newest_ms: number | null;
}

/** A whole day of a vehicle, and the positions that it was worked out of. */
export interface StoredDay {
  from_ms: number;
  to_ms: number;
  need_from_ms: number;
  /** Null: to the end of the data. */
  need_to_ms: number | null;
  /** As JSON. */
  record: string;
}

/** Days of a vehicle by one set of thresholds, as they go to the writer. */
export interface NewDays extends TrackState {
  vehicle_id: string;
  thresholds: string;
  /** A list of `StoredDay` as JSON in UTF-8. */
  days: Uint8Array<ArrayBuffer>;
}

const endOfData = Number.MAX_SAFE_INTEGER;

const stateSql = `SELECT (SELECT revision FROM track_revisions WHERE vehicle_key = :vehicle) AS revision,
  (SELECT max(time_ms) FROM positions WHERE vehicle_key = :vehicle) AS newest_ms`;

function trackState(db: Database, vehicle: number): TrackState {
  const found = db.get<{ revision: number | null; newest_ms: number | null }>(stateSql, { vehicle });
  return { revision: found?.revision ?? 0, newest_ms: found?.newest_ms ?? null };
}

export const daysOfSetSql = `SELECT day_records.from_ms, day_records.to_ms, day_records.record
  FROM day_record_sets JOIN day_records USING (set_key)
  WHERE day_record_sets.vehicle_key = ? AND thresholds = ?
    AND day_records.from_ms >= ? AND day_records.from_ms < ?`;

export interface KeptDays extends TrackState {
  /** When they were last used; null where there are none. */
  used_ms: number | null;
  days: [from_ms: number, to_ms: number, record: string][];
}

/** The days that begin from a moment until before another, and the state to be read before the positions are. */
export function keptDays(
  db: Database,
  vehicle_id: string,
  thresholds: string,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
): KeptDays {
  const vehicle = knownVehicle(db, vehicle_id);
  if (vehicle === null) return { revision: 0, newest_ms: null, used_ms: null, days: [] };
  const set = db.get<{ used_ms: number }>(
    'SELECT used_ms FROM day_record_sets WHERE vehicle_key = ? AND thresholds = ?',
    [vehicle, thresholds],
  );
  return {
    // Before the days: what comes between makes them worth less, not wrong.
    ...trackState(db, vehicle),
    used_ms: set?.used_ms ?? null,
    days: db.cells(daysOfSetSql, [vehicle, thresholds, from_ms, to_ms]),
  };
}

/**
 * Keeps days that were worked out of the positions as they are now, and notes that their set was used. Days that a late
 * position or a deletion has overtaken are dropped.
 */
export function keepDays({ db, at_ms }: Tx, given: NewDays, most = mostKept): void {
  const vehicle = knownVehicle(db, given.vehicle_id);
  if (vehicle === null) return;
  const state = trackState(db, vehicle);
  const days = JSON.parse(Buffer.from(given.days).toString()) as StoredDay[];
  const valid =
    state.revision === given.revision
      ? days.filter((it) => it.need_to_ms !== null || state.newest_ms === given.newest_ms)
      : [];
  const set = db.get<{ set_key: number }>(
    `INSERT INTO day_record_sets (vehicle_key, thresholds, used_ms, days, bytes) VALUES (?, ?, ?, 0, 0)
      ON CONFLICT (vehicle_key, thresholds) DO UPDATE SET used_ms = excluded.used_ms RETURNING set_key`,
    [vehicle, given.thresholds, at_ms],
  );
  if (set === undefined) throw new Error('a set of days was given no number');
  for (const { from_ms, to_ms, need_from_ms, need_to_ms, record } of valid) {
    db.run(
      `INSERT OR REPLACE INTO day_records
        (set_key, from_ms, to_ms, vehicle_key, need_from_ms, need_to_ms, record) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [set.set_key, from_ms, to_ms, vehicle, need_from_ms, need_to_ms ?? endOfData, record],
    );
  }
  if (valid.length === 0) return;
  if (valid.some((it) => it.need_to_ms === null)) trackEnd(db, vehicle).hasOpenDays = true;
  db.run(
    `UPDATE day_record_sets SET (days, bytes) =
      (SELECT count(*), coalesce(sum(length(record)), 0) FROM day_records WHERE set_key = :key) WHERE set_key = :key`,
    { key: set.set_key },
  );
  dropOldest(db, set.set_key, most);
}

/** Drops whole sets, those least recently used first, until the others are no more than may be kept. */
function dropOldest(db: Database, keptSet: number, most: { days: number; bytes: number }): void {
  for (;;) {
    const sum = db.get<{ days: number; bytes: number }>(
      'SELECT sum(days) AS days, sum(bytes) AS bytes FROM day_record_sets',
    );
    if (sum === undefined || (sum.days <= most.days && sum.bytes <= most.bytes)) return;
    const oldest = db.get<{ set_key: number }>(
      'SELECT set_key FROM day_record_sets WHERE set_key <> ? ORDER BY used_ms, set_key LIMIT 1',
      [keptSet],
    );
    if (oldest === undefined) return;
    db.run('DELETE FROM day_records WHERE set_key = ?', [oldest.set_key]);
    db.run('DELETE FROM day_record_sets WHERE set_key = ?', [oldest.set_key]);
  }
}

/** Drops the days that positions of this time would change or have changed, and has those dropped that are under way. */
export function dropDays(db: Database, vehicle: number, from_ms: number, to_ms: number): void {
  db.run(dropDaysSql, [vehicle, from_ms, to_ms]);
  db.run(
    `INSERT INTO track_revisions (vehicle_key, revision) VALUES (?, 1)
      ON CONFLICT (vehicle_key) DO UPDATE SET revision = revision + 1`,
    [vehicle],
  );
}

export const dropDaysSql = `DELETE FROM day_records
  WHERE vehicle_key = ? AND need_to_ms >= ? AND need_from_ms <= ?`;

/** Drops all that is kept of a vehicle. */
export function forgetDays(db: Database, vehicle: number): void {
  for (const table of ['day_records', 'day_record_sets', 'track_revisions'])
    db.run(`DELETE FROM ${table} WHERE vehicle_key = ?`, [vehicle]);
  trackEnds.get(db)?.delete(vehicle);
}

/** What a connection that writes knows of a vehicle: to ask for it at each position took as long as a third of a write. */
interface TrackEnd {
  /** No position is newer. */
  newest_ms: number;
  /** Days may be kept that were worked out up to the end of the data. */
  hasOpenDays: boolean;
}

const trackEnds = new WeakMap<Database, Map<number, TrackEnd>>();

const trackEndSql = `SELECT (SELECT max(time_ms) FROM positions WHERE vehicle_key = ?) AS newest_ms,
  EXISTS (SELECT 1 FROM day_records WHERE vehicle_key = ? AND need_to_ms = ${endOfData}) AS open`;

function trackEnd(db: Database, vehicle: number): TrackEnd {
  let ends = trackEnds.get(db);
  if (ends === undefined) trackEnds.set(db, (ends = new Map<number, TrackEnd>()));
  let end = ends.get(vehicle);
  if (end === undefined) {
    const found = db.get<{ newest_ms: number | null; open: number }>(trackEndSql, [vehicle, vehicle]);
    end = { newest_ms: found?.newest_ms ?? -Infinity, hasOpenDays: found?.open === 1 };
    ends.set(vehicle, end);
  }
  return end;
}

/** To be called when a transaction was rolled back: what is known of the tracks may not have come about. */
export function forgetTrackEnds(db: Database): void {
  trackEnds.delete(db);
}

/**
 * To be called before positions of these times are written: drops what they change. Positions that come in order change
 * only days that were worked out up to the end of the data.
 */
export function dropDaysBefore(db: Database, vehicle: number, from_ms: number, to_ms: number): void {
  const end = trackEnd(db, vehicle);
  if (from_ms <= end.newest_ms) {
    dropDays(db, vehicle, from_ms, to_ms);
  } else if (end.hasOpenDays) {
    db.run(dropDaysSql, [vehicle, from_ms, to_ms]);
    end.hasOpenDays = false;
  }
  end.newest_ms = Math.max(end.newest_ms, to_ms);
}
