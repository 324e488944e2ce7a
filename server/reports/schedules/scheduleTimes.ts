import { momentsIn, type DayParts } from '../../contract/localTime.ts';
import type { NewReportSchedule } from '../../contract/reportSchedules.ts';
import type { TimeRange } from '../../geofences/scheduleClock.ts';
import { wallClock } from '../localDays.ts';

export type Timing = Pick<NewReportSchedule, 'every' | 'at' | 'weekday' | 'monthday'>;

const dayMs = 86_400_000;
/** No schedule pauses for longer. */
const maxPauseDays = 32;

/** A day of the calendar as the UTC midnight of that date, to be counted with. */
const dateOf = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`);

function partsOf(date_ms: number): DayParts {
  const date = new Date(date_ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Monday is 1. */
const weekdayOf = (date_ms: number): number => new Date(date_ms).getUTCDay() || 7;

function isDay({ every, weekday, monthday }: Timing, date_ms: number): boolean {
  switch (every) {
    case 'day':
      return true;
    case 'week':
      return weekdayOf(date_ms) === weekday;
    case 'month': {
      const { year, month, day } = partsOf(date_ms);
      return day === Math.min(monthday, new Date(Date.UTC(year, month, 0)).getUTCDate());
    }
  }
}

function momentsOf({ at }: Timing, timeZone: string): (date_ms: number) => number {
  const momentOf = momentsIn(timeZone);
  const second = Number(at.slice(0, 2)) * 3_600 + Number(at.slice(3)) * 60;
  return (date_ms) => momentOf(partsOf(date_ms), second);
}

/** When it was due last, Unix ms; where the clocks left that time out, as much later as they jumped. */
export function lastDue(timing: Timing, timeZone: string, now_ms: number): number {
  const dueOn = momentsOf(timing, timeZone);
  const today = dateOf(wallClock(timeZone)(now_ms));
  for (let date = today; date >= today - maxPauseDays * dayMs; date -= dayMs) {
    const due_ms = dueOn(date);
    if (isDay(timing, date) && due_ms <= now_ms) return due_ms;
  }
  return -Infinity;
}

/** When it is due next. */
export function nextDue(timing: Timing, timeZone: string, now_ms: number): number {
  const dueOn = momentsOf(timing, timeZone);
  const today = dateOf(wallClock(timeZone)(now_ms));
  for (let date = today; date <= today + maxPauseDays * dayMs; date += dayMs) {
    const due_ms = dueOn(date);
    if (isDay(timing, date) && due_ms > now_ms) return due_ms;
  }
  return Infinity;
}

/** What a report that is due at a moment is about: the whole day, week from Monday, or month before that date. */
export function periodBefore(every: Timing['every'], timeZone: string, due_ms: number): TimeRange {
  const momentOf = momentsIn(timeZone);
  const startOf = (date_ms: number) => momentOf(partsOf(date_ms), 0);
  const today = dateOf(wallClock(timeZone)(due_ms));
  if (every === 'month') {
    const { year, month } = partsOf(today);
    return { from_ms: startOf(Date.UTC(year, month - 2, 1)), to_ms: startOf(Date.UTC(year, month - 1, 1)) };
  }
  const end = every === 'day' ? today : today - (weekdayOf(today) - 1) * dayMs;
  return { from_ms: startOf(end - (every === 'day' ? 1 : 7) * dayMs), to_ms: startOf(end) };
}
