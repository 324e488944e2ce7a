import type { Event } from '../../server/contract/events.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime } from '../desk/useMoment.ts';
import { eventWords } from '../notifications/alarmWords.ts';
import { severityOfEvent } from './eventSeverity.ts';

/** Warnings and alarms above the chart of a day, at their moments. */
export function EventMarks({ events, from, to }: { events: readonly Event[]; from: number; to: number }) {
  const desk = useDesk();
  const time = useDepotTime();
  const span = to - from;
  if (span <= 0) return null;
  return (
    <svg className="event-marks" width="100%" height={10} aria-hidden>
      {events.map((event) => {
        const severity = severityOfEvent(event, desk.notifications.store.getState().byId.values());
        const at = (Date.parse(event.time) - from) / span;
        if (severity === 'info' || at < 0 || at > 1) return null;
        const colour = severity === 'alarm' ? 'var(--alarm)' : 'var(--warn)';
        return (
          <svg key={event.event_id} x={`${at * 100}%`} overflow="visible">
            <path d="M-4 1h8l-4 7z" fill={severity === 'alarm' ? colour : 'none'} stroke={colour}>
              <title>{`${time.clock(Date.parse(event.time))} ${eventWords(event, desk).short}`}</title>
            </path>
          </svg>
        );
      })}
    </svg>
  );
}
