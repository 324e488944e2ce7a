import { expect, it } from 'vitest';
import { valueAt, valueCurve } from '../../../renderer/history/valueColumn.ts';
import { nameOfValue } from '../../../renderer/history/valueNames.ts';
import { trackFlags } from '../../../server/contract/packedTracks.ts';

const NONE = Number.NaN;

/** Times, values and whether a gap came before. */
function made(fixes: readonly [time: number, value: number, gap?: true][]) {
  return {
    columns: {
      time_ms: Float64Array.from(fixes, ([time]) => time),
      flags: Uint8Array.from(fixes, ([, , gap]) => (gap === true ? trackFlags.gap_before : 0)),
    },
    values: Float64Array.from(fixes, ([, value]) => value),
  };
}

const { columns, values } = made([
  [10, NONE],
  [20, 5],
  [30, NONE],
  [41, 7],
  [43, 2],
  [45, 4],
  [80, 9, true],
  [90, NONE],
]);

it('a value holds until the next one comes, its extremes within a pixel are both drawn, and a gap stays empty', () => {
  const { low, high, least, most } = valueCurve(columns, values, { from: 0, to: 100 }, 10);
  expect([...low]).toEqual([NONE, NONE, 5, 5, 2, NONE, NONE, NONE, 9, 9]);
  expect([...high]).toEqual([NONE, NONE, 5, 5, 7, NONE, NONE, NONE, 9, 9]);
  expect([least, most]).toEqual([2, 9]);
});

it('of a part of the day the scale is that of what is seen, with the value that held at its beginning', () => {
  const { low, least, most } = valueCurve(columns, values, { from: 24, to: 44 }, 4);
  expect([...low]).toEqual([5, 5, 5, 2]);
  expect([least, most]).toEqual([2, 7]);
  expect(valueCurve(columns, values, { from: 50, to: 70 }, 4).most).toBeNaN();
});

it('the value at an instant is the last one that came, and none is known before the first one, in a gap, or after the last position', () => {
  const at = (instant: number) => valueAt(columns, values, instant);
  expect([5, 10, 20, 35, 42, 45, 46, 79, 80, 85, 90, 91].map(at)).toEqual([
    ...[null, null, 5, 5, 7, 4, null, null, 9, 9, 9, null],
  ]);
});

it('the name of a value is read as words and a unit', () => {
  expect(
    ['fuel_level_pct', 'battery_v', 'fuel_rate_l_h', 'door_open', 'c', 'engine_rpm', 'io_12'].map(
      nameOfValue,
    ),
  ).toEqual([
    { label: 'Fuel level', unit: '%', quantity: null },
    { label: 'Battery', unit: 'V', quantity: null },
    { label: 'Fuel rate', unit: 'l/h', quantity: 'volume' },
    { label: 'Door open', unit: '', quantity: null },
    { label: 'C', unit: '', quantity: null },
    { label: 'Engine', unit: 'rpm', quantity: null },
    { label: 'Io 12', unit: '', quantity: null },
  ]);
});
