import { expect, test } from 'vitest';
import type { Task } from '../../../server/contract/video.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { Unreachable } from '../../../renderer/api/errors.ts';
import { createFleetStream } from '../../../renderer/stream/fleetStream.ts';
import { createVideoTasks, type OlderTasks } from '../../../renderer/video/videoTasks.ts';
import { createEagerClock } from './eagerClock.ts';
import { sampleTask } from './sampleTask.ts';

const pages: Record<string, { items: Task[]; next_cursor: string | null }> = {
  first: { items: [sampleTask({ created_at: '2026-11-19T11:00:00.000Z' })], next_cursor: 'second' },
  second: { items: [sampleTask({ created_at: '2026-11-18T11:00:00.000Z' })], next_cursor: 'third' },
  third: { items: [sampleTask({ created_at: '2026-11-17T11:00:00.000Z' })], next_cursor: null },
};

/** The list as the server pages it; `lost` calls get no answer. */
function setUp() {
  const state = { lost: false };
  const api = {
    request: (_route: unknown, { query }: { query: { cursor?: string } }) =>
      state.lost ? Promise.reject(new Unreachable('lost')) : Promise.resolve(pages[query.cursor ?? 'first']),
  } as unknown as Api;
  const stream = createFleetStream(() => ({ start: () => () => undefined, tryNow: () => undefined }));
  const tasks = createVideoTasks({ api, clock: createEagerClock(), stream });
  const reached = (phase: OlderTasks) =>
    new Promise<void>((resolve) => {
      const stop = tasks.older.subscribe((now) => {
        if (now.phase !== phase) return;
        stop();
        resolve();
      });
    });
  return { tasks, reached, state, known: () => tasks.store.getState().byId.size };
}

test('reads older tasks a page at a time, when somebody wants them', async () => {
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

test('says when older tasks could not be read, and reads them the next time', async () => {
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
