import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bandAxis,
  dayAxis,
  durationAxis,
  roundSteps,
  timeAxis,
  valueAxis,
  type ChartData,
} from '../../../renderer/charts/chartData.ts';
import { layOutChart, markAt, markBeside } from '../../../renderer/charts/chartLayout.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';

const size = { width: 800, height: 120 };
const text = () => '';
const mark = (rowKey: string, from: number, to: number) => ({
  rowKey,
  from,
  to,
  tone: 'plain' as const,
  text,
});
const frame = { title: 'Chart', legend: [] };

it('lanes are drawn one below the other, at their share of the axis, and none outside of it', () => {
  const data: ChartData = {
    ...frame,
    shape: 'lanes',
    axis: dayAxis,
    lanes: [
      { label: 'V 1', marks: [mark('night', 0, 6), mark('noon', 12, 12)] },
      { label: 'V 2', marks: [mark('beyond', 18, 30)] },
    ],
  };
  const { marks, left, right, height, xTicks } = layOutChart(data, size);
  const [night, noon, beyond] = marks;
  expect(height).toBe(40);
  expect(night).toMatchObject({ x: left, width: (right - left) / 4 });
  // What takes no time is seen all the same.
  expect(noon).toMatchObject({ x: (left + right) / 2, width: 2 });
  expect(beyond?.y).toBe((night?.y ?? 0) + 20);
  expect((beyond?.x ?? 0) + (beyond?.width ?? 0)).toBeCloseTo(right);
  expect(xTicks.at(0)).toEqual({ x: left, label: '00:00' });
  expect(xTicks.at(-1)).toEqual({ x: right, label: '24:00' });
});

it('parts of a column stand on each other and add up to the value of the axis', () => {
  const part = (rowKey: string, value: number) => ({ rowKey, value, tone: 'plain' as const, text });
  const data: ChartData = {
    ...frame,
    shape: 'columns',
    axis: valueAxis(10, String),
    columns: [
      { label: 'Mon', parts: [part('a', 4), part('b', 6)] },
      { label: 'Tue', parts: [] },
    ],
  };
  const { marks, yTicks } = layOutChart(data, size);
  const [a, b] = marks;
  expect((a?.y ?? 0) + (a?.height ?? 0)).toBe(size.height);
  expect((b?.y ?? 0) + (b?.height ?? 0)).toBeCloseTo(a?.y ?? 0);
  expect(b?.y).toBeCloseTo(yTicks.find(({ label }) => label === '10')?.y ?? -1);
});

it('a mark is found by a pointer on it or near it, the nearest one of several, and none far away', () => {
  const points = [
    { rowKey: 'slow', x: 60, y: 5 },
    { rowKey: 'fast', x: 60, y: 40 },
    { rowKey: 'long', x: 600, y: 10 },
  ].map((point) => ({ ...point, tone: 'plain' as const, text }));
  const x = durationAxis(600, String);
  const { marks } = layOutChart({ ...frame, shape: 'points', points, x, y: valueAxis(40, String) }, size);
  for (const [at, { x: left, y: top }] of marks.entries()) {
    expect(markAt(marks, left + 3, top + 3)).toBe(at);
    expect(markAt(marks, left - 2, top + 3)).toBe(at);
  }
  expect(markAt(marks, 400, 3)).toBeNull();
  expect(marks.map(({ rowKey }) => rowKey)).toEqual(['slow', 'fast', 'long']);
});

it('arrow keys lead along a lane, to the nearest mark of the next lane, and no further than the ends', () => {
  const lanes = [
    { label: 'V 1', marks: [mark('a', 1, 2), mark('b', 10, 11)] },
    { label: 'V 2', marks: [] },
    { label: 'V 3', marks: [mark('c', 0, 1), mark('d', 12, 13)] },
  ];
  const { marks } = layOutChart({ ...frame, shape: 'lanes', axis: dayAxis, lanes }, size);
  const next = (from: string, key: string) =>
    marks[
      markBeside(
        marks,
        marks.findIndex(({ rowKey }) => rowKey === from),
        key,
      ) ?? -1
    ]?.rowKey;
  expect(next('a', 'ArrowRight')).toBe('b');
  expect(next('a', 'ArrowLeft')).toBe('a');
  expect(next('b', 'ArrowDown')).toBe('d');
  expect(next('a', 'ArrowDown')).toBe('c');
  expect(next('d', 'ArrowUp')).toBe('b');
  expect(next('d', 'ArrowDown')).toBe('d');
  expect(next('d', 'Home')).toBe('a');
  expect(next('a', 'End')).toBe('d');
  expect(next('a', 'x')).toBeUndefined();
});

it('steps of an axis are round, reach its top, and are no more than asked for', () => {
  expect(roundSteps(87, 4)).toEqual([0, 50, 100]);
  expect(roundSteps(0.3, 4)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(roundSteps(0, 4)).toEqual([0]);
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
      fc.integer({ min: 1, max: 12 }),
      (top, most) => {
        const steps = roundSteps(top, most);
        expect(steps.length - 1).toBeLessThanOrEqual(most);
        expect(steps.at(-1)).toBeGreaterThanOrEqual(top * (1 - 1e-9));
      },
    ),
  );
});

it('the axis of a period names the midnights and hours of the zone, also where the clocks change', () => {
  const time = createDepotTime('Europe/Berlin');
  const period = { from: Date.parse('2026-10-24T22:00:00Z'), to: Date.parse('2026-10-25T23:00:00Z') };
  const axis = timeAxis(period, time, (at) => time.date(at));
  expect(axis.ticks(5).map(({ label }) => label)).toEqual(['Sun 25 Oct', '05:00', '11:00', '17:00']);
  const week = { from: Date.parse('2026-10-21T22:00:00Z'), to: Date.parse('2026-10-28T23:00:00Z') };
  expect(
    timeAxis(week, time, (at) => time.date(at))
      .ticks(4)
      .map(({ label }) => label),
  ).toEqual(['Thu 22 Oct', 'Sat 24 Oct', 'Mon 26 Oct', 'Wed 28 Oct']);
});

it('axes of a day and of things side by side have as many labels as fit', () => {
  expect(dayAxis.ticks(100)).toHaveLength(25);
  expect(dayAxis.ticks(5).map(({ label }) => label)).toEqual(['00:00', '06:00', '12:00', '18:00', '24:00']);
  expect(bandAxis(['a', 'b', 'c', 'd']).ticks(2)).toEqual([
    { at: 0.5, label: 'a' },
    { at: 2.5, label: 'c' },
  ]);
});
