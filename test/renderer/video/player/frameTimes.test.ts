import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameAt, gapsOf, stepFrom, type FrameTimes } from '../../../../renderer/video/player/frameTimes.ts';
import { gapAt, gapToReport } from '../../../../renderer/video/player/channelViews.ts';

const clip = (times: number[], endS: number): FrameTimes => ({ times: Float64Array.from(times), endS });

/** Pictures that follow each other by 1 ms to 4 s. */
const clips = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 60 }).map((lengths) => {
  let at = 0;
  const times = lengths.map((length) => (at += length) / 1_000);
  return clip(times, (times.at(-1) ?? 0) + 0.04);
});

test('the frame index finds the frame that is on, and none before the first', () => {
  const one = clip([1, 1.04, 1.5], 1.6);
  expect([0, 0.999, 1, 1.039, 1.04, 1.3, 1.5, 9].map((s) => frameAt(one, s))).toEqual([
    -1, -1, 0, 0, 1, 1, 2, 2,
  ]);
});

test('the frame index comes past every frame once, forwards and back again', () => {
  fc.assert(
    fc.property(clips, (it) => {
      const walk = (from: number, by: 1 | -1): number[] => {
        const seen: number[] = [];
        for (let at = stepFrom(it, from, by); at !== null; at = stepFrom(it, at, by))
          seen.push(frameAt(it, at));
        return seen;
      };
      const all = [...it.times.keys()];
      expect(walk(0, 1)).toEqual(all);
      expect(walk(it.endS, -1)).toEqual(all.slice(0, -1).reverse());
    }),
  );
});

test('the frame index steps into a frame, not onto its edge', () => {
  const one = clip([0, 0.04, 0.0405], 0.08);
  expect(stepFrom(one, 0, 1)).toBeCloseTo(0.04025, 6);
  expect(stepFrom(one, 0.0402, 1)).toBeCloseTo(0.0415, 6);
  expect(stepFrom(one, 0.05, 1)).toBeNull();
  expect(stepFrom(one, 0, -1)).toBeNull();
});

test('the gap list gives where a clip begins late, has a hole and ends early', () => {
  const times = [4, 4.1, 4.2, 4.3, 9.3, 9.4, 9.5];
  const gaps = gapsOf(clip(times, 9.6), 20);
  expect(gaps.map(({ fromS, toS }) => [fromS.toFixed(1), toS.toFixed(1)])).toEqual([
    ['0.0', '4.0'],
    ['4.4', '9.3'],
    ['9.6', '20.0'],
  ]);
});

test('the frame index takes neither the cut of a camera nor its seldom frames for a hole', () => {
  expect(gapsOf(clip([0.4, 0.8, 1.2, 2.5, 2.9], 3.3), 5)).toEqual([]);
  expect(gapsOf(clip([0, 5, 10, 15, 20], 25), 26)).toEqual([]);
});

test('the frame index does not take the length that a file gives its last frame for a frame', () => {
  expect(gapsOf(clip([0, 0.1, 0.2], 30), 30)).toEqual([{ fromS: 2.2, toS: 30 }]);
});

test('a clip without a single frame is one gap', () => {
  expect(gapsOf(clip([], 0), 30)).toEqual([{ fromS: 0, toS: 30 }]);
});

test('the gap list names the gap that the moment lies in or comes to, else the last', () => {
  const gaps = [
    { fromS: 0, toS: 4 },
    { fromS: 10, toS: 12 },
  ];
  expect([0, 3.9, 4, 11, 12, 20].map((s) => gapAt(gaps, s))).toEqual([0, 0, -1, 1, -1, -1]);
  expect([0, 5, 11, 15].map((s) => gapToReport(gaps, s)?.fromS)).toEqual([0, 10, 10, 10]);
  expect(gapToReport([], 3)).toBeNull();
});
