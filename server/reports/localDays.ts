import type { TimeRange } from '../geofences/scheduleClock.ts';

/** A day of the calendar in some time zone: 23 or 25 hours long where the clocks change. */
export interface LocalDay extends TimeRange {
  /** As `2026-11-01`. */
  date: string;
}

const hourMs = 3_600_000;

/** The clock on the wall, as `2026-11-01 08:15:00`: what spreadsheets take for a time. Takes a name of the IANA list. */
export function wallClock(timeZone: string): (time_ms: number) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (time_ms) => {
    const parts = new Map(format.formatToParts(time_ms).map((part) => [part.type, part.value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
    return `${date} ${part('hour')}:${part('minute')}:${part('second')}`;
  };
}

/** The days that a period touches, each whole, in their order. */
export function localDays(timeZone: string, period: TimeRange): LocalDay[] {
  const clockAt = wallClock(timeZone);
  const dateAt = (time_ms: number) => clockAt(time_ms).slice(0, 10);

  /**
   * The first moment of a date, or of the one after it where the calendar leaves it out. Looked for by halving: it need
   * not be at 00:00, which some zones leave out when their clocks go forward.
   */
  function startOf(date: string): number {
    // Clocks are between 12 hours behind UTC and 14 hours before it.
    let before_ms = Date.parse(`${date}T00:00:00Z`) - 15 * hourMs;
    let within_ms = before_ms + 28 * hourMs;
    while (within_ms - before_ms > 1) {
      const middle_ms = Math.floor((before_ms + within_ms) / 2);
      if (dateAt(middle_ms) < date) before_ms = middle_ms;
      else within_ms = middle_ms;
    }
    return within_ms;
  }

  const days: LocalDay[] = [];
  if (period.to_ms <= period.from_ms) return days;
  let from_ms = startOf(dateAt(period.from_ms));
  while (from_ms < period.to_ms) {
    const date = dateAt(from_ms);
    const to_ms = startOf(dayAfter(date));
    days.push({ date, from_ms, to_ms });
    from_ms = to_ms;
  }
  return days;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * hourMs).toISOString().slice(0, 10);
}

/** The place in the list of the day that a moment lies in; -1 for none. */
export function dayAt(days: readonly TimeRange[], time_ms: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle]?.to_ms ?? Infinity) <= time_ms) low = middle + 1;
    else high = middle;
  }
  return (days[low]?.from_ms ?? Infinity) <= time_ms ? low : -1;
}
