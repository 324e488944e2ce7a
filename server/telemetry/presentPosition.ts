import type { Position } from '../contract/positions.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function presentPosition(row: PositionRow, terminal_id: string): Position {
  const { time_ms, received_ms, vehicle_id, ...rest } = row;
  return { vehicle_id, terminal_id, time: isoTime(time_ms), received_at: isoTime(received_ms), ...rest };
}
