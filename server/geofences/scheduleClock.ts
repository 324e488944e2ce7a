import type { Schedule } from '../contract/schedule.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const dayMinutes = 1_440;

/** Whether a schedule holds at a moment (Unix ms), by the clock on the wall in its time zone; null always does. */
export function isActive(schedule: Schedule | null, at_ms: number): boolean {
  if (schedule === null) return true;
  const { day, minute } = wallClock(schedule.timezone, at_ms);
  const dayBefore = day === 1 ? 7 : day - 1;
  return schedule.ranges.some((range) => {
    const from = minutesOf(range.from);
    const to = minutesOf(range.to);
    if (from < to) return range.days.includes(day) && minute >= from && minute < to;
    // Over midnight: this day's evening or what began the day before.
    return (range.days.includes(day) && minute >= from) || (range.days.includes(dayBefore) && minute < to);
  });
}

function minutesOf(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':');
  return (Number(hours) * 60 + Number(minutes)) % dayMinutes;
}

/** Monday is 1. */
function wallClock(timeZone: string, at_ms: number): { day: number; minute: number } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at_ms).map((part) => [part.type, part.value]));
  return {
    day: weekdays.indexOf(parts.get('weekday') ?? '') + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}
