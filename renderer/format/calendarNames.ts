import {
  createCalendarNames,
  type CalendarNames,
  type WeekParts,
} from '../../server/contract/calendarDays.ts';
import { formats, type Formats } from './formats.ts';

let known: { of: Formats; names: CalendarNames } | null = null;

function names(): CalendarNames {
  const of = formats.getState();
  if (known?.of !== of) known = { of, names: createCalendarNames(of.locale, ({ from }) => from) };
  return known.names;
}

/** Thu 19 Nov, of 2026-11-19 */
export const weekdayName = (date: string): string => names().weekday(date);

/** 19 Nov */
export const shortDayName = (date: string): string => names().shortDay(date);

/** What days, weeks and months are called in the language of the user. */
export const calendarNames = (weekName: (parts: WeekParts) => string): CalendarNames =>
  createCalendarNames(formats.getState().locale, weekName);
