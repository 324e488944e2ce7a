import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { SendResult } from './sending.ts';

/** After the first try, the second, and so on; the last holds for all further ones. */
const pauses_s = [10, 30, 120, 600, 1_800, 3_600] as const;
const shortestPause_s = pauses_s[0];
export const longestPause_s = 3_600;
/** An alarm that is older is no longer news. */
const lifeMs = 86_400_000;

/** The delivery after a try that ended at `now_ms`. */
export function afterTry(row: DeliveryRow, result: SendResult, now_ms: number): DeliveryRow {
  const tried = { ...row, attempts: row.attempts + 1 };
  switch (result.outcome) {
    case 'sent':
      return { ...tried, status: 'sent', next_try_ms: null, last_error: null, sent_ms: now_ms };
    case 'refused':
      return givenUp(tried, result.detail);
    case 'later': {
      const next_try_ms = now_ms + pauseOf(tried.attempts, result.retryAfter_s) * 1_000;
      if (next_try_ms > row.created_ms + lifeMs) return givenUp(tried, result.detail);
      return { ...tried, next_try_ms, last_error: result.detail };
    }
  }
}

export function givenUp(row: DeliveryRow, reason: string): DeliveryRow {
  return { ...row, status: 'failed', next_try_ms: null, last_error: reason };
}

function pauseOf(attempts: number, retryAfter_s: number | null): number {
  if (retryAfter_s !== null) return Math.min(Math.max(retryAfter_s, shortestPause_s), longestPause_s);
  return pauses_s[attempts - 1] ?? longestPause_s;
}
