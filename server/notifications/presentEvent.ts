import type { Event } from '../contract/events.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

export function presentEvent(row: EventRow): Event {
  const { time_ms, received_ms, ...rest } = row;
  return { ...rest, time: isoTime(time_ms), received_at: isoTime(received_ms) };
}
