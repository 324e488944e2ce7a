import { formatAge } from '../../format/age.ts';
import type { Translate } from '../../i18n/text.ts';

/** How far a clock is ahead, in its two largest units: 8 h, 5 h 30 min, −3 h, 0 s. */
export function offsetText(s: number): string {
  return `${s < 0 ? '−' : ''}${formatAge(Math.abs(s) * 1_000)}`;
}

/** What a terminal's stamps say of its clock. */
export function clockWords(suggestion_s: number, t: Translate): string {
  if (suggestion_s === 0) return t('intake.clock.right');
  return t(suggestion_s > 0 ? 'intake.clock.ahead' : 'intake.clock.behind', {
    age: offsetText(Math.abs(suggestion_s)),
  });
}
