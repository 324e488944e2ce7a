import { pino } from 'pino';
import { expect, it } from 'vitest';
import { DiskFull, StoreFailed } from '../../../server/store/storeErrors.ts';
import type { TaskRow } from '../../../server/store/telemetry/rows.ts';
import { createTaskRepository } from '../../../server/video/taskRepository.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeActs } from '../../support/fakeActs.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFaultyStore } from '../pipeline/faultyStore.ts';
import { task } from '../store/telemetry/sampleRows.ts';

const downloading = task({ status: 'downloading' });

/** The repository over a store that counts, with one unfinished task and rules for its end. */
function openTasks() {
  const store = createFaultyStore();
  const clock = createFakeClock();
  const saved: TaskRow[] = [];
  const published: string[] = [];
  const vehicle = vehicleNamed('0007', { vehicle_id: downloading.vehicle_id });
  const pipeline = createPipelineFixture({
    ...{ store, clock, vehicles: [vehicle], geofences: [] },
    rules: [ruleFor('video_done'), ruleFor('video_failed')],
    onCommitted: ({ batch }) => {
      const inMemory = tasks.unfinished().map((it) => it.status);
      published.push(...batch.tasks.map((it) => `${it.status}, unfinished: ${inMemory.join()}`));
    },
  });
  const tasks = createTaskRepository({
    store: { tasksById: () => Promise.resolve([]) },
    acts: createFakeActs(
      {
        saveTasks(rows) {
          saved.push(...rows);
          return Promise.resolve({ changes: [] });
        },
      },
      clock,
    ),
    files: { remove: () => Promise.resolve() },
    clock,
    log: pino({ level: 'silent' }),
    onChange: (rows) => published.push(...rows.map((it) => it.status)),
    commitWithEvents: (...ended) => pipeline.raise(...ended),
  });
  tasks.open([downloading]);
  const change = (happening: 'file_there' | 'postpone' | 'give_up') =>
    tasks.change([downloading.task_id], () => ({ happening, facts: { file_name: 'a.mp4' } }));
  return { store, tasks, saved, published, change };
}

it('a task that is done, its event and the notification of it are one commit', async () => {
  const { store, saved, published, change } = openTasks();
  await change('file_there');
  expect(store.commits()).toBe(1);
  expect(saved).toEqual([]);
  expect([...store.tasks.values()].map((it) => it.status)).toEqual(['done']);
  expect([...store.events.values()].map((it) => [it.kind, it.details.task_id])).toEqual([
    ['video_done', downloading.task_id],
  ]);
  expect(store.notifications.size).toBe(1);
  expect(published).toEqual(['done, unfinished: ']);
});

it('a change that ends no task is stored without the pipeline', async () => {
  const { store, saved, published, change } = openTasks();
  await change('postpone');
  expect(store.commits()).toBe(0);
  expect(saved.map((it) => it.status)).toEqual(['queued']);
  expect(published).toEqual(['queued']);
});

it.each([
  ['the disk is full', 'full', DiskFull],
  ['the store dies before', 'died', StoreFailed],
  ['the store dies after', 'died_after', StoreFailed],
] as const)(
  'the end of a task is stored once, with one event, when it is tried again after %s',
  async (_, fault, error) => {
    const { store, tasks, change } = openTasks();
    store.failNext(fault);
    await expect(change('give_up')).rejects.toThrow(error);
    const isStored = fault === 'died_after';
    expect([store.tasks.size, store.events.size]).toEqual(isStored ? [1, 1] : [0, 0]);
    expect(tasks.unfinished()).toEqual([downloading]);

    await change('give_up');
    expect([...store.tasks.values()].map((it) => it.status)).toEqual(['failed']);
    expect([...store.events.values()].map((it) => it.kind)).toEqual(['video_failed']);
    expect([...store.notifications.values()].map((it) => it.count)).toEqual([1]);
    expect(tasks.unfinished()).toEqual([]);
  },
);

it('a new task whose writing was said to have failed, and that is stored, is taken up', async () => {
  const clock = createFakeClock();
  const added = task({ task_id: 'new', status: 'queued' });
  const tasks = createTaskRepository({
    store: { tasksById: () => Promise.resolve([added]) },
    acts: createFakeActs({ saveTasks: () => Promise.reject(new StoreFailed('no word came back')) }, clock),
    files: { remove: () => Promise.resolve() },
    clock,
    log: pino({ level: 'silent' }),
    onChange: () => undefined,
    commitWithEvents: () => Promise.resolve(),
  });
  const taken: string[] = [];
  tasks.onChange((rows) => taken.push(...rows.map((it) => it.task_id)));
  await expect(tasks.add(() => ({ rows: [added], result: added }))).rejects.toThrow('no word came back');
  expect(tasks.unfinished()).toEqual([added]);
  expect(taken).toEqual(['new']);
});

it('that a video is there is one event for an order, when the last of its channels has ended', async () => {
  const { store, tasks } = openTasks();
  const others = [2, 3].map((channel) => ({ ...downloading, task_id: `channel ${channel}`, channel }));
  tasks.open(others);
  const end = (task_id: string, happening: 'file_there' | 'give_up') =>
    tasks.change([task_id], () => ({ happening, facts: { file_name: `${task_id}.mp4` } }));
  const kinds = () => [...store.events.values()].map((it) => it.kind);
  await end(downloading.task_id, 'file_there');
  await end('channel 2', 'file_there');
  expect(kinds()).toEqual([]);
  await end('channel 3', 'give_up');
  expect(kinds()).toEqual(['video_failed', 'video_done']);
});
