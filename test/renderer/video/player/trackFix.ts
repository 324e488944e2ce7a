import type { Position } from '../../../../server/contract/positions.ts';
import { samplePosition } from '../../samples.ts';

export const TRACK_START = Date.parse('2026-11-19T11:03:00Z');

/** A position so many seconds after the start of a track, with what matters set. */
export function trackFix(second: number, fields: Partial<Position> = {}): Position {
  const time = new Date(TRACK_START + second * 1_000).toISOString();
  return samplePosition({
    vehicle_id: '00000000-0000-4000-8000-000000000017',
    terminal_id: '1017',
    time,
    received_at: time,
    lat: 52,
    lon: 13,
    speed_kmh: 50,
    course_deg: 0,
    ...fields,
  });
}
