import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import type { FrameTimes } from '../../../../renderer/video/player/frameTimes.ts';
import { createPlayback } from '../../../../renderer/video/player/playback.ts';
import { preroll } from '../../../../renderer/video/player/channelScreen.ts';
import { FakeMedia, steadyFrames } from './fakeMedia.ts';

const FRAME_S = 1 / 60;

/** A clock led by a clip that runs, and another clip on standby. */
function setUp(next: FakeMedia, times: FrameTimes | null = null) {
  let nowMs = 0;
  const due = new Set<() => void>();
  const frames: Frames = {
    next(run) {
      due.add(run);
      return () => due.delete(run);
    },
  };
  const lead = new FakeMedia(60);
  const playback = createPlayback(frames, 60, () => nowMs);
  playback.attach(1, lead, steadyFrames(0, 60, 25));
  playback.start();
  let readyAt: { clock: number; clip: number; isPaused: boolean } | null = null;
  const begin = () =>
    preroll({
      media: next,
      times,
      playback,
      frames,
      onReady: () => {
        readyAt = { clock: playback.store.getState().position, clip: next.at, isPaused: next.paused };
      },
    });
  const run = (seconds: number) => {
    for (let at = 0; at < seconds; at += FRAME_S) {
      nowMs += FRAME_S * 1_000;
      lead.run(FRAME_S);
      next.run(FRAME_S);
      const all = [...due];
      due.clear();
      for (const it of all) it();
    }
  };
  return { playback, lead, run, begin, ready: () => readyAt };
}

/** A clip whose seeks take so many frames of the screen. */
const slow = (seekFrames: number, skew = 1): FakeMedia =>
  Object.assign(new FakeMedia(60, skew), { seekFrames });

test.each([0.25, 1, 2, 8])(
  'a prerolled clip is ready when it runs with a clock of %d times the speed',
  (rate) => {
    const next = slow(20);
    const { playback, run, begin, ready } = setUp(next);
    playback.setRate(rate);
    playback.play();
    run(2 / rate);
    begin();
    run(4);
    const { clock = 0, clip = Infinity, isPaused } = ready() ?? {};
    expect(Math.abs(clip - clock) / Math.max(1, rate)).toBeLessThanOrEqual(0.1);
    expect(isPaused).toBe(false);
  },
);

test('a prerolled clip goes further ahead when it takes long to get there', () => {
  const next = slow(90);
  const { playback, run, begin, ready } = setUp(next);
  playback.play();
  run(1);
  begin();
  run(12);
  expect(ready()).not.toBeNull();
  expect(next.seeks.length).toBeGreaterThan(1);
});

test('a prerolled clip stands on the very frame of a clock that stands', () => {
  const next = slow(10);
  const { playback, run, begin, ready } = setUp(next);
  playback.seek(7);
  run(0.1);
  begin();
  run(1);
  expect(ready()).toEqual({ clock: 7, clip: 7, isPaused: true });
});

test('a prerolled clip follows a clock that is sought, begins and pauses meanwhile', () => {
  const next = slow(30);
  const { playback, run, begin, ready } = setUp(next);
  playback.play();
  run(1);
  begin();
  run(0.2);
  playback.seek(30);
  run(0.2);
  playback.pause();
  run(2);
  const { clock = 0, clip = Infinity } = ready() ?? {};
  expect(clip).toBeCloseTo(clock, 2);
});

test('a prerolled clip waits until it has frames, and is ready where it has none at all', () => {
  const blind = Object.assign(new FakeMedia(60), { picture: false });
  const { playback, run, begin, ready } = setUp(blind);
  playback.play();
  begin();
  run(2);
  expect(ready()).toBeNull();

  const late = slow(5);
  const other = setUp(late, steadyFrames(20, 60, 25));
  other.playback.play();
  other.begin();
  other.run(1);
  expect(other.ready()?.clip).toBe(20);
  expect(other.ready()?.isPaused).toBe(true);
});

test('a prerolled clip does no more once it is given up', () => {
  const next = slow(5);
  const { playback, run, begin, ready } = setUp(next);
  playback.play();
  begin()();
  run(3);
  expect([ready(), next.seeks]).toEqual([null, []]);
});
