import type { SQLInputValue } from 'node:sqlite';
import { toFlag, toJson } from './columns.ts';
import type { Database } from './database.ts';
import { packedNumbers, type PackedPositions } from './packedPositions.ts';
import type { PositionRow } from './rows.ts';
import { knownVehicle, type VehicleKeys } from './vehicleIds.ts';

interface Stored {
  time_ms: number;
  received_ms: number;
  lat: number;
  lon: number;
  altitude_m: number | null;
  speed_kmh: number | null;
  course_deg: number | null;
  accuracy_m: number | null;
  satellites: number | null;
  hdop: number | null;
  valid: number;
  ignition: number | null;
  odometer_m: number | null;
  battery_pct: number | null;
  alarms: string | null;
  attributes: string | null;
}

const columns = `time_ms, received_ms, lat, lon, altitude_m, speed_kmh, course_deg, accuracy_m, satellites, hdop, valid,
  ignition, odometer_m, battery_pct, alarms, attributes`;

// By position and not by name: this one runs for every fix of the fleet.
const insert = `INSERT OR REPLACE INTO positions (vehicle, ${columns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const trackPageSql = `SELECT ${columns} FROM positions
  WHERE vehicle = ? AND time_ms >= ? AND time_ms <= ? ORDER BY time_ms LIMIT ?`;

/** Takes the place of what stands at the same (vehicle, time). */
export function writePositions(db: Database, packed: PackedPositions, numberOf: VehicleKeys): void {
  const { numbers, texts } = packed;
  const vehicles = packed.vehicle_ids.map(numberOf);
  const row: SQLInputValue[] = [];
  for (let at = 0, text = 0; at < numbers.length; at += packedNumbers, text += 2) {
    row[0] = vehicles[numbers[at] ?? NaN] ?? null;
    for (let column = 1; column < packedNumbers; column++) {
      const value = numbers[at + column] ?? NaN;
      row[column] = Number.isNaN(value) ? null : value;
    }
    row[packedNumbers] = texts[text] ?? null;
    row[packedNumbers + 1] = texts[text + 1] ?? null;
    db.run(insert, row);
  }
}

export function positionsAt(
  db: Database,
  keys: readonly { vehicle_id: string; time_ms: number }[],
): PositionRow[] {
  const numbers = new Map<string, number | null>();
  const found: PositionRow[] = [];
  for (const { vehicle_id, time_ms } of keys) {
    let vehicle = numbers.get(vehicle_id);
    if (vehicle === undefined) {
      vehicle = knownVehicle(db, vehicle_id);
      numbers.set(vehicle_id, vehicle);
    }
    const row =
      vehicle === null
        ? undefined
        : db.get<Stored>(`SELECT ${columns} FROM positions WHERE vehicle = ? AND time_ms = ?`, [
            vehicle,
            time_ms,
          ]);
    if (row !== undefined) found.push(fromStored(vehicle_id, row));
  }
  return found;
}

/** The first `limit` positions of the period, both ends included, in order of time. */
export function trackPage(
  db: Database,
  query: { vehicle_id: string; from_ms: number; to_ms: number; limit: number },
): PositionRow[] {
  const vehicle = knownVehicle(db, query.vehicle_id);
  if (vehicle === null) return [];
  return db
    .all<Stored>(trackPageSql, [vehicle, query.from_ms, query.to_ms, query.limit])
    .map((row) => fromStored(query.vehicle_id, row));
}

function fromStored(vehicle_id: string, row: Stored): PositionRow {
  return {
    vehicle_id,
    time_ms: row.time_ms,
    received_ms: row.received_ms,
    lat: row.lat,
    lon: row.lon,
    altitude_m: row.altitude_m,
    speed_kmh: row.speed_kmh,
    course_deg: row.course_deg,
    accuracy_m: row.accuracy_m,
    satellites: row.satellites,
    hdop: row.hdop,
    valid: toFlag(row.valid),
    ignition: toFlag(row.ignition),
    odometer_m: row.odometer_m,
    battery_pct: row.battery_pct,
    alarms: row.alarms === null ? [] : toJson<string[]>(row.alarms),
    attributes: row.attributes === null ? {} : toJson<PositionRow['attributes']>(row.attributes),
  };
}
