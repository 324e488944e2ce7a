import { expect, test } from 'vitest';
import type { Frames } from '../../../../renderer/clock/frames.ts';
import { createChannelScreen } from '../../../../renderer/video/player/channelScreen.ts';
import type { FilmHere } from '../../../../renderer/video/player/filmLoads.ts';
import { createPlayback } from '../../../../renderer/video/player/playback.ts';
import { FakeMedia } from './fakeMedia.ts';

const load = (taskId: string): FilmHere => ({
  phase: 'here',
  taskId,
  blob: new Blob(),
  url: `blob:${taskId}`,
  movie: null,
  shiftS: 0,
});

/** A film that notes what is done with it. */
class FakeFilm {
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
  const films = new Map<string, FakeFilm>();
  const seen: (string | null)[] = [];
  const faults: string[] = [];
  const screen = createChannelScreen({
    channel: 1,
    playback,
    frames,
    createFilm({ url, onFault }) {
      const film = Object.assign(new FakeFilm(), { fault: onFault });
      films.set(url, film);
      return film;
    },
    onSeen: (it) => seen.push(it?.taskId ?? null),
    onFault: (it) => faults.push(it.taskId),
  });
  const frame = () => {
    const all = [...due];
    due.clear();
    for (const it of all) it();
  };
  const filmOf = (it: FilmHere): FakeFilm => {
    const film = films.get(it.url);
    if (film === undefined) throw new Error('there is no such film');
    return film;
  };
  return { screen, playback, frame, filmOf, seen, faults };
}

test('shows the first film at once, and the next one when it shows the same moment', () => {
  const { screen, playback, frame, filmOf, seen } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.setMuted(false);
  screen.show(small);
  playback.seek(5);
  frame();
  expect(seen).toEqual(['small']);
  screen.show(full);
  const [before, after] = [filmOf(small), filmOf(full)];
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

test('gives up a film that stands by when it is not wanted any more, and keeps the one that is seen', () => {
  const { screen, frame, filmOf, seen, faults } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(full);
  filmOf(full).fault();
  expect(faults).toEqual(['full']);
  screen.show(small);
  frame();
  frame();
  expect([filmOf(full).isGone, filmOf(small).isGone, seen]).toEqual([true, false, ['small']]);
});

test('puts what is there at once in the place of a film that cannot be played any more', () => {
  const { screen, playback, frame, filmOf, seen, faults } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(full);
  playback.play();
  playback.seek(5);
  frame();
  filmOf(full).media.picture = false;
  filmOf(full).fault();
  expect(faults).toEqual(['full']);
  screen.show(small);
  expect([seen, filmOf(full).isGone]).toEqual([['full', 'small'], true]);
  frame();
  filmOf(small).media.at = 7;
  frame();
  expect(playback.store.getState().position, 'it leads the clock').toBe(7);
});

test('does not let a film stand by for one that dies meanwhile', () => {
  const { screen, filmOf, seen, frame } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(full);
  filmOf(full).media.picture = false;
  filmOf(small).fault();
  expect([seen, filmOf(small).isGone, filmOf(full).isHidden]).toEqual([['small', 'full'], true, false]);
  filmOf(full).media.picture = true;
  frame();
  screen.show(full);
  expect(seen).toEqual(['small', 'full']);
});

test('begins nothing anew for what is seen or stands by already', () => {
  const { screen, filmOf } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  const first = filmOf(small);
  screen.show(small);
  screen.show(full);
  const next = filmOf(full);
  screen.show(full);
  expect([filmOf(small) === first, filmOf(full) === next]).toEqual([true, true]);
});

test('lets go of all films at the end, and of the one that is seen when there is none', () => {
  const { screen, filmOf, seen } = setUp();
  const [small, full] = [load('small'), load('full')];
  screen.show(small);
  screen.show(null);
  expect([filmOf(small).isGone, seen]).toEqual([true, ['small', null]]);
  screen.show(small);
  screen.show(full);
  screen.dispose();
  expect([filmOf(small).isGone, filmOf(full).isGone]).toEqual([true, true]);
});
