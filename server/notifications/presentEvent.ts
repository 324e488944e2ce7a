import type { Event } from '../contract/events.ts';
import type { Viewer } from '../http/viewer.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Sight } from './sight.ts';

/** With all that it names. */
export function eventOf(row: EventRow): Event {
  const { time_ms, received_ms, ...rest } = row;
  return { ...rest, time: isoTime(time_ms), received_at: isoTime(received_ms) };
}

/** With what the viewer may read of it. */
export function presentEvent(row: EventRow, viewer: Viewer, sight: Sight): Event {
  return eventOf(sight.of(row, viewer));
}
