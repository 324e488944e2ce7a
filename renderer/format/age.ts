/** A number and its unit stay on one line. */
const NBSP = '\u00a0';
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** How long something took or is ago, in the two units that matter: 3 s, 43 s, 7 min, 2 h 10 min, 3 d 4 h. */
export function formatAge(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < MINUTE) return `${s}${NBSP}s`;
  if (s < HOUR) return `${Math.floor(s / MINUTE)}${NBSP}min`;
  if (s < DAY) return pair(Math.floor(s / HOUR), 'h', Math.floor((s % HOUR) / MINUTE), 'min');
  return pair(Math.floor(s / DAY), 'd', Math.floor((s % DAY) / HOUR), 'h');
}

/** The same in one unit, for columns: 2 h, 3 d. */
export function formatShortAge(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < HOUR) return formatAge(ms);
  return s < DAY ? `${Math.floor(s / HOUR)}${NBSP}h` : `${Math.floor(s / DAY)}${NBSP}d`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${large}${NBSP}${largeUnit}`;
  return small === 0 ? first : `${first}${NBSP}${small}${NBSP}${smallUnit}`;
}
