import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import { createChannelScreen } from '../../../../renderer/video/player/channelScreen.ts';
import type { LoadedClip } from '../../../../renderer/video/player/clipLoads.ts';
import { createPlayback } from '../../../../renderer/video/player/playback.ts';
import { FakeMedia } from './fakeMedia.ts';

const load = (taskId: string): LoadedClip => ({
  phase: 'here',
  taskId,
  blob: new Blob(),
  url: `blob:${taskId}`,
  movie: null,
  shiftS: 0,
});

/** A clip that records what is done with it. */
class FakeClip {
  readonly media = new FakeMedia(60);
  isMuted = true;
  isHidden = false;
  isGone = false;
  fault: () => void = () => undefined;
  setMuted = (muted: boolean) => void (this.isMuted = muted);
  setHidden = (hidden: boolean) => void (this.isHidden = hidden);
  picture = () => null;
  dispose = () => void (this.isGone = true);
}

function setUp() {
  const due = new Set<() => void>();
  const frames: Frames = {
    next(run) {
      due.add(run);
      return () => due.delete(run);
    },
  };
  const playback = createPlayback(frames, 60, () => 0);
  playback.start();
  const clips = new Map<string, FakeClip>();
  const seen: (string | null)[] = [];
  const faults: string[] = [];
  const screen = createChannelScreen({
    channel: 1,
    playback,
    frames,
    createClip({ url, onFault }) {
      const clip = Object.assign(new FakeClip(), { fault: onFault });
      clips.set(url, clip);
      return clip;
    },
    onSeen: (it) => seen.push(it?.taskId ?? null),
    onFault: (it) => faults.push(it.taskId),
  });
  const frame = () => {
    const all = [...due];
    due.clear();
    for (const it of all) it();
  };
  const clipOf = (it: LoadedClip): FakeClip => {
    const clip = clips.get(it.url);
    if (clip === undefined) throw new Error('there is no such clip');
    return clip;
  };
  return { screen, playback, frame, clipOf, seen, faults };
}

test('a channel of the player shows the first clip at once, and the next one when it shows the same moment', () => {
  const { screen, playback, frame, clipOf, seen } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.setMuted(false);
  screen.show(small);
  playback.seek(5);
  frame();
  expect(seen).toEqual(['small']);
  screen.show(full);
  const [before, after] = [clipOf(small), clipOf(full)];
  after.media.picture = false;
  frame();
  expect([before.isGone, after.isHidden, after.isMuted]).toEqual([false, true, true]);
  after.media.picture = true;
  frame();
  frame();
  expect(seen).toEqual(['small', 'full']);
  expect([before.isGone, after.isHidden, after.isMuted, after.media.at]).toEqual([true, false, false, 5]);
  playback.seek(9);
  expect(after.media.at, 'it is on the clock').toBe(9);
});

test('a channel of the player drops a standby clip when it is not wanted any more, and keeps the visible one', () => {
  const { screen, frame, clipOf, seen, faults } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(full);
  clipOf(full).fault();
  expect(faults).toEqual(['full']);
  screen.show(small);
  frame();
  frame();
  expect([clipOf(full).isGone, clipOf(small).isGone, seen]).toEqual([true, false, ['small']]);
});

test('a channel of the player replaces a clip that cannot be played any more with the available one at once', () => {
  const { screen, playback, frame, clipOf, seen, faults } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(full);
  playback.play();
  playback.seek(5);
  frame();
  clipOf(full).media.picture = false;
  clipOf(full).fault();
  expect(faults).toEqual(['full']);
  screen.show(small);
  expect([seen, clipOf(full).isGone]).toEqual([['full', 'small'], true]);
  frame();
  clipOf(small).media.at = 7;
  frame();
  expect(playback.store.getState().position, 'it leads the clock').toBe(7);
});

test('a channel of the player does not keep a clip waiting for one that fails meanwhile', () => {
  const { screen, clipOf, seen, frame } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(full);
  clipOf(full).media.picture = false;
  clipOf(small).fault();
  expect([seen, clipOf(small).isGone, clipOf(full).isHidden]).toEqual([['small', 'full'], true, false]);
  clipOf(full).media.picture = true;
  frame();
  screen.show(full);
  expect(seen).toEqual(['small', 'full']);
});

test('a channel of the player restarts nothing that is visible or on standby already', () => {
  const { screen, clipOf } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  const first = clipOf(small);
  screen.show(small);
  screen.show(full);
  const next = clipOf(full);
  screen.show(full);
  expect([clipOf(small) === first, clipOf(full) === next]).toEqual([true, true]);
});

test('a channel of the player releases all clips at the end, and the visible one when there is none', () => {
  const { screen, clipOf, seen } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(null);
  expect([clipOf(small).isGone, seen]).toEqual([true, ['small', null]]);
  screen.show(small);
  screen.show(full);
  screen.dispose();
  expect([clipOf(small).isGone, clipOf(full).isGone]).toEqual([true, true]);
});
