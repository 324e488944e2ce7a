import type { Severity } from '../../../server/contract/rules.ts';
import type { Event } from '../../../server/contract/events.ts';
import type { Notification } from '../../../server/contract/notifications.ts';
import {
  alarmLabels,
  eventWords,
  type AlarmLabels,
  type WordParts,
} from '../../notifications/alarmLabels.ts';
import { severityOfEvent } from '../../vehicles/eventSeverity.ts';
import type { VideoRequest } from './videoOrders.ts';

/** What an order is about, when it is about an event. */
export interface OrderSubject {
  severity: Severity;
  words: AlarmLabels;
  /** Overspeed 94 in a 60 */
  title: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it happened and what was allowed, as far as it is said. */
  limitKmh: number | null;
}

/** The event behind an order: by its row in the queue, else by the event itself; null for a moment that was chosen. */
export function orderSubject(
  order: Pick<VideoRequest, 'eventId'>,
  known: { notifications: Iterable<Notification>; events: ReadonlyMap<string, Event> },
  deps: WordParts,
): OrderSubject | null {
  const { eventId } = order;
  if (eventId === null) return null;
  const notifications = [...known.notifications];
  const row = notifications.find((it) => it.event_ids.includes(eventId));
  if (row !== undefined) {
    return subject(row.event_kind, row.severity, alarmLabels(row, deps), row.last_time, row.values.threshold);
  }
  const event = known.events.get(eventId);
  if (event === undefined) return null;
  const severity = severityOfEvent(event, notifications);
  return subject(event.kind, severity, eventWords(event, deps), event.time, event.values.threshold);
}

function subject(
  kind: Event['kind'],
  severity: Severity,
  words: AlarmLabels,
  time: string,
  threshold: number | null,
): OrderSubject {
  const short = words.short.charAt(0).toUpperCase() + words.short.slice(1);
  return {
    severity,
    words,
    title: kind === 'overspeed' ? `${words.kind} ${words.short}` : short,
    at: Date.parse(time),
    limitKmh: kind === 'overspeed' ? threshold : null,
  };
}
