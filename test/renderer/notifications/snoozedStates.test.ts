import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Snooze } from '../../../server/contract/notifications.ts';
import { cameBack, sameSnoozes, snoozesOf } from '../../../renderer/notifications/snoozes.ts';
import { sampleNotification } from '../samples.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString();

function snooze(fields: Partial<Snooze>): Snooze {
  return {
    snooze_id: 's1',
    vehicle_id: null,
    rule_id: null,
    until: at(15),
    note: null,
    created_by: 'u1',
    created_at: at(0),
    ...fields,
  };
}

const row = sampleNotification();
const ofVehicle = snooze({ snooze_id: 'vehicle', vehicle_id: 'v1' });
const ofRule = snooze({ snooze_id: 'rule', rule_id: 'r1' });

describe('a snoozed alarm', () => {
  it('a snoozed alarm is an open row of a snoozed vehicle or of a snoozed rule', () => {
    for (const it of [ofVehicle, ofRule]) {
      expect(snoozesOf([row], [it], NOON).get('n1')).toEqual({ until: NOON + 15 * MINUTE, snooze: it });
    }
    const others = [
      sampleNotification({ vehicle_id: 'v2', rule_id: 'r2' }),
      sampleNotification({ state: 'acknowledged' }),
    ];
    expect(snoozesOf(others, [ofVehicle, ofRule], NOON).size).toBe(0);
  });

  it('an SOS is snoozed only with its own rule', () => {
    const sos = sampleNotification({ event_kind: 'sos' });
    expect(snoozesOf([sos], [ofVehicle], NOON).size).toBe(0);
    expect(snoozesOf([sos], [ofVehicle, ofRule], NOON).get('n1')?.snooze).toBe(ofRule);
  });

  it('a snoozed alarm stays so until the last of its snoozes is over, and not a moment longer', () => {
    const longer = snooze({ snooze_id: 'longer', rule_id: 'r1', until: at(60) });
    const snoozedAt = (minutes: number) =>
      snoozesOf([row], [ofVehicle, longer], NOON + minutes * MINUTE).get('n1');
    expect(snoozedAt(1)?.snooze).toBe(longer);
    expect(snoozedAt(59)?.snooze).toBe(longer);
    expect(snoozedAt(60)).toBeUndefined();
  });

  it('a snoozed alarm is recognised by the row itself where the snooze is not known', () => {
    const published = sampleNotification({ shelved_until: at(15) });
    const snoozedAt = (minutes: number) => snoozesOf([published], [], NOON + minutes * MINUTE).get('n1');
    expect(snoozedAt(0)).toEqual({ until: NOON + 15 * MINUTE, snooze: null });
    expect(snoozedAt(15)).toBeUndefined();
  });

  it('a snoozed alarm does not depend on the order of the snoozes', () => {
    const any = fc.record({
      snooze_id: fc.uuid(),
      vehicle_id: fc.constantFrom('v1', null),
      until: fc.integer({ min: -30, max: 30 }).map(at),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (list) => {
        const snoozes = list.map((it) => snooze({ ...it, rule_id: it.vehicle_id === null ? 'r1' : null }));
        const until = (all: readonly Snooze[]) => snoozesOf([row], all, NOON).get('n1')?.until ?? null;
        const ends = snoozes.map((it) => Date.parse(it.until)).filter((it) => it > NOON);
        expect(until(snoozes)).toBe(ends.length === 0 ? null : Math.max(...ends));
        expect(until([...snoozes].reverse())).toBe(until(snoozes));
      }),
    );
  });
});

describe('a returning alarm', () => {
  const before = snoozesOf([row], [ofVehicle], NOON);

  it('a returning alarm is reported when the time of its snooze is over, and not when a user ends it', () => {
    expect(cameBack(before, new Map(), NOON + 15 * MINUTE)).toEqual(['n1']);
    expect(cameBack(before, new Map(), NOON + MINUTE)).toEqual([]);
    expect(cameBack(before, before, NOON + 15 * MINUTE)).toEqual([]);
  });

  it('a returning alarm is compared by the snooze and its end', () => {
    expect(sameSnoozes(before, snoozesOf([row], [{ ...ofVehicle }], NOON + 1))).toBe(true);
    expect(sameSnoozes(before, new Map())).toBe(false);
    expect(sameSnoozes(before, snoozesOf([row], [{ ...ofVehicle, until: at(20) }], NOON))).toBe(false);
  });
});
