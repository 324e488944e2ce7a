import type { Event } from '../../server/contract/events.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { graver } from '../notifications/queueOrder.ts';

/** Warnings and alarms above the chart of a day, at their moments. */
export function EventMarks({ events, from, to }: { events: readonly Event[]; from: number; to: number }) {
  const app = useAppContext();
  const time = useDepotTime();
  const span = to - from;
  if (span <= 0) return null;
  return (
    <svg className="event-marks" width="100%" height={10} aria-hidden>
      {events.map((event) => {
        const severity = severityOfEvent(event, app.notifications.store.getState().byId.values());
        const at = (Date.parse(event.time) - from) / span;
        if (severity === 'info' || at < 0 || at > 1) return null;
        const colour = severity === 'alarm' ? 'var(--alarm)' : 'var(--warn)';
        return (
          <svg key={event.event_id} x={`${at * 100}%`} overflow="visible">
            <path d="M-4 1h8l-4 7z" fill={severity === 'alarm' ? colour : 'none'} stroke={colour}>
              <title>{`${time.clock(Date.parse(event.time))} ${eventWords(event, app).short}`}</title>
            </path>
          </svg>
        );
      })}
    </svg>
  );
}

/** How grave an event is: as its notification says; without one it is information. */
export function severityOfEvent(event: Event, notifications: Iterable<Notification>): Severity {
  let severity: Severity = 'info';
  for (const it of notifications) {
    if (it.event_ids.includes(event.event_id)) severity = graver(severity, it.severity);
  }
  return severity;
}
