import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import type { FrameTimes } from '../../../../renderer/video/player/frameTimes.ts';
import { createPlayback, type Playback } from '../../../../renderer/video/player/playback.ts';
import { FakeMedia, steadyFrames } from './fakeMedia.ts';

const FRAME_S = 1 / 60;

function setUp(...media: FakeMedia[]) {
  return setUpWithClip(media.map((it) => ({ media: it, frames: null })));
}

function setUpWithClip(channels: { media: FakeMedia; frames: FrameTimes | null }[]) {
  const media = channels.map((it) => it.media);
  let nowMs = 0;
  let due: (() => void) | null = null;
  const frames: Frames = {
    next(run) {
      due = run;
      return () => {
        due = null;
      };
    },
  };
  const playback: Playback = createPlayback(frames, 60, () => nowMs);
  channels.forEach((it, index) => playback.attach(index + 1, it.media, it.frames));
  playback.start();
  const frame = () => {
    nowMs += FRAME_S * 1_000;
    for (const it of media) it.run(FRAME_S);
    const run = due;
    due = null;
    run?.();
  };
  return {
    playback,
    frame,
    run: (seconds: number, each: () => void = () => undefined) => {
      for (let at = 0; at < seconds; at += FRAME_S) {
        frame();
        each();
      }
    },
    /** How far the channels are apart. */
    spread: () => Math.max(...media.map((it) => it.at)) - Math.min(...media.map((it) => it.at)),
    waitsFor: () => playback.store.getState().waitsFor,
    position: () => playback.store.getState().position,
    isPlaying: () => playback.store.getState().isPlaying,
  };
}

test('playback plays all channels and keeps each within a tenth of a second of the first', () => {
  const [lead, slow, fast] = [new FakeMedia(60), new FakeMedia(60, 0.97), new FakeMedia(60, 1.04)];
  const { playback, run, position } = setUp(lead, slow, fast);
  playback.play();
  let worst = 0;
  run(40, () => {
    for (const it of [slow, fast]) worst = Math.max(worst, Math.abs(it.at - lead.at));
  });
  expect(position()).toBeGreaterThan(39);
  expect(worst).toBeLessThanOrEqual(0.1);
  expect(slow.seeks).toEqual([]);
  expect(fast.seeks).toEqual([]);
});

test('playback jumps a channel that is far away to the clock', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run } = setUp(lead, other);
  playback.play();
  run(5);
  other.at = 1;
  run(0.1);
  expect(Math.abs(other.at - lead.at)).toBeLessThan(0.1);
});

test('playback is led by the first channel with frames, when one does not come', () => {
  const [blind, seeing] = [new FakeMedia(60), new FakeMedia(60)];
  blind.picture = false;
  const { playback, run, position } = setUp(blind, seeing);
  playback.play();
  run(5);
  expect(position()).toBeGreaterThan(1.5);
  expect(position()).toBeCloseTo(seeing.at, 5);
  expect(blind.paused).toBe(true);
});

test('playback goes on with the others when the leader’s frames end, and stops at the end of the longest', () => {
  const [short, long] = [new FakeMedia(3), new FakeMedia(6)];
  const { playback, run, position, isPlaying } = setUp(short, long);
  playback.play();
  run(4);
  expect(position()).toBeGreaterThan(3.5);
  expect(short.paused).toBe(true);
  run(4);
  expect(isPlaying()).toBe(false);
  expect(position()).toBeGreaterThan(5.8);
});

test('playback restarts when played at the end', () => {
  const media = new FakeMedia(2);
  const { playback, run, position } = setUp(media);
  playback.play();
  run(3);
  playback.play();
  run(0.5);
  expect(position()).toBeLessThan(1);
});

test('playback takes every channel along in a seek, and the newest one of many', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, frame, position } = setUp(lead, other);
  playback.seek(10);
  lead.seeking = true;
  frame();
  for (const s of [11, 12, 13]) playback.seek(s);
  expect(position()).toBe(13);
  expect(lead.seeks).toEqual([10]);
  lead.seeking = false;
  frame();
  frame();
  expect(lead.seeks).toEqual([10, 13]);
  expect(other.at).toBe(13);
});

test('playback stays within the clip when sought beyond it', () => {
  const { playback, position } = setUp(new FakeMedia(60));
  playback.seek(-4);
  expect(position()).toBe(0);
  playback.seek(99);
  expect(position()).toBe(60);
});

test('playback steps from frame to frame of the leading clip, and pauses for it', () => {
  const times = [0, 0.04, 0.2, 0.21, 1];
  const [lead, other] = [new FakeMedia(2), new FakeMedia(2)];
  const { playback, frame, run, position, isPlaying } = setUpWithClip([
    { media: lead, frames: { times: Float64Array.from(times), endS: 2 } },
    { media: other, frames: steadyFrames(0, 2, 25) },
  ]);
  playback.play();
  run(0.1);
  const seen: number[] = [];
  for (const by of [1, 1, 1, -1, -1, -1, -1, -1] as const) {
    playback.step(by);
    frame();
    frame();
    seen.push(position());
    expect(other.at, 'the other channel shows the same moment').toBeCloseTo(lead.at, 5);
  }
  expect(isPlaying()).toBe(false);
  const pictures = seen.map((it) => times.findLast((begin) => begin <= it));
  expect(pictures).toEqual([0.2, 0.21, 1, 0.21, 0.2, 0.04, 0, 0]);
});

test('playback steps by a twenty-fifth of a second where the frames are unknown', () => {
  const { playback, position } = setUp(new FakeMedia(60));
  playback.seek(1);
  playback.step(1);
  expect(position()).toBeCloseTo(1.04, 5);
});

test('playback steps by the frames of the channel that the operator made large', () => {
  const [slow, fast] = [new FakeMedia(10), new FakeMedia(10)];
  const { playback, position } = setUpWithClip([
    { media: slow, frames: steadyFrames(0, 10, 1) },
    { media: fast, frames: steadyFrames(0, 10, 10) },
  ]);
  playback.prefer(2);
  playback.step(1);
  expect(position()).toBeCloseTo(0.101, 5);
  playback.prefer(null);
  playback.step(1);
  expect(position()).toBeCloseTo(1.001, 5);
});

test.each([0.25, 0.5, 2, 4, 8])('playback keeps channels together at %d times the speed', (rate) => {
  const media = [new FakeMedia(60), new FakeMedia(60, 0.97), new FakeMedia(60, 1.04)];
  const { playback, run, position, spread } = setUp(...media);
  playback.setRate(rate);
  playback.play();
  const before = position();
  run(4 / Math.max(1, rate / 4), () => expect(spread()).toBeLessThanOrEqual(0.1 * Math.max(1, rate)));
  expect((position() - before) / (4 / Math.max(1, rate / 4))).toBeGreaterThan(rate * 0.95);
  expect(media.flatMap((it) => it.seeks)).toEqual([]);
  playback.pause();
  run(0.1);
  expect(spread(), 'what stands shows one moment').toBeLessThan(0.005);
});

test('playback goes through the speeds one by one and stops at either end', () => {
  const { playback } = setUp(new FakeMedia(60));
  const rate = () => playback.store.getState().rate;
  const seen = [1, 1, 1, 1].map(() => (playback.shift(1), rate()));
  expect(seen).toEqual([2, 4, 8, 8]);
  for (let at = 0; at < 6; at += 1) playback.shift(-1);
  expect(rate()).toBe(0.25);
});

test('playback waits for a channel that stalls, says so, and goes on together', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run, position, waitsFor, spread } = setUp(lead, other);
  playback.setRate(8);
  playback.play();
  run(1);
  other.starved = true;
  const at = position();
  run(1);
  expect(position() - at).toBeLessThan(0.3);
  expect(lead.paused).toBe(true);
  expect(waitsFor()).toBe(2);
  other.starved = false;
  run(1);
  expect(waitsFor()).toBeNull();
  expect(position() - at).toBeGreaterThan(6);
  expect(spread()).toBeLessThan(0.8);
});

test('playback waits for the leader too, and does not run back to it', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run } = setUp(lead, other);
  playback.play();
  run(1);
  lead.starved = true;
  run(1);
  expect(other.seeks).toEqual([]);
  expect(other.paused).toBe(true);
});

test('playback goes on without a channel that stalls for long, and takes it along when it is back', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run, position, spread } = setUp(lead, other);
  playback.play();
  run(1);
  other.starved = true;
  run(6);
  expect(position()).toBeGreaterThan(3.5);
  other.starved = false;
  run(1);
  expect(spread()).toBeLessThan(0.1);
});

test('no channel plays ahead while another is seeking', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  other.seekFrames = 30;
  const { playback, run, spread } = setUp(lead, other);
  playback.play();
  run(0.5);
  playback.seek(20);
  run(1.5, () => expect(spread()).toBeLessThan(0.1));
  expect(lead.at).toBeGreaterThan(20.5);
  expect(other.seeks, 'once, not again and again').toEqual([20]);
});

test('playback lets a channel that begins later stand until its time, and end before the others', () => {
  const [lead, late] = [new FakeMedia(10), new FakeMedia(7, 1, 3)];
  const { playback, run, spread } = setUpWithClip([
    { media: lead, frames: steadyFrames(0, 10, 25) },
    { media: late, frames: steadyFrames(3, 7, 25) },
  ]);
  playback.play();
  run(2);
  expect([late.paused, late.at]).toEqual([true, 3]);
  expect(lead.at).toBeGreaterThan(1.8);
  run(2);
  expect(late.paused).toBe(false);
  expect(spread()).toBeLessThan(0.1);
  run(4);
  expect(late.paused).toBe(true);
  expect(lead.at).toBeGreaterThan(7.5);
  playback.seek(1);
  run(0.5);
  expect([late.paused, late.at]).toEqual([true, 3]);
});

test('playback continues through a time without recordings', () => {
  const [one, two] = [new FakeMedia(2), new FakeMedia(8, 1, 5)];
  const { playback, run, position, isPlaying } = setUpWithClip([
    { media: one, frames: steadyFrames(0, 2, 25) },
    { media: two, frames: steadyFrames(5, 8, 25) },
  ]);
  playback.setRate(2);
  playback.play();
  run(2);
  expect(position()).toBeGreaterThan(3.5);
  expect(two.paused).toBe(true);
  run(1);
  expect(two.at).toBeGreaterThan(5.5);
  run(2);
  expect(isPlaying()).toBe(false);
});

test('playback runs over speed and place where no channel can be played', () => {
  const { playback, run, position, isPlaying } = setUp();
  playback.play();
  run(2);
  expect(position()).toBeGreaterThan(1.9);
  playback.seek(59.5);
  run(1);
  expect([isPlaying(), position()]).toEqual([false, 60]);
});

test('playback says that it does not play when the browser refuses', async () => {
  const media = new FakeMedia(60);
  media.allowed = false;
  const { playback, frame, isPlaying } = setUp(media);
  playback.play();
  frame();
  await Promise.resolve();
  await Promise.resolve();
  expect(isPlaying()).toBe(false);
});

test('playback brings a channel that comes later to where the clock is', () => {
  const lead = new FakeMedia(60);
  const { playback, run } = setUp(lead);
  playback.play();
  run(5);
  const late = new FakeMedia(60);
  playback.attach(2, late);
  expect(late.at).toBeCloseTo(lead.at, 1);
});

test('playback takes in a channel that is there already without looking for the place again', () => {
  const [lead, first, better] = [new FakeMedia(60), new FakeMedia(60), new FakeMedia(60)];
  const { playback, run } = setUp(lead, first);
  playback.play();
  run(5);
  better.at = lead.at + 0.05;
  playback.attach(2, better);
  expect(better.seeks).toEqual([]);
  playback.pause();
  const another = new FakeMedia(60);
  another.at = lead.at + 0.05;
  playback.attach(2, another);
  expect(another.seeks).toEqual([lead.at]);
});

test('playback moves a clip that began before the request to the beginning of the request', () => {
  const early = new FakeMedia(60, 1, -3);
  setUpWithClip([{ media: early, frames: steadyFrames(-3, 57, 25) }]);
  expect(early.at).toBe(0);
});
