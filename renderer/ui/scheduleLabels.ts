import type { Schedule } from '../../server/contract/schedule.ts';
import { shownClock } from '../format/depotMoment.ts';
import { formats } from '../format/formats.ts';

type Range = Schedule['ranges'][number];

/** Monday to Sunday, as the contract numbers them (ISO 8601). */
const weekDays = [1, 2, 3, 4, 5, 6, 7] as const;

export interface DayName {
  day: number;
  /** Mon */
  short: string;
  /** Monday */
  long: string;
}

/** From the first day of the user's week on. */
export function dayNames(language = formats.getState().locale): DayName[] {
  const name = (day: number, weekday: 'short' | 'long') =>
    // The first of January 2024 was a Monday.
    new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
  const first = weekDays.indexOf(formats.getState().firstDay);
  const ordered = [...weekDays.slice(first), ...weekDays.slice(0, first)];
  return ordered.map((day) => ({ day, short: name(day, 'short'), long: name(day, 'long') }));
}

/** What a hand types for a time of the day: 8, 830, 8:30 and 08.30 become HH:MM; anything else stays as it is. */
export function tidyClock(typed: string): string {
  const text = typed.trim();
  const [, hours = '', minutes = '00'] = /^(\d{1,2}?)(?:[:.h ]?(\d{2}))?$/.exec(text) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return text;
  return `${hours.padStart(2, '0')}:${minutes}`;
}

export const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Whether a range goes on into the next day. Texts of HH:MM are in the order of their times. */
export const endsNextDay = ({ from, to }: Range): boolean => isClock(from) && isClock(to) && to <= from;

/** Mon – Fri 08:00 – 17:00, Sat 09:00 – 12:00, by the clock of the user */
export function formatSchedule({ ranges }: Schedule, names: readonly DayName[] = dayNames()): string {
  return ranges
    .map((range) => `${formatDays(range.days, names)} ${shownClock(range.from)} – ${shownClock(range.to)}`)
    .join(', ');
}

/** Days that follow each other are said by the first and the last of them. */
function formatDays(days: readonly number[], names: readonly DayName[]): string {
  const short = (day: number) => names.find((it) => it.day === day)?.short ?? String(day);
  const runs: [first: number, last: number][] = [];
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  return runs
    .map(([first, last]) =>
      first === last ? short(first) : `${short(first)}${last === first + 1 ? ', ' : ' – '}${short(last)}`,
    )
    .join(', ');
}
