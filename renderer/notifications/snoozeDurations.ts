import { maxSnoozeS } from '../../server/contract/notifications.ts';

/** Seconds. The rest of a shift is taken as half of one of eight hours. */
export const SNOOZE_SPANS = { quarter: 900, hour: 3_600, shift: 14_400 } as const;

export type SnoozeSpan = keyof typeof SNOOZE_SPANS | 'own';

/** Seconds of a span that was typed in minutes; null for what is none, or longer than a snooze may last. */
export function ownDurationS(minutes: string): number | null {
  const text = minutes.trim().replace(',', '.');
  const seconds = Number(text) * 60;
  return text !== '' && Number.isFinite(seconds) && seconds >= 1 && seconds <= maxSnoozeS ? seconds : null;
}
