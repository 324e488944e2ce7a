import { expect, test } from 'vitest';
import { marksOf } from '../../../../renderer/video/store/clipIndex.ts';

test('the mark list gathers the marks of all channels, each moment once, by time', () => {
  const front = {
    marks: [
      { at: 3_000, note: 'brakes' },
      { at: 1_000, note: '' },
    ],
  };
  const cabin = {
    marks: [
      { at: 3_000, note: 'brakes' },
      { at: 2_000, note: 'phone' },
    ],
  };
  expect(marksOf([front, undefined, cabin])).toEqual([
    { at: 1_000, note: '' },
    { at: 2_000, note: 'phone' },
    { at: 3_000, note: 'brakes' },
  ]);
});
