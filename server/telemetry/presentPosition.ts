import type { Position } from '../contract/positions.ts';
import { keptJson, type JsonText } from '../http/serializedJson.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function presentPosition(row: PositionRow, terminal_id: string): Position {
  const { time_ms, received_ms, vehicle_id, ...rest } = row;
  return { vehicle_id, terminal_id, time: isoTime(time_ms), received_at: isoTime(received_ms), ...rest };
}

/**
 * The same for a row that is shown again and again, as a vehicle's newest is: the same object each time, until its
 * terminal is called otherwise.
 */
export function keptPosition(row: PositionRow, terminal_id: string): Position {
  return keptOf(row, terminal_id).position;
}

/** A vehicle's newest position as JSON. */
export function keptPositionJson(row: PositionRow, terminal_id: string): JsonText {
  const entry = keptOf(row, terminal_id);
  entry.json ??= keptJson(entry.position);
  return entry.json;
}

interface Kept {
  position: Position;
  json: JsonText | null;
}

const cached = new WeakMap<PositionRow, Kept>();

function keptOf(row: PositionRow, terminal_id: string): Kept {
  const known = cached.get(row);
  if (known?.position.terminal_id === terminal_id) return known;
  const made = { position: presentPosition(row, terminal_id), json: null };
  cached.set(row, made);
  return made;
}
