import { expect, test } from 'vitest';
import { clipOffset, shiftMedia, shiftTimes } from '../../../../renderer/video/player/clipLoads.ts';
import { gapsOf } from '../../../../renderer/video/player/frameTimes.ts';
import { FakeMedia, steadyFrames } from './fakeMedia.ts';

const order = { from: '2026-11-19T11:03:18.000Z' };

test('the clip offset follows the time of the first frame, before or after the requested time', () => {
  expect(clipOffset(order, '2026-11-19T11:03:22.500Z', null)).toBe(4.5);
  expect(clipOffset(order, '2026-11-19T11:03:15.000Z', null)).toBe(-3);
  // A file whose own first picture comes late says so once, not twice.
  expect(clipOffset(order, '2026-11-19T11:03:22.500Z', steadyFrames(1, 5, 10))).toBe(3.5);
  expect(clipOffset(order, null, steadyFrames(1, 5, 10))).toBe(0);
});

test('the clip offset gives the gap before a clip that begins late, and none of the time before the request', () => {
  expect(gapsOf(shiftTimes(steadyFrames(0, 56, 10), 4), 60)).toEqual([{ fromS: 0, toS: 4 }]);
  expect(gapsOf(shiftTimes(steadyFrames(0, 70, 10), -5), 60)).toEqual([]);
  const [gap] = gapsOf(shiftTimes({ times: Float64Array.of(0, 0.1, 0.2, 10, 10.1), endS: 60 }, -5), 5);
  expect(gap).toEqual({ fromS: 0, toS: 5 });
});

test('the clip offset lets a shifted clip be queried and sought in the time of the request', () => {
  const media = new FakeMedia(60);
  const late = shiftMedia(media, 4);
  late.seek(10);
  expect([media.at, late.position(), late.duration()]).toEqual([6, 10, 64]);
  late.seek(1);
  expect(media.at, 'nothing lies before its beginning').toBe(0);
  expect(shiftMedia(media, 0)).toBe(media);
});
