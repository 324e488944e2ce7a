import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { eventWords } from '../../notifications/alarmLabels.ts';
import { severityOfEvent } from '../../vehicles/eventSeverity.ts';
import { dayMarks, type DayMark } from './dayMarks.ts';

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
