import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { eventWords } from '../../notifications/alarmWords.ts';
import { severityOfEvent } from '../../vehicles/eventSeverity.ts';
import { dayMarks, type DayMark } from './dayMarks.ts';

/** So wide is a mark that can be hit (WCAG 2.5.8). */
const MARK_PX = 24;

export interface EventMarked extends DayMark {
  /** Milliseconds since 1970. */
  at: number;
  /** When and what it was, and how many others lie too close to be told apart. */
  words: string;
}

/**
 * The marks of events on a line, in words.
 *
 * @param placeOf where a moment lies on the line, pixels
 */
export function useEventMarks(events: readonly Event[], placeOf: (at: number) => number): EventMarked[] {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const notifications = useStore(desk.notifications.store, (state) => state.byId);
  const marks = dayMarks(
    events,
    (event) => severityOfEvent(event, notifications.values()),
    (event) => placeOf(Date.parse(event.time)),
    MARK_PX,
  );
  return marks.map((mark) => {
    const at = Date.parse(mark.event.time);
    const own = `${time.clock(at)} ${eventWords(mark.event, desk).short}`;
    const words = mark.others === 0 ? own : say('day.close', { event: own, count: mark.others });
    return { ...mark, at, words };
  });
}
