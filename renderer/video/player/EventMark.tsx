import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import type { Severity } from '../../../server/contract/rules.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { eventWords } from '../../notifications/alarmLabels.ts';
import { bySeverity } from '../../notifications/queueOrder.ts';
import { severityOfEvent } from '../../vehicles/EventMarks.tsx';

const SHAPES = {
  alarm: { path: 'M8 2.5L14.5 13.5H1.5Z', colour: 'var(--alarm)' },
  warning: { path: 'M8 2L14 8L8 14L2 8Z', colour: 'var(--warn)' },
  info: { path: 'M8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z', colour: 'var(--text-3)' },
} as const;

/** An event on the bar of recordings: filled where its video was fetched (LOOKS 3). */
export function EventMark({ severity, isFetched }: { severity: Severity; isFetched: boolean }) {
  const { path, colour } = SHAPES[severity];
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden>
      <path
        d={path}
        fill={isFetched ? colour : 'var(--bg-1)'}
        stroke={colour}
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** So wide is a mark that can be hit (WCAG 2.5.8). */
const MARK_PX = 24;

export interface EventMarked extends DayMark {
  /** Milliseconds since 1970. */
  at: number;
  /** When and what it was, and how many others lie too close to be distinguished. */
  words: string;
}

/**
 * The marks of events on a line, in words.
 *
 * @param placeOf where a moment lies on the line, pixels
 */
export function useEventMarks(events: readonly Event[], placeOf: (at: number) => number): EventMarked[] {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const marks = dayMarks(
    events,
    (event) => severityOfEvent(event, notifications.values()),
    (event) => placeOf(Date.parse(event.time)),
    MARK_PX,
  );
  return marks.map((mark) => {
    const at = Date.parse(mark.event.time);
    const own = `${time.clock(at)} ${eventWords(mark.event, app).short}`;
    const words = mark.others === 0 ? own : t('day.close', { event: own, count: mark.others });
    return { ...mark, at, words };
  });
}

/** A mark on the bar of recordings: an event, and those that lie too close to have one of their own. */
interface DayMark {
  event: Event;
  severity: Severity;
  others: number;
}

/**
 * The marks of a bar, oldest first. The gravest events are marked, among equals the oldest; what lies closer to a mark
 * than `apart` belongs to it.
 *
 * @param placeOf where an event lies on the bar, in the unit of `apart`
 */
export function dayMarks(
  events: readonly Event[],
  severityOf: (event: Event) => Severity,
  placeOf: (event: Event) => number,
  apart: number,
): DayMark[] {
  const candidates = events
    .map((event) => ({ event, severity: severityOf(event), others: 0 }))
    .sort((a, b) => bySeverity(a.severity, b.severity) || compareTimes(a, b));
  const marks: DayMark[] = [];
  for (const mark of candidates) {
    const place = placeOf(mark.event);
    const near = marks.find((it) => Math.abs(placeOf(it.event) - place) < apart);
    if (near === undefined) marks.push(mark);
    else near.others += 1;
  }
  return marks.sort(compareTimes);
}

function compareTimes(a: DayMark, b: DayMark): number {
  return a.event.time < b.event.time ? -1 : a.event.time > b.event.time ? 1 : 0;
}
