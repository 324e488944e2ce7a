/** Moments as an operator types them, in the depot's time zone. */

/** 2026-11-19 */
export function dateField(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
}

/** 12:03:18 */
export function timeField(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' }).format(ms);
}

export interface DayParts {
  year: number;
  month: number;
  day: number;
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

/**
 * The moment (milliseconds since 1970) at which the clocks of a zone show a day and a time. Where they show it twice,
 * the first time; where they jump over it, as much later as they jump.
 */
export function parseDateTime({ year, month, day }: DayParts, secondOfDay: number, timeZone: string): number {
  const wall = Date.UTC(year, month - 1, day) + secondOfDay * 1_000;
  const offset = offsets(timeZone);
  const before = offset(wall - 86_400_000);
  const after = offset(wall + 86_400_000);
  const fits = [wall - Math.max(before, after), wall - Math.min(before, after)].find(
    (ms) => ms + offset(ms) === wall,
  );
  return fits ?? wall - before;
}

/** How far a zone's clocks are ahead of UTC at a moment, milliseconds. */
export function offsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map((it) => [it.type, Number(it.value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return wall - Math.floor(ms / 1_000) * 1_000;
  };
}
