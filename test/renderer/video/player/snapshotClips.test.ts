import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import { clipOfChannel, clipsOfMoment, untilReady } from '../../../../renderer/video/player/useSnapshot.ts';
import { FakeMedia } from './fakeMedia.ts';

function at(channel: number, s: number, fields: Partial<FakeMedia> = {}) {
  return { channel, clip: { media: Object.assign(new FakeMedia(60), { at: s }, fields) } };
}

test('a snapshot takes the clips with frames at the moment of the clock, and no other', () => {
  const clips = [
    at(1, 10),
    at(2, 10.09),
    at(3, 10.2),
    at(4, 9.8),
    at(5, 10, { seeking: true }),
    at(6, 10, { picture: false }),
  ];
  expect(clipsOfMoment(clips, 10).map((it) => it.channel)).toEqual([1, 2]);
});

test('a snapshot takes the clip of one channel wherever it is, but not while it is seeking', () => {
  const clips = [at(1, 10), at(2, 12), at(3, 10, { seeking: true })];
  expect(clipOfChannel(clips, 2)?.clip.media.position()).toBe(12);
  expect(clipOfChannel(clips, 3)).toBeUndefined();
});

test('a snapshot waits for clips that are still seeking, up to its time limit', async () => {
  let nowMs = 0;
  let looks = 0;
  const frames: Frames = {
    next(run) {
      nowMs += 16;
      queueMicrotask(run);
      return () => undefined;
    },
  };
  const late = at(1, 10, { seeking: true });
  await untilReady(
    () => {
      looks += 1;
      if (looks === 5) late.clip.media.seeking = false;
      return { ready: clipsOfMoment([late], 10).length, of: 1 };
    },
    frames,
    () => nowMs,
  );
  expect(looks).toBe(5);
  await untilReady(
    () => ({ ready: 0, of: 1 }),
    frames,
    () => nowMs,
  );
  expect(nowMs).toBeGreaterThanOrEqual(1_000);
});
