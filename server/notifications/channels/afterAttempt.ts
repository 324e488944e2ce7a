import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { SendResult } from './sender.ts';

/** After the first try, the second, and so on; the last holds for all further ones. */
const pauses_s = [10, 30, 120, 600, 1_800, 3_600] as const;
const minPauseS = pauses_s[0];
export const maxPauseS = 3_600;
/** An alarm that is older is no longer news. */
const lifeMs = 86_400_000;

/** The delivery after a try that ended at `now_ms`. */
export function afterAttempt(row: DeliveryRow, result: SendResult, now_ms: number): DeliveryRow {
  const tried = { ...row, attempts: row.attempts + 1 };
  switch (result.outcome) {
    case 'sent':
      return { ...tried, status: 'sent', next_attempt_ms: null, last_error: null, sent_ms: now_ms };
    case 'refused':
      return abandoned(tried, result.detail);
    case 'later': {
      const next_attempt_ms = now_ms + pauseOf(tried.attempts, result.retryAfterS) * 1_000;
      if (next_attempt_ms > row.created_ms + lifeMs) return abandoned(tried, result.detail);
      return { ...tried, next_attempt_ms, last_error: result.detail };
    }
  }
}

export function abandoned(row: DeliveryRow, reason: string): DeliveryRow {
  return { ...row, status: 'failed', next_attempt_ms: null, last_error: reason };
}

function pauseOf(attempts: number, retryAfterS: number | null): number {
  if (retryAfterS !== null) return Math.min(Math.max(retryAfterS, minPauseS), maxPauseS);
  return pauses_s[attempts - 1] ?? maxPauseS;
}
