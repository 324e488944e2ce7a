import { fromFlag, fromJsonOrEmpty } from './columns.ts';
import type { PositionRow } from './rows.ts';

/**
 * Positions on their way to the writer: as numbers and texts in the order of the columns. To clone an object for each of
 * them cost either thread as much as to insert it (measured).
 */
export interface PackedPositions {
  /** Those that the positions name by their place in this list. */
  vehicle_ids: string[];
  /** `packedNumbers` for each position; NaN stands for NULL. */
  numbers: Float64Array;
  /** Alarms and attributes of each position as JSON. */
  texts: (string | null)[];
}

/** The vehicle's place, and all columns that are numbers. */
export const packedNumbers = 15;

export function packPositions(rows: readonly PositionRow[]): PackedPositions {
  const places = new Map<string, number>();
  const numbers = new Float64Array(rows.length * packedNumbers);
  const texts: (string | null)[] = [];
  let at = 0;
  for (const row of rows) {
    let place = places.get(row.vehicle_id);
    if (place === undefined) {
      place = places.size;
      places.set(row.vehicle_id, place);
    }
    numbers[at] = place;
    numbers[at + 1] = row.time_ms;
    numbers[at + 2] = row.received_ms;
    numbers[at + 3] = row.lat;
    numbers[at + 4] = row.lon;
    numbers[at + 5] = row.altitude_m ?? NaN;
    numbers[at + 6] = row.speed_kmh ?? NaN;
    numbers[at + 7] = row.course_deg ?? NaN;
    numbers[at + 8] = row.accuracy_m ?? NaN;
    numbers[at + 9] = row.satellites ?? NaN;
    numbers[at + 10] = row.hdop ?? NaN;
    numbers[at + 11] = fromFlag(row.valid);
    numbers[at + 12] = fromFlag(row.ignition) ?? NaN;
    numbers[at + 13] = row.odometer_m ?? NaN;
    numbers[at + 14] = row.battery_pct ?? NaN;
    texts.push(fromJsonOrEmpty(row.alarms), fromJsonOrEmpty(row.attributes));
    at += packedNumbers;
  }
  return { vehicle_ids: [...places.keys()], numbers, texts };
}
