import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createDeliveryQueues,
  afterAttempt,
  abandoned,
} from '../../../../server/notifications/channels/deliveryQueues.ts';
import { deliveryRow } from './rows.ts';
import fc from 'fast-check';
import { away, type SendResult } from '../../../../server/notifications/channels/sender.ts';
import type { DeliveryRow } from '../../../../server/store/telemetry/rows.ts';

const rowsOf = (rule_id: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    deliveryRow({ rule_id, created_ms: at, target: `http://h${at % 7}/` }),
  );

function taken(lanes: ReturnType<typeof createDeliveryQueues>) {
  const rows = [];
  for (let row = lanes.take(0); row !== null; row = lanes.take(0)) {
    rows.push(row);
    lanes.drop(row);
  }
  return rows;
}

describe('the lanes of deliveries', () => {
  it('the lanes of deliveries lose nothing while a rule and all together keep to their numbers', () => {
    const lanes = createDeliveryQueues();
    lanes.add([...rowsOf('a', 100), ...rowsOf('b', 100)]);
    expect(lanes.trim({ ofRule: 100, ofAll: 200 })).toEqual([]);
  });

  it('the lanes of deliveries lose the oldest of a rule that has too many', () => {
    const lanes = createDeliveryQueues();
    lanes.add([...rowsOf('a', 101), ...rowsOf('b', 100)]);
    const dropped = lanes.trim({ ofRule: 100, ofAll: 1_000 });
    expect(new Set(dropped.map((it) => it.rule_id))).toEqual(new Set(['a', 'b']));
    expect(Math.max(...dropped.map((it) => it.created_ms))).toBe(10);
    expect(taken(lanes)).toHaveLength(180);
  });

  it('the lanes of deliveries of too many in all lose those of the rules that have most', () => {
    const lanes = createDeliveryQueues();
    lanes.add([...rowsOf('flood', 900), ...rowsOf('many', 300), ...rowsOf('sos', 5)]);
    lanes.trim({ ofRule: 1_000, ofAll: 500 });
    const left = taken(lanes).map((it) => it.rule_id);
    const count = (rule: string) => left.filter((it) => it === rule).length;
    expect([count('sos'), count('many'), count('flood')]).toEqual([5, 222, 222]);
  });

  it('the lanes of deliveries of too many in all leave a user with one rule as much as a user with many', () => {
    const lanes = createDeliveryQueues(undefined, (rule) => (rule === 'sos' ? null : (rule[0] ?? null)));
    const many = Array.from({ length: 20 }, (_, at) => rowsOf(`m${at}`, 50)).flat();
    lanes.add([...many, ...rowsOf('f1', 250), ...rowsOf('sos', 100)]);
    lanes.trim({ ofRule: 1_000, ofAll: 500 });
    const left = Map.groupBy(taken(lanes), (it) => it.rule_id);
    const count = (rule: string) => left.get(rule)?.length;
    expect([count('sos'), count('f1'), count('m0'), count('m19')]).toEqual([100, 175, 8, 8]);
  });

  it('the lanes of deliveries count what was dropped, sent or forgotten no more', () => {
    const lanes = createDeliveryQueues();
    for (let round = 0; round < 20; round++) {
      lanes.add(rowsOf('a', 90));
      expect(lanes.trim({ ofRule: 90, ofAll: 90 })).toEqual([]);
      if (round % 2 === 0) lanes.forget(() => true);
      else taken(lanes);
    }
    expect(lanes.nextMoment(0)).toBeNull();
  });

  it('the lanes of deliveries give others at the same place with one that was taken', () => {
    const lanes = createDeliveryQueues();
    const [rule_id, target] = [randomUUID(), 'http://there/'];
    const rows = Array.from({ length: 3 }, (_, at) => deliveryRow({ rule_id, target, created_ms: at }));
    const others = [deliveryRow({ target }), deliveryRow({ rule_id, target: 'http://elsewhere/' })];
    lanes.add([...rows, ...others]);
    const row = lanes.take(0) ?? expect.fail();
    expect(row).toBe(rows[0]);
    expect(lanes.takeAlike(row, (it) => it.rule_id === rule_id)).toEqual(rows.slice(1));
    expect(lanes.takeAlike(row, () => true)).toEqual(others.slice(0, 1));
  });
});

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
    const { pauses, last } = livedThrough(away({ code: 'verbatim', values: { detail: 'nobody' } }));
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
      fc.constant(away({ code: 'verbatim', values: { detail: 'x' } })),
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
