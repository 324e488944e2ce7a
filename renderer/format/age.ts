import { formats } from './formats.ts';

/** A number and its unit stay on one line. */
const NBSP = '\u00a0';
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

type TimeUnit = 'd' | 'h' | 'min' | 's';

/** 3 s, with the sign of the unit in the language of the user. */
export const withTimeUnit = (value: number, unit: TimeUnit): string =>
  `${value}${NBSP}${formats.getState().words[`unit.${unit}`]}`;

/** How long something took or is ago, in the two units that matter: 3 s, 43 s, 7 min, 2 h 10 min, 3 d 4 h. */
export function formatAge(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < MINUTE) return withTimeUnit(s, 's');
  if (s < HOUR) return withTimeUnit(Math.floor(s / MINUTE), 'min');
  if (s < DAY) return pair(Math.floor(s / HOUR), 'h', Math.floor((s % HOUR) / MINUTE), 'min');
  return pair(Math.floor(s / DAY), 'd', Math.floor((s % DAY) / HOUR), 'h');
}

/** The same in one unit, for columns: 2 h, 3 d. */
export function formatShortAge(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < HOUR) return formatAge(ms);
  return s < DAY ? withTimeUnit(Math.floor(s / HOUR), 'h') : withTimeUnit(Math.floor(s / DAY), 'd');
}

function pair(large: number, largeUnit: TimeUnit, small: number, smallUnit: TimeUnit): string {
  const first = withTimeUnit(large, largeUnit);
  return small === 0 ? first : `${first}${NBSP}${withTimeUnit(small, smallUnit)}`;
}
