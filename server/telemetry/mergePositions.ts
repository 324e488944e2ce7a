import { isDeepStrictEqual } from 'node:util';
import type { PositionRow } from '../store/telemetry/rows.ts';

/**
 * What two reports of one vehicle and time say together; null when `added` says nothing that `stored` does not. What
 * one leaves out the other fills in, alarms and attributes are joined. Where both name different values neither is the
 * better one: the greater is taken, so that the order of arrival makes no difference.
 */
export function mergePositions(stored: PositionRow, added: PositionRow): PositionRow | null {
  const [low, high] = placeOrder(stored, added) <= 0 ? [stored, added] : [added, stored];
  const place = stored.valid === added.valid ? high : stored.valid ? stored : added;
  const merged: PositionRow = {
    vehicle_id: stored.vehicle_id,
    time_ms: stored.time_ms,
    received_ms: Math.min(stored.received_ms, added.received_ms),
    lat: place.lat,
    lon: place.lon,
    valid: stored.valid || added.valid,
    altitude_m: greater(low.altitude_m, high.altitude_m),
    speed_kmh: greater(low.speed_kmh, high.speed_kmh),
    course_deg: greater(low.course_deg, high.course_deg),
    accuracy_m: greater(low.accuracy_m, high.accuracy_m),
    satellites: greater(low.satellites, high.satellites),
    hdop: greater(low.hdop, high.hdop),
    ignition:
      low.ignition === null || high.ignition === null
        ? (low.ignition ?? high.ignition)
        : low.ignition || high.ignition,
    odometer_m: greater(low.odometer_m, high.odometer_m),
    battery_pct: greater(low.battery_pct, high.battery_pct),
    alarms: [...new Set([...stored.alarms, ...added.alarms])].sort(),
    attributes: mergeAttributes(stored.attributes, added.attributes),
  };
  return isDeepStrictEqual(merged, { ...stored, received_ms: merged.received_ms }) ? null : merged;
}

function placeOrder(a: PositionRow, b: PositionRow): number {
  return a.lat - b.lat || a.lon - b.lon;
}

function greater(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

function mergeAttributes(
  a: PositionRow['attributes'],
  b: PositionRow['attributes'],
): PositionRow['attributes'] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(
    keys.map((key) => {
      const [left, right] = [ownValue(a, key), ownValue(b, key)];
      if (left === null || right === null) return [key, left ?? right];
      return [key, rankOf(left) >= rankOf(right) ? left : right];
    }),
  );
}

/** Terminals choose the names: one of them may be that of something which every object has. */
function ownValue(attributes: PositionRow['attributes'], key: string) {
  return Object.hasOwn(attributes, key) ? (attributes[key] ?? null) : null;
}

/** The number 1 and the text 1 are two values. */
function rankOf(value: string | number | boolean): string {
  return `${value} ${typeof value}`;
}
