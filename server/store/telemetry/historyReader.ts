import { toFlag } from './columns.ts';
import { openDatabase } from './database.ts';
import { positionColumns, positionOf, trackPageSql, type PositionCells } from './positionsTable.ts';
import { keptDays, type KeptDays } from './dayRecordsTable.ts';
import { eventsOfVehicle } from './eventsTable.ts';
import { notificationsOfVehicle } from './notificationsTable.ts';
import type { EventRow, NotificationRow, PositionRow, TaskRow } from './rows.ts';
import { tasksOfVehicle } from './tasksTable.ts';
import { knownVehicle } from './vehicleIds.ts';

export type PastFix = Pick<PositionRow, 'time_ms' | 'lat' | 'lon' | 'speed_kmh'>;

/**
 * A statement that is not at its end keeps the writer from putting away its log: each slice is read whole, in some
 * milliseconds, before its rows are handed on.
 */
const SLICE = 2_000;

const fixesSql = `SELECT time_ms, lat, lon, speed_kmh FROM positions
  WHERE vehicle_key = ? AND time_ms >= ? AND time_ms <= ? AND valid = 1 ORDER BY time_ms LIMIT ?`;
const lastBeforeSql = `SELECT ${positionColumns} FROM positions
  WHERE vehicle_key = ? AND time_ms < ? AND valid = 1 ORDER BY time_ms DESC LIMIT 1`;

const driveSql = `SELECT time_ms, lat, lon, speed_kmh, course_deg, ignition, valid FROM positions
  WHERE vehicle_key = ? AND time_ms >= ? AND time_ms <= ? ORDER BY time_ms LIMIT ?`;

const reportFixesSql = `SELECT time_ms, lat, lon, speed_kmh, ignition, odometer_m FROM positions
  WHERE vehicle_key = ? AND time_ms >= ? AND time_ms <= ? AND valid = 1 ORDER BY time_ms LIMIT ?`;

/** What trips and distances are computed from. */
export type OdometerFix = PastFix & Pick<PositionRow, 'ignition' | 'odometer_m'>;
type OdometerCells = [...FixCells, ignition: number | null, odometer_m: number | null];

/** What a vehicle did, without the values that cost the most to read. */
export interface DriveFix extends PastFix {
  course_deg: number | null;
  ignition: boolean | null;
  valid: boolean;
}

type DriveCells = [...FixCells, course_deg: number | null, ignition: number | null, valid: number];
type FixCells = [time_ms: number, lat: number, lon: number, speed_kmh: number | null];

/** A connection that only reads, for long work in a thread of its own. All of it throws SQLite's errors. */
export type HistoryReader = ReturnType<typeof openHistoryReader>;

/** @param file `telemetry.db`, which the host has opened and migrated */
export function openHistoryReader(file: string) {
  const db = openDatabase(file, { readOnly: true });

  function* slicesOf<Row extends [time_ms: number, ...unknown[]]>(
    sql: string,
    vehicle_id: string,
    from_ms: number,
    to_ms: number,
  ): Generator<Row[]> {
    const vehicle = knownVehicle(db, vehicle_id);
    if (vehicle === null) return;
    for (let next_ms = from_ms; ;) {
      const rows = db.cells<Row>(sql, [vehicle, next_ms, to_ms, SLICE]);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < SLICE) return;
      next_ms = last[0] + 1;
    }
  }

  return {
    /** The stored positions of a vehicle in order of time, both ends included; those that are not drawn too. */
    *track(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<PositionRow> {
      for (const slice of slicesOf<PositionCells>(trackPageSql, vehicle_id, from_ms, to_ms)) {
        for (const cells of slice) yield positionOf(vehicle_id, cells);
      }
    },

    /** What a border is crossed by: the drawn positions alone, in less than half of the time that `track` takes. */
    *fixes(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<PastFix> {
      for (const slice of slicesOf<FixCells>(fixesSql, vehicle_id, from_ms, to_ms)) {
        for (const [time_ms, lat, lon, speed_kmh] of slice) yield { time_ms, lat, lon, speed_kmh };
      }
    },

    /** The drawn positions of a vehicle in order of time, both ends included, in half of the time that `track` takes. */
    *odometerFixes(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<OdometerFix> {
      for (const slice of slicesOf<OdometerCells>(reportFixesSql, vehicle_id, from_ms, to_ms)) {
        for (const [time_ms, lat, lon, speed_kmh, ignition, odometer_m] of slice) {
          yield { time_ms, lat, lon, speed_kmh, ignition: toFlag(ignition), odometer_m };
        }
      }
    },

    /** All stored positions of a vehicle in order of time, both ends included, in half of the time that `track` takes. */
    *drive(vehicle_id: string, from_ms: number, to_ms: number): IterableIterator<DriveFix> {
      for (const slice of slicesOf<DriveCells>(driveSql, vehicle_id, from_ms, to_ms)) {
        for (const [time_ms, lat, lon, speed_kmh, course_deg, ignition, valid] of slice) {
          yield { time_ms, lat, lon, speed_kmh, course_deg, ignition: toFlag(ignition), valid: valid === 1 };
        }
      }
    },

    /** The newest drawn position before a moment; null when there is none. */
    lastBefore(vehicle_id: string, time_ms: number): PositionRow | null {
      const vehicle = knownVehicle(db, vehicle_id);
      if (vehicle === null) return null;
      const [cells] = db.cells<PositionCells>(lastBeforeSql, [vehicle, time_ms]);
      return cells === undefined ? null : positionOf(vehicle_id, cells);
    },

    /** Days of a vehicle that reports have worked out before; to be read before its positions are. */
    keptDays: (vehicle_id: string, thresholds: string, period: Period): KeptDays =>
      keptDays(db, vehicle_id, thresholds, period),

    /** What happened to a vehicle from a moment until before another, oldest first. */
    events: (vehicle_id: string, { from_ms, to_ms }: Period): Generator<EventRow> =>
      rowsOfVehicle(
        (after) => eventsOfVehicle(db, [vehicle_id, after.ms, after.id, to_ms, SLICE]),
        (row) => ({ ms: row.time_ms, id: row.event_id }),
        from_ms,
      ),

    /** The notifications of a vehicle that have events from a moment until before another. */
    notifications: (vehicle_id: string, { from_ms, to_ms }: Period): Generator<NotificationRow> =>
      rowsOfVehicle(
        (after) => notificationsOfVehicle(db, [vehicle_id, after.ms, after.id, to_ms, SLICE]),
        (row) => ({ ms: row.last_ms, id: row.notification_id }),
        from_ms,
      ),

    /** The video tasks of a vehicle that were created from a moment until before another, oldest first. */
    tasks: (vehicle_id: string, { from_ms, to_ms }: Period): Generator<TaskRow> =>
      rowsOfVehicle(
        (after) => tasksOfVehicle(db, [vehicle_id, after.ms, after.id, to_ms, SLICE]),
        (row) => ({ ms: row.created_ms, id: row.task_id }),
        from_ms,
      ),

    close: (): void => db.close(),
  };
}

interface Period {
  from_ms: number;
  to_ms: number;
}

/** Reads a list slice by slice, each after the last row of the one before. */
function* rowsOfVehicle<Row>(
  read: (after: { ms: number; id: string }) => Row[],
  placeOf: (row: Row) => { ms: number; id: string },
  from_ms: number,
): Generator<Row> {
  // No id is empty: the rows of the first moment come after this.
  for (let after = { ms: from_ms, id: '' }; ;) {
    const rows = read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE) return;
    after = placeOf(last);
  }
}
