import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { graver } from '../notifications/queueOrder.ts';

/** How grave an event is: as its notification says; without one it is information. */
export function severityOfEvent(event: Event, notifications: Iterable<Notification>): Severity {
  let severity: Severity = 'info';
  for (const it of notifications) {
    if (it.event_ids.includes(event.event_id)) severity = graver(severity, it.severity);
  }
  return severity;
}
