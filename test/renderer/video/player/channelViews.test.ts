import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import {
  channelViews,
  isAwaited,
  wantedClips,
  type Plays,
  visibleChannels,
  spareTasks,
} from '../../../../renderer/video/player/channelViews.ts';
import type { LoadedClip, ClipLoad } from '../../../../renderer/video/player/clipLoads.ts';
import { doneTask, sampleTask } from '../sampleTask.ts';

const file = { size_bytes: 4, sha256: 'a'.repeat(64) };
const here = (taskId: string, fields: Partial<LoadedClip> = {}): LoadedClip => ({
  phase: 'here',
  taskId,
  blob: new Blob(),
  url: 'blob:',
  movie: null,
  shiftS: 0,
  ...fields,
});
const failed: ClipLoad = { phase: 'failed', error: new Error('lost') };
const coming: ClipLoad = { phase: 'coming' };
const playsAll: Plays = () => true;
const notFull: Plays = (id) => id !== 'full';
const none = () => false;

/** The small and the full task of a channel. */
function pair(small: Partial<Task> = {}, full: Partial<Task> = {}): Task[] {
  return [
    doneTask(file, { task_id: 'small', stream: 'sub', main_task_id: 'full', ...small }),
    doneTask(file, { task_id: 'full', stream: 'main', ...full }),
  ];
}

function show(tasks: readonly Task[], clips: Record<string, ClipLoad>, plays = playsAll) {
  const [only] = channelViews(tasks, new Map(Object.entries(clips)), plays);
  return [only?.task.task_id, only?.full?.kind ?? null];
}

test('a channel of the player shows the main-stream clip as soon as it is here, and the sub-stream clip until then', () => {
  const tasks = pair();
  expect(show(tasks, { small: coming, full: coming })).toEqual(['small', 'coming']);
  expect(show(tasks, { small: here('small'), full: coming })).toEqual(['small', 'coming']);
  expect(show(tasks, { small: here('small'), full: here('full') })).toEqual(['full', null]);
  expect(show(tasks, { small: coming, full: here('full') })).toEqual(['full', null]);
  const underWay = pair({}, { status: 'downloading', file: null });
  expect(show(underWay, { small: here('small') })).toEqual(['small', 'coming']);
});

test('a channel of the player keeps the sub-stream clip where the main-stream clip does not play, did not come or is not there', () => {
  const small = here('small');
  expect(show(pair(), { small, full: here('full') }, notFull)).toEqual(['small', 'unplayable']);
  expect(show(pair(), { small, full: failed })).toEqual(['small', 'failed']);
  const gone = pair({}, { status: 'failed', file: null });
  expect(show(gone, { small })).toEqual(['small', 'missing']);
});

test('a channel of the player waits for the main-stream clip where the sub-stream clip is lost', () => {
  const lost = pair({ status: 'failed', file: null }, { status: 'downloading', file: null });
  expect(show(lost, {})).toEqual(['full', null]);
  expect(show(pair(), { small: failed, full: coming })).toEqual(['full', null]);
  expect(show(pair(), { small: failed, full: here('full') }, notFull)).toEqual(['full', null]);
});

test('a channel of the player shows the only recording of a channel, whatever it is', () => {
  const only = doneTask(file, { task_id: 'only', stream: 'sub' });
  expect(show([only], { only: here('only') })).toEqual(['only', null]);
});

test('a channel of the player brings the sub-stream clips first, and none whose main-stream clip is kept and plays', () => {
  const two = [
    ...pair(),
    ...pair({ task_id: 'small 2', main_task_id: 'full 2', channel: 2 }, { task_id: 'full 2', channel: 2 }),
  ];
  const ids = (isKept: (id: string) => boolean, clips: Record<string, ClipLoad>, plays = playsAll) =>
    wantedClips(two, new Map(Object.entries(clips)), isKept, plays).map((it) => it.task_id);
  expect(ids(none, {})).toEqual(['small', 'small 2', 'full', 'full 2']);
  const isKept = (id: string) => id === 'full';
  expect(ids(isKept, {})).toEqual(['small 2', 'full', 'full 2']);
  expect(ids(isKept, { full: here('full') }, notFull)).toEqual(['small', 'small 2', 'full', 'full 2']);
  expect(ids(isKept, { full: failed })).toEqual(['small', 'small 2', 'full', 'full 2']);
});

test('a channel of the player brings what is kept of a channel whose files the depot has deleted', () => {
  const gone = pair({ status: 'expired', file: null }, { status: 'expired', file: null });
  const ids = (kept: string) =>
    wantedClips(gone, new Map(), (id) => id === kept, playsAll).map((it) => it.task_id);
  expect([ids('small'), ids('full'), ids('')]).toEqual([['small'], ['full'], []]);
});

test('a channel of the player awaits what is under way, on its way here, or done and not asked for yet', () => {
  const task = sampleTask();
  expect(isAwaited({ task, clip: undefined })).toBe(true);
  expect(isAwaited({ task: doneTask(file), clip: undefined })).toBe(true);
  expect(isAwaited({ task: doneTask(file), clip: coming })).toBe(true);
  expect(isAwaited({ task: doneTask(file), clip: failed })).toBe(false);
  expect(isAwaited({ task: sampleTask({ status: 'failed' }), clip: undefined })).toBe(false);
});

test('a channel of the player says of what is seen, not of what is to follow, what it lacks and that it is small', () => {
  const order = { from: Date.parse(sampleTask().from), to: Date.parse(sampleTask().to), tasks: pair() };
  const short = {
    codec: null,
    times: Float64Array.from({ length: 100 }, (_, index) => index / 10),
    endS: 10,
  };
  const clips = new Map([
    ['small', here('small', { movie: short })],
    ['full', here('full')],
  ]);
  const shows = channelViews(order.tasks, clips, playsAll);
  const look = (seen: ReadonlyMap<number, string>) =>
    visibleChannels(order, shows, { clips, plays: playsAll }, seen)[0];
  const before = look(new Map([[1, 'small']]));
  expect(before).toMatchObject({ isSmall: true, full: { kind: 'coming' }, clip: { taskId: 'full' } });
  expect(before?.gaps).toMatchObject([{ toS: 60 }]);
  const after = look(new Map([[1, 'full']]));
  expect(after).toMatchObject({ isSmall: false, full: null, isPlayable: true });
  expect(after?.gaps).toEqual([]);
});

test('a channel of the player calls a sub-stream clip spare once its main-stream clip is seen', () => {
  expect(spareTasks(pair(), new Map([[1, 'small']]))).toEqual([]);
  expect(spareTasks(pair(), new Map([[1, 'full']]))).toEqual(['small']);
});
