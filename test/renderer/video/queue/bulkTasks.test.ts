import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import { createBulkTasks, type Outcome } from '../../../../renderer/video/queue/bulkTasks.ts';
import { createEagerClock } from '../eagerClock.ts';
import { sampleTask } from '../sampleTask.ts';

function setUp(act: (task: Task) => Promise<void> = () => Promise.resolve()) {
  const known = new Map<string, Task>();
  const acted: number[] = [];
  const run = async (tasks: readonly Task[]) => {
    for (const task of tasks) {
      acted.push(task.channel);
      await act(task);
    }
  };
  const many = createBulkTasks({
    clock: createEagerClock(),
    get: (id) => known.get(id),
    actions: { retry: run, cancel: run, mark: run, remove: run },
  });
  const ended = () =>
    new Promise<Outcome>((resolve) => {
      const stop = many.store.subscribe(({ outcome }) => {
        if (outcome === null) return;
        stop();
        resolve(outcome);
      });
    });
  return { many, known, acted, ended };
}

const failed = (channel: number) => sampleTask({ channel, status: 'failed' });

test('a bulk action on tasks does one thing to all that it fits, one after the other', async () => {
  const { many, acted, ended } = setUp();
  const end = ended();
  many.run('retry', [failed(1), sampleTask({ channel: 2 }), failed(3)]);
  expect(many.store.getState().work).toMatchObject({ action: 'retry', done: 0, of: 2 });
  expect(await end).toEqual({ action: 'retry', done: 2, failed: 0, error: null, isStopped: false });
  expect(acted).toEqual([1, 3]);
  expect(many.store.getState().work).toBeNull();
});

test('a bulk action on tasks leaves alone what has gone on since it was selected, and does not count it', async () => {
  const { many, known, acted, ended } = setUp();
  const task = failed(1);
  known.set(task.task_id, { ...task, status: 'done' });
  const end = ended();
  many.run('retry', [task, failed(2)]);
  expect(await end).toMatchObject({ done: 1, failed: 0 });
  expect(acted).toEqual([2]);
});

test('a bulk action on tasks reports how many failed, and why the first did', async () => {
  const reason = new Error('refused');
  const { many, ended } = setUp(({ channel }) =>
    channel === 1 ? Promise.resolve() : Promise.reject(reason),
  );
  const end = ended();
  many.run('retry', [failed(1), failed(2), failed(3)]);
  expect(await end).toMatchObject({ done: 1, failed: 2, error: reason });
  many.forget();
  expect(many.store.getState().outcome).toBeNull();
});

test('a bulk action on tasks takes nothing else on while it works, and ends after the one under way when it is stopped', async () => {
  const { many, acted, ended } = setUp();
  const end = ended();
  many.run('retry', [failed(1), failed(2)]);
  many.run('cancel', [sampleTask({ channel: 9 })]);
  many.stop();
  expect(await end).toMatchObject({ done: 1, isStopped: true });
  expect(acted).toEqual([1]);
});
