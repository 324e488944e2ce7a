import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { join } from 'node:path';
import type { PositionRow } from '../../server/store/telemetry/rows.ts';

// What a road of positions is held against: inserts of the same rows in the same groups, and nothing else. No geofence,
// no rule, no event, no vehicle's state, no socket; one thread that has the rows at hand as SQLite takes them.

/** The rows of one commit, by keys alone: a bench that kept its rows would measure how they are collected. */
export interface Group {
  vehicle_ids: string[];
  times_ms: Float64Array;
}

export function groupOf(rows: readonly PositionRow[]): Group {
  return {
    vehicle_ids: rows.map((row) => row.vehicle_id),
    times_ms: Float64Array.from(rows, (row) => row.time_ms),
  };
}

const columns = `time_ms, received_ms, lat, lon, altitude_m, speed_kmh, course_deg, accuracy_m, satellites, hdop, valid,
  ignition, odometer_m, battery_pct, alarms, attributes`;

/** The rows as the store's file holds them, texts of alarms and attributes with them. */
function rowsOf(storeFile: string, groups: readonly Group[]): SQLInputValue[][][] {
  const db = new DatabaseSync(storeFile, { readOnly: true });
  try {
    const at = db.prepare(
      `SELECT vehicle_id, ${columns} FROM positions JOIN vehicle_ids USING (vehicle_key) WHERE vehicle_id = ? AND time_ms = ?`,
    );
    return groups.map(({ vehicle_ids, times_ms }) =>
      vehicle_ids.map((vehicle_id, index) => {
        const row = at.get(vehicle_id, times_ms[index] ?? null);
        if (row === undefined) throw new Error('a position that was committed is not in the file');
        return Object.values(row);
      }),
    );
  } finally {
    db.close();
  }
}

/**
 * How long bare inserts of the rows take that were committed to `telemetry.db` of this folder, in the groups given; in
 * seconds, the best of some turns. As the store it writes each group to the disk (`synchronous = FULL`), into the same
 * columns behind the same primary key, with the one prepared statement; its checkpoints are SQLite's own.
 */
export function timeBareInserts(folder: string, groups: readonly Group[], turns = 3): number {
  const rows = rowsOf(join(folder, 'telemetry.db'), groups);
  return Math.min(
    ...Array.from({ length: turns }, (_, turn) => timeOnce(join(folder, `bare-${turn}.db`), rows)),
  );
}

function timeOnce(file: string, groups: readonly SQLInputValue[][][]): number {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec(`CREATE TABLE positions (vehicle_id TEXT, time_ms INTEGER, received_ms INTEGER, lat REAL, lon REAL,
    altitude_m REAL, speed_kmh REAL, course_deg REAL, accuracy_m REAL, satellites INTEGER, hdop REAL, valid INTEGER,
    ignition INTEGER, odometer_m REAL, battery_pct REAL, alarms TEXT, attributes TEXT,
    PRIMARY KEY (vehicle_id, time_ms)) STRICT, WITHOUT ROWID`);
  const insert = db.prepare(`INSERT INTO positions VALUES (${Array(17).fill('?').join(', ')})`);
  const begun = performance.now();
  for (const rows of groups) {
    db.exec('BEGIN');
    for (const row of rows) insert.run(...row);
    db.exec('COMMIT');
  }
  const seconds = (performance.now() - begun) / 1_000;
  db.close();
  return seconds;
}
