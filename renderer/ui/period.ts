import type { DepotTime } from '../format/depotTime.ts';

export const PERIODS = ['hour', 'today', 'yesterday', 'week', 'month'] as const;
/** The whole past is offered by lists alone, which read it page by page. */
export type PeriodName = (typeof PERIODS)[number] | 'all';

/** A stretch of time, Unix ms; the end is not part of it. */
export interface Period {
  from: number;
  to: number;
  /** As it was chosen: an hour after midnight, today and the last hour have the same ends. */
  name?: PeriodName;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the named period is now; days begin by the depot's clocks. */
export function namedPeriod(name: PeriodName, now: number, time: Pick<DepotTime, 'dayStart'>): Period {
  const today = time.dayStart(now);
  switch (name) {
    case 'hour':
      return { name, from: now - HOUR_MS, to: now };
    case 'today':
      return { name, from: today, to: now };
    case 'yesterday':
      return { name, from: time.dayStart(today - 1), to: today };
    case 'week':
      return { name, from: now - 7 * DAY_MS, to: now };
    case 'month':
      return { name, from: now - 30 * DAY_MS, to: now };
    case 'all':
      return { name, from: 0, to: now };
  }
}

/** How much later the clock may be than when a period was named. */
const SAME_WITHIN_MS = 5 * 60_000;

/** The name of a period that was named a moment ago, by its ends where it has none; null for one of its own. */
export function nameOfPeriod(
  { from, to, name: chosen }: Period,
  now: number,
  time: Pick<DepotTime, 'dayStart'>,
): PeriodName | null {
  const close = (a: number, b: number) => Math.abs(a - b) <= SAME_WITHIN_MS;
  return (
    (chosen === undefined ? PERIODS : [chosen]).find((name) => {
      const named = namedPeriod(name, now, time);
      return close(named.from, from) && close(named.to, to);
    }) ?? null
  );
}
