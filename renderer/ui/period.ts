import type { DepotTime } from '../format/depotTime.ts';

/** A stretch of time, Unix ms; the end is not part of it. */
export interface Period {
  from: number;
  to: number;
}

export const PERIODS = ['hour', 'today', 'yesterday', 'week', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the named period is now; days begin by the depot's clocks. */
export function namedPeriod(name: PeriodName, now: number, time: Pick<DepotTime, 'dayStart'>): Period {
  const today = time.dayStart(now);
  switch (name) {
    case 'hour':
      return { from: now - HOUR_MS, to: now };
    case 'today':
      return { from: today, to: now };
    case 'yesterday':
      return { from: time.dayStart(today - 1), to: today };
    case 'week':
      return { from: now - 7 * DAY_MS, to: now };
    case 'month':
      return { from: now - 30 * DAY_MS, to: now };
  }
}

/** How much later the clock may be than when a period was named. */
const SAME_WITHIN_MS = 5 * 60_000;

/** The name of a period that was named a moment ago; null for one of its own. */
export function nameOfPeriod(
  { from, to }: Period,
  now: number,
  time: Pick<DepotTime, 'dayStart'>,
): PeriodName | null {
  const close = (a: number, b: number) => Math.abs(a - b) <= SAME_WITHIN_MS;
  return (
    PERIODS.find((name) => {
      const named = namedPeriod(name, now, time);
      return close(named.from, from) && close(named.to, to);
    }) ?? null
  );
}
