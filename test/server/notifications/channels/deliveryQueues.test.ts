import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDeliveryQueues } from '../../../../server/notifications/channels/deliveryQueues.ts';
import { deliveryRow } from './rows.ts';

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
