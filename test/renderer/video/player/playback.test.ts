import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import { createPlayback, type Media, type Playback } from '../../../../renderer/video/player/playback.ts';

/** A channel whose time runs when the test says so. */
class FakeMedia implements Media {
  at = 0;
  rate = 1;
  paused = true;
  seeks: number[] = [];
  seeking = false;
  readonly length: number;
  readonly skew: number;
  picture = true;
  allowed = true;

  constructor(length: number, skew = 1) {
    this.length = length;
    this.skew = skew;
  }

  position = () => this.at;
  duration = () => this.length;
  hasPicture = () => this.picture;
  isSeeking = () => this.seeking;
  isPaused = () => this.paused;
  seek = (s: number) => {
    this.at = s;
    this.seeks.push(s);
  };
  setRate = (rate: number) => {
    this.rate = rate;
  };
  play = () => {
    if (!this.allowed) return Promise.reject(new DOMException('no', 'NotAllowedError'));
    this.paused = false;
    return Promise.resolve();
  };
  pause = () => {
    this.paused = true;
  };
  run(s: number): void {
    if (!this.paused) this.at = Math.min(this.length, this.at + s * this.rate * this.skew);
  }
}

const FRAME_S = 1 / 60;

function setUp(...media: FakeMedia[]) {
  let due: (() => void) | null = null;
  const frames: Frames = {
    next(run) {
      due = run;
      return () => {
        due = null;
      };
    },
  };
  const playback: Playback = createPlayback(frames, 60);
  media.forEach((it, index) => playback.attach(index + 1, it));
  playback.start();
  const frame = () => {
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
    position: () => playback.store.getState().position,
    isPlaying: () => playback.store.getState().isPlaying,
  };
}

test('plays all channels and keeps each within a tenth of a second of the first', () => {
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

test('jumps a channel that is far away to the clock', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run } = setUp(lead, other);
  playback.play();
  run(5);
  other.at = 1;
  run(0.1);
  expect(Math.abs(other.at - lead.at)).toBeLessThan(0.1);
});

test('is led by the first channel with a picture', () => {
  const [blind, seeing] = [new FakeMedia(60), new FakeMedia(60)];
  blind.picture = false;
  const { playback, run, position } = setUp(blind, seeing);
  playback.play();
  run(2);
  expect(position()).toBeCloseTo(seeing.at, 5);
  expect(blind.paused).toBe(true);
});

test('goes on with the others when the leader’s pictures end, and stops at the end of the longest', () => {
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

test('begins anew when played at the end', () => {
  const media = new FakeMedia(2);
  const { playback, run, position } = setUp(media);
  playback.play();
  run(3);
  playback.play();
  run(0.5);
  expect(position()).toBeLessThan(1);
});

test('takes every channel along in a seek, and the newest one of many', () => {
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

test('stays within the film when sought beyond it', () => {
  const { playback, position } = setUp(new FakeMedia(60));
  playback.seek(-4);
  expect(position()).toBe(0);
  playback.seek(99);
  expect(position()).toBe(60);
});

test('steps by the frame that it saw, and pauses for it', () => {
  const media = new FakeMedia(60);
  const { playback, run, position, isPlaying } = setUp(media);
  playback.play();
  run(1);
  playback.sawFrame(1 / 30);
  const before = position();
  playback.step(1);
  expect(isPlaying()).toBe(false);
  expect(position() - before).toBeCloseTo(1 / 30, 5);
  run(0.1);
  playback.step(-1);
  expect(position()).toBeCloseTo(before, 5);
});

test('plays at a quarter and at four times the speed', () => {
  const [lead, other] = [new FakeMedia(60), new FakeMedia(60)];
  const { playback, run, position } = setUp(lead, other);
  playback.setRate(4);
  playback.play();
  run(2);
  expect(position()).toBeGreaterThan(7.5);
  playback.setRate(0.25);
  const before = position();
  run(2);
  expect(position() - before).toBeLessThan(0.7);
  expect(Math.abs(other.at - lead.at)).toBeLessThan(0.1);
});

test('says that it does not play when the browser refuses', async () => {
  const media = new FakeMedia(60);
  media.allowed = false;
  const { playback, frame, isPlaying } = setUp(media);
  playback.play();
  frame();
  await Promise.resolve();
  await Promise.resolve();
  expect(isPlaying()).toBe(false);
});

test('brings a channel that comes later to where the clock is', () => {
  const lead = new FakeMedia(60);
  const { playback, run } = setUp(lead);
  playback.play();
  run(5);
  const late = new FakeMedia(60);
  playback.attach(2, late);
  expect(late.at).toBeCloseTo(lead.at, 1);
});
