import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { mergePositions } from '../../../server/telemetry/mergePositions.ts';
import { positionRow } from './positions.ts';

const maybe = (...values: number[]) => fc.constantFrom<number | null>(null, ...values);
const value = fc.constantFrom<string | number | boolean | null>(null, 1, '1', true, 'true', 2, 'a', '', 0);
// Few values of each, so that reports agree, differ and leave out alike; names of what every object has among them.
const anyReport: fc.Arbitrary<PositionRow> = fc
  .record({
    received_ms: fc.constantFrom(10, 20),
    lat: fc.constantFrom(0, 52.5, 52.6),
    lon: fc.constantFrom(0, 13.4, 13.5),
    valid: fc.boolean(),
    altitude_m: maybe(0, 30),
    speed_kmh: maybe(0, 50),
    course_deg: maybe(0, 359),
    accuracy_m: maybe(3),
    satellites: maybe(0, 9),
    hdop: maybe(1),
    ignition: fc.constantFrom(null, true, false),
    odometer_m: maybe(5, 6),
    battery_pct: maybe(0, 99),
    alarms: fc.subarray(['sos', 'power_cut', 'low_battery']).map((them) => them.sort()),
    attributes: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__', 'toString'), value, {
      noNullPrototype: true,
    }),
  })
  .map(positionRow);

/** What is stored after the second report; when it was first heard of is kept beside. */
function join(stored: PositionRow, added: PositionRow): Omit<PositionRow, 'received_ms'> {
  const { received_ms: _, ...rest } = mergePositions(stored, added) ?? stored;
  return rest;
}

const asRow = (joined: Omit<PositionRow, 'received_ms'>): PositionRow => ({ ...joined, received_ms: 0 });

describe('two reports of one vehicle and time', () => {
  it('two reports of one vehicle and time say the same in either order', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (a, b) => {
        expect(join(a, b)).toEqual(join(b, a));
      }),
      { numRuns: 3_000 },
    );
  });

  it('two reports of one vehicle and time say the same however three are put together', () => {
    fc.assert(
      fc.property(anyReport, anyReport, anyReport, (a, b, c) => {
        expect(join(asRow(join(a, b)), c)).toEqual(join(a, asRow(join(b, c))));
      }),
      { numRuns: 3_000 },
    );
  });

  it('two reports of one vehicle and time say nothing new the second time', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (a, b) => {
        expect(mergePositions(a, a)).toBeNull();
        const both = asRow(join(a, b));
        expect(mergePositions(both, a)).toBeNull();
        expect(mergePositions(both, b)).toBeNull();
      }),
      { numRuns: 3_000 },
    );
  });

  it('two reports of one vehicle and time lose nothing that only one of them says', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (a, b) => {
        const both = join(a, b);
        expect(both.alarms).toEqual([...new Set([...a.alarms, ...b.alarms])].sort());
        for (const key of ['speed_kmh', 'ignition', 'battery_pct', 'odometer_m'] as const) {
          if (b[key] === null) expect(both[key]).toBe(a[key]);
        }
        for (const [key, said] of Object.entries(a.attributes)) {
          if (!Object.hasOwn(b.attributes, key))
            expect(Object.getOwnPropertyDescriptor(both.attributes, key)?.value).toBe(said);
        }
      }),
    );
  });

  it('two reports of one vehicle and time stand where the one with a fix says', () => {
    const fix = positionRow({ lat: 1, lon: 2 });
    const none = positionRow({ lat: 60, lon: 60, valid: false, ignition: true });
    for (const both of [join(fix, none), join(none, fix)]) {
      expect(both).toMatchObject({ lat: 1, lon: 2, valid: true, ignition: true });
    }
  });

  it('two reports of one vehicle and time were received when the first of them was', () => {
    const [early, late] = [
      positionRow({ received_ms: 10, battery_pct: 5 }),
      positionRow({ received_ms: 20, hdop: 1 }),
    ];
    expect(mergePositions(late, early)?.received_ms).toBe(10);
    expect(mergePositions(early, late)?.received_ms).toBe(10);
  });
});
