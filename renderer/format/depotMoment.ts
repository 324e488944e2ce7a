/** Moments as an operator types them, in the depot's time zone. */
import type { DayParts } from '../../server/contract/localTime.ts';

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
