import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from '../operation.ts';
import { fromJsonOrEmpty, toFlag, toJson } from './columns.ts';
import type { Database, SqlValue } from './database.ts';
import { dropDaysBefore } from './dayRecordsTable.ts';
import type { PositionRow } from './rows.ts';
import { knownVehicle, type VehicleKeys } from './vehicleIds.ts';

type Cell = number | string | null | undefined;

/** A position as it is read, in the order of the columns; the table is STRICT, and so the cells have their types. */
export type PositionCells = [time_ms: number, ...others: Cell[]];

/**
 * The one list of the columns beside the vehicle, in their order: what selects, packs and writes them is made of it.
 * Not a loop, which took three times as long for each position that is read (measured).
 */
export function positionOf(vehicle_id: string, cells: PositionCells): PositionRow {
  let at = 0;
  return {
    vehicle_id,
    time_ms: cells[at++] as number,
    received_ms: cells[at++] as number,
    lat: cells[at++] as number,
    lon: cells[at++] as number,
    altitude_m: cells[at++] as number | null,
    speed_kmh: cells[at++] as number | null,
    course_deg: cells[at++] as number | null,
    accuracy_m: cells[at++] as number | null,
    satellites: cells[at++] as number | null,
    hdop: cells[at++] as number | null,
    valid: toFlag(cells[at++] as number),
    ignition: toFlag(cells[at++] as number | null),
    odometer_m: cells[at++] as number | null,
    battery_pct: cells[at++] as number | null,
    alarms: toList(cells[at++]),
    attributes: toMap(cells[at]),
  };
}

function toList(cell: Cell): string[] {
  return typeof cell === 'string' ? toJson<string[]>(cell) : [];
}

function toMap(cell: Cell): PositionRow['attributes'] {
  return typeof cell === 'string' ? toJson<PositionRow['attributes']>(cell) : {};
}

type Column = Exclude<keyof PositionRow, 'vehicle_id'>;
/** Lists and maps, which are texts of JSON. */
type TextColumn = { [Name in Column]: PositionRow[Name] extends object ? Name : never }[Column];

const empty = positionOf('', [0]);
const columns = Object.keys(empty).filter((it): it is Column => it !== 'vehicle_id');
const isText = (it: Column): it is TextColumn => typeof empty[it] === 'object' && empty[it] !== null;
const numberColumns = columns.filter((it) => !isText(it));
const textColumns = columns.filter(isText);

/** What is read of a position, for `positionOf`. */
export const positionColumns = columns.join(', ');

// By position and not by name: this one runs for every fix of the fleet.
const insert = `INSERT OR REPLACE INTO positions (vehicle_key, ${[...numberColumns, ...textColumns].join(', ')})
  VALUES (?${', ?'.repeat(columns.length)})`;

export const trackPageSql = `SELECT ${positionColumns} FROM positions
  WHERE vehicle_key = ? AND time_ms >= ? AND time_ms <= ? ORDER BY time_ms LIMIT ?`;

/** Taking over 2,000 positions from the reader holds up the main thread for some 6 ms (measured). */
const TRACK_PAGE = 2_000;

/**
 * Positions on their way to the writer: as numbers and texts in the order of the columns. To clone an object for each of
 * them cost either thread as much as to insert it (measured).
 */
export interface PackedPositions {
  /** Those that the positions name by their place in this list. */
  vehicle_ids: string[];
  /** The vehicle's place and the columns that are numbers, of each position; NaN stands for NULL. */
  numbers: Float64Array;
  /** Alarms and attributes of each position as JSON. */
  texts: (string | null)[];
}

export function packPositions(rows: readonly PositionRow[]): PackedPositions {
  const places = new Map<string, number>();
  const numbers = new Float64Array(rows.length * (1 + numberColumns.length));
  const texts: (string | null)[] = [];
  let at = 0;
  for (const row of rows) {
    let place = places.get(row.vehicle_id);
    if (place === undefined) {
      place = places.size;
      places.set(row.vehicle_id, place);
    }
    numbers[at++] = place;
    for (const column of numberColumns) {
      const value = row[column];
      numbers[at++] = value === null ? NaN : Number(value);
    }
    for (const column of textColumns) texts.push(fromJsonOrEmpty(row[column]));
  }
  return { vehicle_ids: [...places.keys()], numbers, texts };
}

/** Takes the place of what stands at the same (vehicle, time). */
export function writePositions(db: Database, packed: PackedPositions, numberOf: VehicleKeys): void {
  const { numbers, texts } = packed;
  const vehicles = packed.vehicle_ids.map(numberOf);
  dropChangedDays(db, packed, vehicles);
  const row: SqlValue[] = [];
  for (let at = 0, text = 0; at < numbers.length;) {
    row[0] = vehicles[numbers[at++] ?? NaN] ?? null;
    for (let column = 1; column <= numberColumns.length; column++) {
      const value = numbers[at++] ?? NaN;
      row[column] = Number.isNaN(value) ? null : value;
    }
    for (let column = 1; column <= textColumns.length; column++) {
      row[numberColumns.length + column] = texts[text++] ?? null;
    }
    db.run(insert, row);
  }
}

function dropChangedDays(db: Database, { numbers }: PackedPositions, vehicles: readonly number[]): void {
  const spans = vehicles.map(() => ({ from_ms: Infinity, to_ms: -Infinity }));
  for (let at = 0; at < numbers.length; at += 1 + numberColumns.length) {
    const [span, time_ms = NaN] = [spans[numbers[at] ?? NaN], numbers[at + 1]];
    if (span === undefined) continue;
    if (time_ms < span.from_ms) span.from_ms = time_ms;
    if (time_ms > span.to_ms) span.to_ms = time_ms;
  }
  for (const [place, { from_ms, to_ms }] of spans.entries()) {
    const vehicle = vehicles[place];
    if (vehicle !== undefined && to_ms >= from_ms) dropDaysBefore(db, vehicle, from_ms, to_ms);
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
    if (vehicle === null) continue;
    const [cells] = db.cells<PositionCells>(
      `SELECT ${positionColumns} FROM positions WHERE vehicle_key = ? AND time_ms = ?`,
      [vehicle, time_ms],
    );
    if (cells !== undefined) found.push(positionOf(vehicle_id, cells));
  }
  return found;
}

export interface TrackQuery {
  vehicle_id: string;
  from_ms: number;
  to_ms: number;
}

/** The first `limit` positions of the period, both ends included, in order of time. */
export function trackPage(db: Database, query: TrackQuery & { limit: number }): PositionRow[] {
  const vehicle = knownVehicle(db, query.vehicle_id);
  if (vehicle === null) return [];
  return db
    .cells<PositionCells>(trackPageSql, [vehicle, query.from_ms, query.to_ms, query.limit])
    .map((cells) => positionOf(query.vehicle_id, cells));
}

/** Reads a track page after page, each when it is asked for. */
export function pageByPage(
  read: Call<TrackQuery & { limit: number }, PositionRow[]>,
): (query: TrackQuery) => AsyncIterable<PositionRow[]> {
  return (query) => {
    // The next page may be asked for by a socket that was written to: it is read for the same user still.
    const asBefore = AsyncLocalStorage.snapshot();
    async function* pages(): AsyncGenerator<PositionRow[]> {
      let { from_ms } = query;
      for (;;) {
        const page = await asBefore(read, { ...query, from_ms, limit: TRACK_PAGE });
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (last === undefined || page.length < TRACK_PAGE) return;
        from_ms = last.time_ms + 1;
      }
    }
    return pages();
  };
}
