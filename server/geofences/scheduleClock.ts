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

/** A stretch of time, Unix ms; the end is not in it. */
export interface TimeRange {
  from_ms: number;
  to_ms: number;
}

const minuteMs = 60_000;
/** Since 1972 the clocks of all time zones differ from UTC by quarters of an hour, and are changed at those. */
const quarter = 15;

/** When a schedule holds within a period, in order; null is the whole period. */
export function activeSpans(schedule: Schedule | null, period: TimeRange): TimeRange[] {
  if (schedule === null) return [{ ...period }];
  const spans: TimeRange[] = [];
  let began_ms = isActive(schedule, period.from_ms) ? period.from_ms : null;
  for (const at_ms of turningPoints(schedule, period)) {
    const active = isActive(schedule, at_ms);
    if (active === (began_ms !== null)) continue;
    if (began_ms !== null) spans.push({ from_ms: began_ms, to_ms: at_ms });
    began_ms = active ? at_ms : null;
  }
  if (began_ms !== null) spans.push({ from_ms: began_ms, to_ms: period.to_ms });
  return spans;
}

/** All moments within the period at which the schedule may begin or end to hold. */
function* turningPoints({ ranges }: Schedule, { from_ms, to_ms }: TimeRange): Generator<number> {
  const minutes = ranges.flatMap(({ from, to }) =>
    [from, to].map((clock) => Number(clock.slice(3)) % quarter),
  );
  // Zero, for the moments at which clocks are changed.
  const offsets = [...new Set([0, ...minutes])].sort((a, b) => a - b);
  const firstQuarter = Math.floor(from_ms / minuteMs / quarter) * quarter;
  for (let minute = firstQuarter; minute * minuteMs < to_ms; minute += quarter) {
    for (const offset of offsets) {
      const at_ms = (minute + offset) * minuteMs;
      if (at_ms > from_ms && at_ms < to_ms) yield at_ms;
    }
  }
}
