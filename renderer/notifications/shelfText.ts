import type { DepotTime } from '../format/depotTime.ts';
import type { Say } from '../i18n/text.ts';
import type { Shelf } from './shelving.ts';

/** Shelved until 12:30, vehicle snoozed by K. Weiss */
export function shelfText(
  { until, snooze }: Shelf,
  { say, time, names, now }: { say: Say; time: DepotTime; names: ReadonlyMap<string, string>; now: number },
): string {
  const moment = untilText(until, time, now);
  if (snooze === null) return say('snooze.until', { time: moment });
  const values = { time: moment, user: names.get(snooze.created_by) ?? say('user.another') };
  return snooze.rule_id === null ? say('snooze.vehicle_until', values) : say('snooze.rule_until', values);
}

/** 12:30 today, else with its day. */
export function untilText(until: number, time: DepotTime, now: number): string {
  return time.dayStart(until) === time.dayStart(now)
    ? time.minute(until)
    : `${time.date(until)} ${time.minute(until)}`;
}
