import { expect, test } from 'vitest';
import { followInstant, paceOf } from '../../../renderer/history/followInstant.ts';
import { createHistoryClock } from '../../../renderer/history/historyClock.ts';
import { createPlayback } from '../../../renderer/video/player/playback.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { FakeMedia } from '../video/player/fakeMedia.ts';

const FROM = Date.UTC(2026, 10, 17, 8);
const FRAME_MS = 20;

/** A clip of 20 s, and the past at some second of it. */
function openClip(atS: number) {
  const clock = createFakeClock();
  const frames = createFakeFrames();
  const media = new FakeMedia(20);
  const player = createHistoryClock({ clock, frames, at: FROM + atS * 1_000, end: () => FROM + 1e6 });
  const playback = createPlayback(frames, 20, () => clock.monotonic());
  playback.attach(1, media);
  playback.start();
  followInstant(playback, player, frames, FROM);
  const run = (seconds: number) => {
    for (let ms = 0; ms < seconds * 1_000; ms += FRAME_MS) {
      clock.advance(FRAME_MS);
      media.run(FRAME_MS / 1_000);
      frames.draw();
    }
  };
  const apart = () => Math.abs(media.at - (player.store.getState().at - FROM) / 1_000);
  return { player, media, run, apart };
}

test('a clip stands at the instant while the past stands, wherever that goes', () => {
  const { player, media, run, apart } = openClip(3);
  run(0.1);
  expect(media.paused).toBe(true);
  expect(media.at).toBeCloseTo(3);
  player.seek(FROM + 12_340);
  run(0.1);
  expect(apart()).toBeLessThan(0.01);
});

test('a clip runs with the past at its own speed, begins in its middle, and stays at its end once it is over', () => {
  const { player, media, run, apart } = openClip(5);
  player.setRate(1);
  player.play();
  run(10);
  expect(media.paused).toBe(false);
  expect(apart()).toBeLessThan(0.4);
  run(20);
  expect(media.paused).toBe(true);
  expect(media.at).toBeGreaterThan(19);
});

test('at ten times the speed a clip shows single pictures, and at more it stands', () => {
  const { player, media, run, apart } = openClip(0);
  player.setRate(10);
  player.play();
  run(1);
  expect(media.paused).toBe(true);
  expect(apart()).toBeLessThan(1);
  expect(media.seeks.length).toBeGreaterThan(10);
  player.setRate(60);
  const before = media.seeks.length;
  run(0.1);
  expect(media.seeks).toHaveLength(before);
  expect([1, 10, 60, 300].map((rate) => paceOf({ isPlaying: true, rate }))).toEqual([
    'runs',
    'stills',
    'too_fast',
    'too_fast',
  ]);
  expect(paceOf({ isPlaying: false, rate: 300 })).toBe('runs');
});
