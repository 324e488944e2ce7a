import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import { bestTasks, channelTasks, smallOf } from '../../../../renderer/video/requests/qualities.ts';
import { sampleTask } from '../sampleTask.ts';

/** What one order of a terminal with both recordings makes of a channel. */
function pair(small: Partial<Task>, full: Partial<Task>, common: Partial<Task> = {}): [Task, Task] {
  const second = sampleTask({ stream: 'main', ...common, ...full });
  return [sampleTask({ stream: 'sub', main_task_id: second.task_id, ...common, ...small }), second];
}
const shownOf = (tasks: readonly Task[], channel = 1, isKept?: (id: string) => boolean) =>
  bestTasks(tasks, isKept).get(channel)?.stream;

test('a request shows the sub-stream clip until the main-stream clip is done', () => {
  expect(shownOf(pair({}, {}))).toBe('sub');
  expect(shownOf(pair({ status: 'done' }, { status: 'downloading' }))).toBe('sub');
  expect(shownOf(pair({ status: 'done' }, { status: 'done' }))).toBe('main');
  expect(shownOf(pair({ status: 'done' }, { status: 'failed' }))).toBe('sub');
});

test('a request shows the main-stream clip where the sub-stream clip could not be had', () => {
  expect(shownOf(pair({ status: 'failed' }, { status: 'queued' }))).toBe('main');
  expect(shownOf(pair({ status: 'failed' }, { status: 'done' }))).toBe('main');
  expect(shownOf(pair({ status: 'failed' }, { status: 'failed' }))).toBe('sub');
});

test('a request shows a main-stream clip that is kept here after the depot has deleted it', () => {
  const [small, full] = pair({ status: 'done' }, { status: 'expired' });
  expect(shownOf([small, full])).toBe('sub');
  expect(shownOf([small, full], 1, (id) => id === full.task_id)).toBe('main');
});

test('a task that stands alone is shown as it is', () => {
  const alone = sampleTask({ status: 'failed' });
  expect([...bestTasks([alone]).values()]).toEqual([alone]);
  expect(smallOf([alone], alone)).toBeNull();
});

test('a request finds the sub-stream clip behind a main-stream clip, and none behind a sub-stream clip', () => {
  const [small, full] = pair({ status: 'done' }, { status: 'done' });
  expect(smallOf([full, small], full)).toBe(small);
  expect(smallOf([full, small], small)).toBeNull();
});

test('a request takes what was requested last for a channel, and leaves out what was cancelled', () => {
  const [early, late] = ['2026-11-19T11:05:00.000Z', '2026-11-19T11:20:00.000Z'];
  const before = pair({ status: 'failed' }, { status: 'failed' }, { created_at: early });
  const after = pair({ status: 'done' }, {}, { created_at: late });
  expect(channelTasks([...before, ...after]).get(1)).toEqual({ first: after[0], full: after[1] });
  const ended = after.map((it): Task => ({ ...it, status: 'cancelled' }));
  expect(channelTasks([...before, ...ended]).get(1)).toEqual({ first: before[0], full: before[1] });
  expect(channelTasks(ended).size).toBe(0);
});

test('a sub-stream clip stands alone where the main-stream clip was cancelled, or was requested earlier and is not known', () => {
  const [small, full] = pair({ status: 'done' }, { status: 'cancelled' });
  expect(channelTasks([small, full]).get(1)).toEqual({ first: small, full: null });
  expect(channelTasks([small]).get(1)).toEqual({ first: small, full: null });
});

test('a request joins a sub-stream clip to the main-stream clip that was requested before it', () => {
  const [small, full] = pair(
    { created_at: '2026-11-19T11:20:00.000Z' },
    { status: 'done', created_at: '2026-11-19T11:05:00.000Z' },
  );
  expect(channelTasks([small, full]).get(1)).toEqual({ first: small, full });
});

test('a request does not depend on the order in which tasks came', () => {
  const tasks = [1, 2, 3].flatMap((channel) => [
    ...pair({ status: 'done' }, {}, { channel }),
    sampleTask({ channel, created_at: '2026-11-19T11:04:00.000Z' }),
  ]);
  const expected = bestTasks(tasks);
  expect([...expected.keys()]).toEqual([1, 2, 3]);
  fc.assert(
    fc.property(fc.shuffledSubarray(tasks, { minLength: tasks.length }), (shuffled) => {
      expect([...bestTasks(shuffled)]).toEqual([...expected]);
    }),
  );
});
