import fc from 'fast-check';
import { expect, it } from 'vitest';
import { following, overlapOf, panned, viewAround, zoomed } from '../../../renderer/history/barView.ts';

const HOUR = 3_600_000;
const day = { from: 5 * HOUR, to: 29 * HOUR };
const views = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.double({ min: 0.1, max: 1, noNaN: true }))
  .map(([hour, hours]) => ({ from: day.from + hour * HOUR, to: day.from + (hour + hours) * HOUR }));

it('the time bar shows a part of the day of two minutes at least, however it is zoomed and moved', () => {
  fc.assert(
    fc.property(
      views,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.001, max: 1_000, noNaN: true }),
      fc.integer({ min: -40, max: 40 }),
      (view, share, factor, hours) => {
        const at = view.from + share * (view.to - view.from);
        for (const next of [zoomed(view, day, at, factor), panned(view, day, hours * HOUR)]) {
          expect(next.from).toBeGreaterThanOrEqual(day.from);
          expect(next.to).toBeLessThanOrEqual(day.to + 0.001);
          expect(next.to - next.from).toBeGreaterThanOrEqual(119_999);
        }
      },
    ),
  );
});

it('a zoom keeps the instant under the pointer where it is, away from the ends of the day', () => {
  const view = { from: day.from + 8 * HOUR, to: day.from + 12 * HOUR };
  const at = view.from + HOUR;
  expect(zoomed(view, day, at, 0.5)).toEqual({ from: at - HOUR / 2, to: at + 1.5 * HOUR });
  expect(zoomed(view, day, at, 100)).toEqual(day);
});

it('the time bar follows an instant that has left it, and shows a span with a little beside it', () => {
  const view = { from: day.from, to: day.from + 2 * HOUR };
  expect(following(view, day, day.from + HOUR)).toBe(view);
  const next = following(view, day, view.to);
  expect(next.from).toBeLessThan(view.to);
  expect(next.to - next.from).toBe(2 * HOUR);
  const span = { from: day.from + 10 * HOUR, to: day.from + 11 * HOUR };
  expect(viewAround(span, day)).toEqual({ from: span.from - HOUR / 10, to: span.to + HOUR / 10 });
  expect(overlapOf(span, view)).toBeNull();
  expect(overlapOf({ from: 0, to: span.from }, span)).toBeNull();
  expect(overlapOf({ from: 0, to: span.to }, span)).toEqual(span);
});
