import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAttempt, abandoned } from '../../../../server/notifications/channels/afterAttempt.ts';
import { away, type SendResult } from '../../../../server/notifications/channels/sender.ts';
import type { DeliveryRow } from '../../../../server/store/telemetry/rows.ts';
import { deliveryRow } from './rows.ts';

const dayMs = 86_400_000;

/** The pauses between tries that end at once, in seconds, and what is left at the end. */
function livedThrough(result: SendResult): { pauses: number[]; last: DeliveryRow } {
  const pauses: number[] = [];
  let row = deliveryRow();
  for (let now = 0; row.status === 'waiting';) {
    row = afterAttempt(row, result, now);
    if (row.next_attempt_ms === null) break;
    pauses.push((row.next_attempt_ms - now) / 1_000);
    now = row.next_attempt_ms;
  }
  return { pauses, last: row };
}

describe('the state after a delivery attempt', () => {
  it('a delivery is sent, with its time', () => {
    const row = afterAttempt(deliveryRow({ last_error: 'before' }), { outcome: 'sent', detail: 'ok' }, 7);
    expect(row).toMatchObject({
      status: 'sent',
      attempts: 1,
      sent_ms: 7,
      next_attempt_ms: null,
      last_error: null,
    });
  });

  it('a delivery that was refused is given up, with its reason', () => {
    const row = afterAttempt(deliveryRow(), { outcome: 'refused', detail: 'It answered 404.' }, 7);
    expect(row).toMatchObject({
      status: 'failed',
      attempts: 1,
      next_attempt_ms: null,
      last_error: 'It answered 404.',
    });
    expect(abandoned(deliveryRow(), 'gone')).toMatchObject({
      status: 'failed',
      attempts: 0,
      last_error: 'gone',
    });
  });

  it('a delivery is tried again after growing delays, then hourly, for a day', () => {
    const { pauses, last } = livedThrough(away('nobody'));
    expect(pauses.slice(0, 8)).toEqual([10, 30, 120, 600, 1_800, 3_600, 3_600, 3_600]);
    expect(pauses.slice(6).every((pause) => pause === 3_600)).toBe(true);
    const lived = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(lived).toBeLessThanOrEqual(86_400);
    expect(lived).toBeGreaterThan(86_400 - 3_600);
    expect(last).toMatchObject({ status: 'failed', last_error: 'nobody', attempts: pauses.length + 1 });
  });

  it('a delivery waits as long as the receiver asks, from ten seconds to an hour', () => {
    const pauseFor = (retryAfterS: number) =>
      afterAttempt(deliveryRow(), { outcome: 'later', detail: '', retryAfterS, isUnreachable: false }, 0)
        .next_attempt_ms;
    expect([0, 5, 45, 3_600, 90_000].map(pauseFor)).toEqual([10_000, 10_000, 45_000, 3_600_000, 3_600_000]);
  });

  it('a delivery never waits past its day, and its delay is never longer than an hour', () => {
    const results = fc.oneof(
      fc.constant(away('x')),
      fc.record({
        outcome: fc.constant('later' as const),
        detail: fc.string(),
        retryAfterS: fc.option(fc.nat(10_000_000)),
        isUnreachable: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(results, fc.nat(60), fc.nat(2 * dayMs), (result, attempts, now) => {
        const row = afterAttempt(deliveryRow({ attempts }), result, now);
        if (row.next_attempt_ms === null) {
          expect(row.status).toBe('failed');
          expect(now + 3_600_000).toBeGreaterThan(dayMs);
        } else {
          expect(row.next_attempt_ms - now).toBeGreaterThanOrEqual(10_000);
          expect(row.next_attempt_ms - now).toBeLessThanOrEqual(3_600_000);
          expect(row.next_attempt_ms).toBeLessThanOrEqual(dayMs);
        }
      }),
    );
  });
});
