import { expect, it } from 'vitest';
import { maxValues } from '../../../server/contract/history.ts';
import { valuesOf } from '../../../server/history/valuesOf.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';

const vehicle_id = '8f1c1d6e-6a0f-4f7e-9d39-0b7f5a3f3c11';
const period = { vehicle_id, from_ms: 0, to_ms: 1e9, gap_ms: 60_000 };

const readerOf = (attributes: readonly PositionRow['attributes'][]) => ({
  *track(): IterableIterator<PositionRow> {
    for (const [at, it] of attributes.entries())
      yield {
        ...{ vehicle_id, time_ms: at * 10_000, received_ms: at * 10_000, lat: 52, lon: 13 },
        ...{ altitude_m: null, speed_kmh: 50, course_deg: 0, accuracy_m: null, satellites: null, hdop: null },
        ...{ valid: true, ignition: true, odometer_m: null, battery_pct: null, alarms: [], attributes: it },
      };
  },
});

it('of more values than one answer holds those come that were sent most often, by name', () => {
  const often = Object.fromEntries(Array.from({ length: maxValues }, (_, at) => [`often_${at}`, at]));
  const found = valuesOf(readerOf([{ a_once: 1, ...often }, often]), period);
  expect(Object.keys(found?.values ?? {})).toEqual(Object.keys(often).sort());
});

it('a terminal that names each of its values anew fills no more columns than an answer may count', () => {
  const names = Array.from({ length: 500 }, (_, at) => ({ [`value_${at}`]: at }));
  const found = valuesOf(readerOf(names), period);
  expect(Object.keys(found?.values ?? {})).toHaveLength(maxValues);
  expect(valuesOf(readerOf([{ ['x'.repeat(65)]: 1 }]), period)?.values).toEqual({});
});

it('more fixes than one answer holds are refused, and texts are no numbers', () => {
  const five = Array.from({ length: 5 }, () => ({ name: 'Ann', on: true }));
  expect(valuesOf(readerOf(five), period, 4)).toBeNull();
  expect(valuesOf(readerOf(five), period, 5)?.values).toEqual({ on: new Float64Array(5).fill(1) });
});
