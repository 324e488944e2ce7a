import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { toFlag, toJson } from './columns.ts';
import { BUSY_TIMEOUT_MS } from './database.ts';
import type { PositionRow } from './rows.ts';

/** A connection that only reads, for long work in a thread of its own. All of it throws SQLite's errors. */
export interface HistoryReader {
  /** The stored positions of a vehicle in order of time, both ends included; those that are not drawn too. */
  track(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<PositionRow>;
  /** What a border is crossed by: the drawn positions alone, in less than half of the time that `track` takes. */
  fixes(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<PastFix>;
  /** The newest drawn position before a moment; null when there is none. */
  lastBefore(vehicle_id: string, time_ms: number): PositionRow | null;
  close(): void;
}

export type PastFix = Pick<PositionRow, 'time_ms' | 'lat' | 'lon' | 'speed_kmh'>;

/**
 * A statement that is not at its end keeps the writer from putting away its log: each slice is read whole, in some
 * milliseconds, before its rows are handed on.
 */
const SLICE = 2_000;

const columns = `time_ms, received_ms, lat, lon, altitude_m, speed_kmh, course_deg, accuracy_m, satellites, hdop, valid,
  ignition, odometer_m, battery_pct, alarms, attributes`;

/** The columns in their order: rows as lists are read in two thirds of the time of rows as objects (measured). */
type Cells = [
  time_ms: number,
  received_ms: number,
  lat: number,
  lon: number,
  altitude_m: number | null,
  speed_kmh: number | null,
  course_deg: number | null,
  accuracy_m: number | null,
  satellites: number | null,
  hdop: number | null,
  valid: number,
  ignition: number | null,
  odometer_m: number | null,
  battery_pct: number | null,
  alarms: string | null,
  attributes: string | null,
];

type FixCells = [time_ms: number, lat: number, lon: number, speed_kmh: number | null];

/** @param file `telemetry.db`, which the host has opened and migrated */
export function openHistoryReader(file: string): HistoryReader {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const slice = connection.prepare(`SELECT ${columns} FROM positions
    WHERE vehicle = ? AND time_ms >= ? AND time_ms <= ? ORDER BY time_ms LIMIT ${SLICE}`);
  const fixSlice = connection.prepare(`SELECT time_ms, lat, lon, speed_kmh FROM positions
    WHERE vehicle = ? AND time_ms >= ? AND time_ms <= ? AND valid = 1 ORDER BY time_ms LIMIT ${SLICE}`);
  const before = connection.prepare(`SELECT ${columns} FROM positions
    WHERE vehicle = ? AND time_ms < ? AND valid = 1 ORDER BY time_ms DESC LIMIT 1`);
  const numbers = connection.prepare('SELECT vehicle FROM vehicle_ids WHERE vehicle_id = ?');
  for (const statement of [slice, fixSlice, before, numbers]) statement.setReturnArrays(true);

  /** The table is STRICT, so the cells of a row have the types that the schema gives them. */
  function* slicesOf<Row extends [time_ms: number, ...unknown[]]>(
    statement: StatementSync,
    vehicle_id: string,
    from_ms: number,
    to_ms: number,
  ): Generator<Row[]> {
    const vehicle = numberOf(vehicle_id);
    if (vehicle === null) return;
    for (let next_ms = from_ms; ;) {
      const rows = statement.all(vehicle, next_ms, to_ms) as unknown as Row[];
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < SLICE) return;
      next_ms = last[0] + 1;
    }
  }

  function numberOf(vehicle_id: string): number | null {
    const cells = numbers.get(vehicle_id) as unknown as [number] | undefined;
    return cells?.[0] ?? null;
  }

  return {
    *track(vehicle_id, from_ms, to_ms) {
      for (const cells of slicesOf<Cells>(slice, vehicle_id, from_ms, to_ms)) {
        for (const row of cells) yield rowOf(vehicle_id, row);
      }
    },

    *fixes(vehicle_id, from_ms, to_ms) {
      for (const cells of slicesOf<FixCells>(fixSlice, vehicle_id, from_ms, to_ms)) {
        for (const [time_ms, lat, lon, speed_kmh] of cells) yield { time_ms, lat, lon, speed_kmh };
      }
    },

    lastBefore(vehicle_id, time_ms) {
      const vehicle = numberOf(vehicle_id);
      if (vehicle === null) return null;
      const cells = before.get(vehicle, time_ms) as unknown as Cells | undefined;
      return cells === undefined ? null : rowOf(vehicle_id, cells);
    },

    close: () => connection.close(),
  };
}

function rowOf(vehicle_id: string, cells: Cells): PositionRow {
  return {
    vehicle_id,
    time_ms: cells[0],
    received_ms: cells[1],
    lat: cells[2],
    lon: cells[3],
    altitude_m: cells[4],
    speed_kmh: cells[5],
    course_deg: cells[6],
    accuracy_m: cells[7],
    satellites: cells[8],
    hdop: cells[9],
    valid: toFlag(cells[10]),
    ignition: toFlag(cells[11]),
    odometer_m: cells[12],
    battery_pct: cells[13],
    alarms: cells[14] === null ? [] : toJson<string[]>(cells[14]),
    attributes: cells[15] === null ? {} : toJson<PositionRow['attributes']>(cells[15]),
  };
}
