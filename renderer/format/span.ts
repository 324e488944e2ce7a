import { formatAge, withTimeUnit } from './age.ts';

const NBSP = '\u00a0';

/** A span to the second: 45 s, 1 min 30 s, 20 min; from an hour on as ages are. */
export function formatDuration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1_000));
  if (s < 60 || s >= 3_600 || s % 60 === 0) return formatAge(s * 1_000);
  return `${withTimeUnit(Math.floor(s / 60), 'min')}${NBSP}${withTimeUnit(s % 60, 's')}`;
}

/**
 * A measured span beside the one that is allowed, the second without its unit where the first says it: 42 min and 20,
 * 1 min 50 s and 1 min 30 s. `count` chooses between "is" and "are".
 */
export function spanAgainst(
  measuredMs: number,
  allowedMs: number,
): { measured: string; allowed: string; count: number } {
  const allowedWhole = formatDuration(allowedMs);
  // To the minute, unless the allowed span is finer than that.
  const measured = isInMinutes(allowedMs) ? formatAge(measuredMs) : formatDuration(measuredMs);
  const [number = '', ...unit] = allowedWhole.split(NBSP);
  const sameUnit = unit.length === 1 && measured.split(NBSP).slice(1).join() === unit[0];
  const isOne = unit.length === 1 && number === '1';
  return { measured, allowed: sameUnit ? number : allowedWhole, count: isOne ? 1 : 2 };
}

const isInMinutes = (ms: number): boolean => ms >= 60_000 && ms % 60_000 === 0;
