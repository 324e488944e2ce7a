import type { Notification } from '../contract/notifications.ts';
import type { Viewer } from '../http/viewer.ts';
import type { NotificationRow, EventRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Seen, Sight } from './sight.ts';
import type { Event } from '../contract/events.ts';

/** With all that it names. */
export function eventOf(row: EventRow): Event {
  const { time_ms, received_ms, ...rest } = row;
  return { ...rest, time: isoTime(time_ms), received_at: isoTime(received_ms) };
}

/** With what the viewer may read of it. */
export function presentEvent(row: EventRow, viewer: Viewer, sight: Sight): Event {
  return eventOf(sight.of(row, viewer));
}

/**
 * With all that it names.
 *
 * @param shelved_until_ms until when its vehicle or its rule is snoozed; null when neither is
 */
export function notificationOf(
  row: Seen<NotificationRow>,
  shelved_until_ms: number | null = null,
  escalation: Notification['escalation'] = null,
): Notification {
  const { first_ms, last_ms, ongoing_until_ms, updated_ms, ack, ...rest } = row;
  return {
    ...rest,
    first_time: isoTime(first_ms),
    last_time: isoTime(last_ms),
    ongoing_until: ongoing_until_ms === null ? null : isoTime(ongoing_until_ms),
    ack: ack === null ? null : { user_id: ack.user_id, at: isoTime(ack.at_ms), note: ack.note },
    shelved_until: shelved_until_ms === null ? null : isoTime(shelved_until_ms),
    escalation,
    updated_at: isoTime(updated_ms),
  };
}

/** With what the viewer may read of it. */
export function presentNotification(
  row: NotificationRow,
  viewer: Viewer,
  sight: Sight,
  shelved_until_ms: number | null,
  escalation: Notification['escalation'],
): Notification {
  return notificationOf(sight.of(row, viewer), shelved_until_ms, escalation);
}
