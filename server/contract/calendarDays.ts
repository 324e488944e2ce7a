import { offsets } from './localTime.ts';

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** What is of one day, week or month: its key, which sorts by time, and its name. */
export interface CalendarSpan {
  key: string;
  name: string;
}

const dayNumber = (date: string): number => Date.parse(date) / DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** 0 is Monday. */
const weekdayOf = (date: string): number => (((dayNumber(date) + FIRST_WEEKDAY) % 7) + 7) % 7;

/** What stands in the name of a week. */
export interface WeekParts {
  week: number;
  year: string;
  /** The first and the last day: 16 Nov. */
  from: string;
  to: string;
}

export type CalendarNames = ReturnType<typeof createCalendarNames>;

/** What days, weeks and months are called in a locale. Dates are as `2026-11-19`. */
export function createCalendarNames(locale: string, weekName: (parts: WeekParts) => string) {
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const dayName = inUtc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = inUtc({ weekday: 'short', day: 'numeric', month: 'short' });
  const shortDay = inUtc({ day: 'numeric', month: 'short' });
  const monthName = inUtc({ month: 'long', year: 'numeric' });

  return {
    /** Thu 19 Nov */
    weekday: (date: string): string => weekday.format(Date.parse(date)).replace(',', ''),

    /** 19 Nov */
    shortDay: (date: string): string => shortDay.format(Date.parse(date)),

    day: (date: string): CalendarSpan => ({
      key: date,
      name: dayName.format(Date.parse(date)).replace(',', ''),
    }),

    /** The week from Monday to Sunday with its number (ISO 8601): week 1 is that of the year's first Thursday. */
    week(date: string): CalendarSpan {
      const monday = dayNumber(date) - weekdayOf(date);
      const year = dateOf(monday + 3).slice(0, 4);
      const firstThursday = dayNumber(`${year}-01-04`) - weekdayOf(`${year}-01-04`) + 3;
      const week = (monday + 3 - firstThursday) / 7 + 1;
      const [from = '', to = ''] = [monday, monday + 6].map((day) => shortDay.format(day * DAY_MS));
      return { key: dateOf(monday), name: weekName({ week, year, from, to }) };
    },

    month: (date: string): CalendarSpan => ({
      key: date.slice(0, 7),
      name: monthName.format(Date.parse(`${date.slice(0, 7)}-01`)),
    }),
  };
}

/** All days from one to another, both included: 2026-11-19. */
export function datesBetween(first: string, last: string): string[] {
  const from = dayNumber(first);
  return Array.from({ length: Math.max(0, dayNumber(last) - from + 1) }, (_, at) => dateOf(from + at));
}

export type CalendarDays = ReturnType<typeof createCalendarDays>;

/** The days of a zone's calendar. Moments are milliseconds since 1970. */
export function createCalendarDays(timeZone: string) {
  const offsetAt = offsets(timeZone);
  /** As the clocks on the wall show it: milliseconds as if they were of UTC. */
  const wall = (ms: number): number => ms + offsetAt(ms);
  return {
    /** The day of a moment: 2026-11-19. */
    dateAt: (ms: number): string => dateOf(Math.floor(wall(ms) / DAY_MS)),
    /** What the clocks show, in hours: 13.5 is half past one. */
    hourAt: (ms: number): number => (((wall(ms) % DAY_MS) + DAY_MS) % DAY_MS) / 3_600_000,
  };
}
