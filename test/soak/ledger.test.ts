import { describe, expect, test } from 'vitest';
import { createLedger } from './ledger.ts';
import type { Fix } from './plan.ts';

const at = (number: number, more: Partial<Fix> = {}): Fix => ({
  ...{ time_ms: Date.UTC(2026, 10, 1) + number * 1_000, number, lat: 52.5, lon: 13.4, altitude_m: 30 },
  ...{ speed_kmh: 50, sos: false, hasFix: true, isHopeless: false, ...more },
});
const published = ({ time_ms, lat, lon }: Fix, alarms: string[] = [], n = 1) => ({
  ...{ terminal_id: 'one', time: new Date(time_ms).toISOString(), lat, lon, alarms, attributes: { n } },
});

function ledgerOf(...fixes: Fix[]) {
  const ledger = createLedger();
  for (const fix of fixes) ledger.mean('one', fix, { lat: fix.lat, lon: fix.lon, 'attributes.n': 1 });
  return ledger;
}

describe('the ledger of what terminals meant to say', () => {
  test('the ledger of what terminals meant to say has nothing against positions that are stored as they were meant', async () => {
    const ledger = ledgerOf(at(1), at(2, { sos: true }), at(3, { isHopeless: true, lat: 99 }));
    const found = await ledger.differences([published(at(2), ['sos']), published(at(1))]);
    expect(found).toEqual({ published: 2, missing: 0, doubled: 0, strange: 0, wrong: 0, lines: [] });
    expect([ledger.meant(), ledger.alarms()]).toEqual([2, 1]);
  });

  test('the ledger of what terminals meant to say finds one that is missing', async () => {
    expect(await ledgerOf(at(1), at(2)).differences([published(at(1))])).toMatchObject({
      published: 1,
      missing: 1,
    });
  });

  test('the ledger of what terminals meant to say finds one that is stored twice', async () => {
    const found = await ledgerOf(at(1)).differences([published(at(1)), published(at(1))]);
    expect(found).toMatchObject({ published: 2, missing: 0, doubled: 1 });
  });

  test.each([
    ['nobody meant', at(2)],
    ['is at no place on earth', at(3, { lat: 99 })],
  ])('the ledger of what terminals meant to say finds one that %s', async (_, fix) => {
    const ledger = ledgerOf(at(1), at(3, { isHopeless: true, lat: 99 }));
    expect(await ledger.differences([published(at(1)), published(fix)])).toMatchObject({
      missing: 0,
      strange: 1,
    });
  });

  test.each([
    ['its place', published(at(1, { lat: 52.500_01 }))],
    ['a value deeper in it', published(at(1), [], 2)],
    ['its alarms', published(at(1), ['sos'])],
  ])('the ledger of what terminals meant to say finds one that differs: %s', async (_, other) => {
    expect(await ledgerOf(at(1)).differences([other])).toMatchObject({ missing: 0, wrong: 1 });
  });

  test('the ledger of what terminals meant to say finds alarms that are missing, doubled, or without a vehicle', () => {
    const ledger = ledgerOf(at(1, { sos: true }), at(2), at(3, { sos: true }));
    const lines = ledger.alarmDifferences([published(at(1)), published(at(1)), published(at(2))]);
    expect(lines.map((it) => it.split(':')[0])).toEqual([
      'alarm doubled',
      'alarm that nobody raised',
      'alarm missing',
    ]);
  });
});
