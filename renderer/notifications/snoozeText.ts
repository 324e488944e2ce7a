import type { DepotTime } from '../format/depotTime.ts';
import type { Translate } from '../i18n/text.ts';
import type { SnoozedState } from './snoozeStore.ts';
import { maxSnoozeS } from '../../server/contract/notifications.ts';

/** Shelved until 12:30, vehicle snoozed by K. Weiss */
export function formatSnooze(
  { until, snooze }: SnoozedState,
  { t, time, names, now }: { t: Translate; time: DepotTime; names: ReadonlyMap<string, string>; now: number },
): string {
  const moment = formatUntil(until, time, now);
  if (snooze === null) return t('snooze.until', { time: moment });
  const values = { time: moment, user: names.get(snooze.created_by) ?? t('user.another') };
  return snooze.rule_id === null ? t('snooze.vehicle_until', values) : t('snooze.rule_until', values);
}

/** 12:30 today, else with its day. */
export function formatUntil(until: number, time: DepotTime, now: number): string {
  return time.dayStart(until) === time.dayStart(now)
    ? time.minute(until)
    : `${time.date(until)} ${time.minute(until)}`;
}

/** Seconds. The rest of a shift is taken as half of one of eight hours. */
export const SNOOZE_SPANS = { quarter: 900, hour: 3_600, shift: 14_400 } as const;

export type SnoozeSpan = keyof typeof SNOOZE_SPANS | 'own';

/** Seconds of a span that was typed in minutes; null for what is none, or longer than a snooze may last. */
export function ownDurationS(minutes: string): number | null {
  const text = minutes.trim().replace(',', '.');
  const seconds = Number(text) * 60;
  return text !== '' && Number.isFinite(seconds) && seconds >= 1 && seconds <= maxSnoozeS ? seconds : null;
}
