import { expect, test } from 'vitest';
import type { Task } from '../../../server/contract/video.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { Unreachable } from '../../../renderer/api/errors.ts';
import { createVideoTasks, type OlderTasks } from '../../../renderer/video/videoTasks.ts';
import { createFakeStream } from '../stream/fakeStream.ts';
import { createEagerClock } from './eagerClock.ts';
import { sampleTask } from './sampleTask.ts';

const pages: Record<string, { items: Task[]; next_cursor: string | null }> = {
  first: { items: [sampleTask({ created_at: '2026-11-19T11:00:00.000Z' })], next_cursor: 'second' },
  second: { items: [sampleTask({ created_at: '2026-11-18T11:00:00.000Z' })], next_cursor: 'third' },
  third: { items: [sampleTask({ created_at: '2026-11-17T11:00:00.000Z' })], next_cursor: null },
};

/** The list as the server pages it; `lost` calls get no answer. */
function setUp({ shown }: { shown?: Task } = {}) {
  const state = { lost: false };
  const askedEvents: string[] = [];
  const answer = ({ cursor, event_id }: { cursor?: string; event_id?: string }) => {
    if (event_id === undefined) return pages[cursor ?? 'first'];
    askedEvents.push(event_id);
    return { items: [sampleTask({ event_id, created_at: '2026-11-10T11:00:00.000Z' })], next_cursor: null };
  };
  const api = {
    request: (_route: unknown, { query }: { query: { cursor?: string; event_id?: string } }) =>
      state.lost ? Promise.reject(new Unreachable('lost')) : Promise.resolve(answer(query)),
  } as unknown as Api;
  const { stream, send } = createFakeStream();
  const clock = createEagerClock();
  const tasks = createVideoTasks({ api, clock, stream, shownTask: () => shown?.task_id });
  const reached = (phase: OlderTasks['phase']) =>
    new Promise<void>((resolve) => {
      const stop = tasks.older.subscribe((now) => {
        if (now.phase !== phase) return;
        stop();
        resolve();
      });
    });
  return { tasks, reached, state, askedEvents, stream, send, known: () => tasks.store.getState().byId.size };
}

test('the task store reads older tasks a page at a time, on request', async () => {
  const { tasks, reached, known } = setUp();
  const listed = reached('some');
  tasks.start();
  await listed;
  expect(known()).toBe(1);
  const second = reached('some');
  tasks.readOlder();
  // Asked for twice, a page is read once.
  tasks.readOlder();
  await second;
  expect(known()).toBe(2);
  const third = reached('none');
  tasks.readOlder();
  await third;
  expect(known()).toBe(3);
  tasks.readOlder();
  expect(tasks.older.getState().phase).toBe('none');
});

test('the task store says when older tasks could not be read, and reads them the next time', async () => {
  const { tasks, reached, state, known } = setUp();
  const listed = reached('some');
  tasks.start();
  await listed;
  state.lost = true;
  const failed = reached('failed');
  tasks.readOlder();
  await failed;
  state.lost = false;
  const read = reached('some');
  tasks.readOlder();
  await read;
  expect(known()).toBe(2);
});

test('the task store says since when all tasks are known', async () => {
  const { tasks, reached } = setUp();
  const since = () => tasks.older.getState().since;
  const listed = reached('some');
  tasks.start();
  await listed;
  expect(since()).toBe('2026-11-19T11:00:00.000Z');
  const second = reached('some');
  tasks.readOlder();
  expect(since()).toBe('2026-11-19T11:00:00.000Z');
  await second;
  expect(since()).toBe('2026-11-18T11:00:00.000Z');
  const third = reached('none');
  tasks.readOlder();
  await third;
  expect(since()).toBeNull();
});

test('the task store reads the tasks of an open event, where the list may not hold them', async () => {
  const { tasks, reached, askedEvents } = setUp();
  const undo = tasks.watchEvents(['e1']);
  expect(askedEvents, 'nobody knows yet what the list holds').toEqual([]);
  const arrived = new Promise<void>((resolve) => {
    const stop = tasks.store.subscribe(({ byId }) => {
      if (![...byId.values()].some((it) => it.event_id === 'e1')) return;
      stop();
      resolve();
    });
  });
  const listed = reached('some');
  tasks.start();
  await listed;
  await arrived;
  expect(askedEvents).toEqual(['e1']);
  // What is older than the list does not make the list reach back further.
  expect(tasks.older.getState().since).toBe('2026-11-19T11:00:00.000Z');
  undo();
  const whole = reached('none');
  tasks.readOlder();
  await reached('some');
  tasks.readOlder();
  await whole;
  tasks.watchEvents(['e2']);
  expect(askedEvents, 'the whole list is here').toEqual(['e1']);
});

test('the task store lets go of what is over and older than its list, when weeks of it have come', async () => {
  const old = (fields: Partial<Task> = {}) =>
    sampleTask({ created_at: '2026-11-12T11:00:00.000Z', status: 'done', vehicle_id: 'v1', ...fields });
  const shown = old({ vehicle_id: 'v2' });
  const beside = old({ vehicle_id: 'v2', channel: 2 });
  const underWay = old({ status: 'downloading' });
  const { tasks, reached, stream, send } = setUp({ shown });
  const listed = reached('some');
  tasks.start();
  stream.start();
  await listed;
  tasks.put([...Array.from({ length: 4_995 }, () => old()), shown, beside, underWay]);
  const renewed = reached('some');
  send({ topic: 'task', data: old() });
  send({ topic: 'task', data: old() });
  await renewed;
  const left = [...tasks.store.getState().byId.keys()];
  const inList = pages['first']?.items.map((it) => it.task_id) ?? [];
  expect(left.toSorted()).toEqual(
    [...inList, ...[shown, beside, underWay].map((it) => it.task_id)].toSorted(),
  );
});
