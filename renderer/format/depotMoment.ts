/** Moments as an operator types them, in the depot's time zone. */
import type { DayParts } from '../../server/contract/localTime.ts';
import { formats } from './formats.ts';

/** 14:30 by the clock of the user, where it is read: 2:30 pm. */
export function shownClock(clock: string): string {
  const { locale, hourCycle } = formats.getState();
  if (hourCycle === 'h23') return clock;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ timeZone: 'UTC', hourCycle, hour: 'numeric', minute: '2-digit' },
  });
  return format.format(Date.parse(`1970-01-01T${clock}Z`));
}

/** 2026-11-19 */
export function dateField(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
}

/** 12:03:18 */
export function timeField(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' }).format(ms);
}

/** null for what is no day of the calendar. */
export function readDate(text: string): DayParts | null {
  const found = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text);
  if (found === null) return null;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const check = new Date(Date.UTC(year, month - 1, day));
  return check.getUTCMonth() === month - 1 && check.getUTCDate() === day ? { year, month, day } : null;
}

/** Seconds since midnight by the clock on the wall; takes 12:03:18, 12:03 and 9:14. Null for what is no time. */
export function readTime(text: string): number | null {
  const found = /^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(text);
  if (found === null) return null;
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  return hours < 24 && minutes < 60 && seconds < 60 ? hours * 3_600 + minutes * 60 + seconds : null;
}
