import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { User } from '../../../server/contract/users.ts';
import type { Task } from '../../../server/contract/video.ts';
import { createApi } from '../../../renderer/api/client.ts';
import { isProblem } from '../../../renderer/api/errors.ts';
import { createTransport } from '../../../renderer/api/transport.ts';
import { createVideoContext, type Video, type VideoDeps } from '../../../renderer/video/videoActions.ts';
import { createFakeStream, type FakeStream } from '../stream/fakeStream.ts';
import { createEagerClock } from './eagerClock.ts';
import { doneTask, sampleTask } from './sampleTask.ts';
import { sha256Of } from './store/fileHost.ts';
import { cameras, startVideoHost, type VideoHost } from './videoHost.ts';

const NOW = Date.parse('2026-11-19T11:06:00Z');
const never = new AbortController().signal;
let host: VideoHost;
let undo: (() => void)[] = [];

beforeEach(async () => {
  host = await startVideoHost();
});

afterEach(async () => {
  for (const run of undo) run();
  undo = [];
  await host.close();
});

/** The video domain of a session over real HTTP, with a stream that the test speaks on. */
function openSession(user: Partial<User> = {}): { video: Video; send: FakeStream['send'] } {
  const clock = createEagerClock();
  const { stream, send } = createFakeStream();
  const texts = new Map<string, string>();
  const deps = {
    api: createApi({
      transport: createTransport({ fetch, clock, baseUrl: host.url }),
      tokens: { current: () => Promise.resolve('jwt') },
    } as unknown as Parameters<typeof createApi>[0]),
    stream,
    clock,
    platform: {
      secureContext: false,
      storage: {
        read: (key: string) => texts.get(key) ?? null,
        write: (key: string, value: string) => texts.set(key, value),
      },
    },
    user: { user_id: 'u1', role: 'user', rights: { video: 'write' }, ...user },
    navigation: {
      go: () => undefined,
      store: createStore(() => ({ place: 'live' as const, query: {} })),
    },
    window: () => ({ before_s: 15, after_s: 20 }),
    now: () => NOW,
    terminalOf: (id: string) => (id === cameras.vehicle_id ? cameras.terminal_id : '404'),
  } as unknown as VideoDeps;
  const { app, start } = createVideoContext(deps);
  undo.push(start(), stream.start());
  return { video: app, send };
}

function clip(fields: Partial<Task> = {}): Task {
  const bytes = Buffer.from(crypto.randomUUID());
  const made = doneTask({ size_bytes: bytes.length, sha256: sha256Of(bytes) }, fields);
  host.tasks.set(made.task_id, made);
  host.files.set(made.task_id, bytes);
  return made;
}

function until(video: Video, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      stops.forEach((stop) => stop());
      resolve();
    };
    const stops = [video.clips.store.subscribe(look), video.taskStore.store.subscribe(look)];
    look();
  });
}

const isListed = (video: Video) => video.taskStore.store.getState().load.phase === 'ready';

test('the video action requests every channel of a vehicle around a moment, with the seconds of the settings', async () => {
  const { video } = openSession();
  const event_id = crypto.randomUUID();
  await video.orderVideo({ vehicle_id: cameras.vehicle_id, at: '2026-11-19T11:03:48.000Z', event_id });
  const ordered = [...host.tasks.values()].sort((a, b) => a.channel - b.channel);
  expect(ordered.map(({ channel, from, to }) => ({ channel, from, to }))).toEqual(
    [1, 2].map((channel) => ({
      channel,
      from: '2026-11-19T11:03:33.000Z',
      to: '2026-11-19T11:04:08.000Z',
    })),
  );
  expect(ordered.every((it) => it.event_id === event_id)).toBe(true);
  expect(new Set(host.keys).size).toBe(2);
  expect(video.tasks.getState().byId.size).toBe(2);
  expect([...video.awaited.getState().orders.values()]).toEqual(['live']);
});

test('the video action awaits a request before its tasks are published, so that a quick end is not missed', async () => {
  const { video } = openSession();
  await until(video, () => isListed(video));
  const awaited: number[] = [];
  undo.push(video.tasks.subscribe(() => awaited.push(video.awaited.getState().orders.size)));
  await video.orderVideo({ vehicle_id: cameras.vehicle_id, at: '2026-11-19T11:03:48.000Z', event_id: null });
  expect(awaited.at(-1)).toBe(1);
});

test('the video action says that a vehicle has no cameras', async () => {
  const { video } = openSession();
  const moment = { vehicle_id: crypto.randomUUID(), at: '2026-11-19T11:03:48.000Z', event_id: null };
  const error: unknown = await video.orderVideo(moment).catch((reason: unknown) => reason);
  expect(isProblem(error, 'not_found')).toBe(true);
});

test('the video action keeps tasks by the stream', async () => {
  const task = sampleTask();
  host.tasks.set(task.task_id, task);
  const { video, send } = openSession();
  await until(video, () => isListed(video));
  send({ topic: 'task', data: { ...task, status: 'downloading', version: 2, progress: 0.4 } });
  expect(video.taskStore.get(task.task_id)?.progress).toBe(0.4);
  send({ topic: 'task', data: { ...task, version: 1 } });
  expect(video.taskStore.get(task.task_id)?.status).toBe('downloading');
  send({ topic: 'task', data: { task_id: task.task_id, deleted: true } });
  expect(video.tasks.getState().byId.size).toBe(0);
});

test('the video action keeps clips for the page alone where the page is not secure, and says so', async () => {
  const { video } = openSession();
  await until(video, () => video.clips.store.getState().kind !== null);
  expect(video.clips.store.getState().kind).toBe('insecure');
});

test('the video action removes a kept clip whose task this user may no longer see', async () => {
  const [mine, lost] = [clip(), clip({ channel: 2 })];
  const { video, send } = openSession();
  for (const it of [mine, lost]) await video.clips.get(it, never);
  await until(video, () => isListed(video));

  host.tasks.delete(lost.task_id);
  send({ topic: 'reset', data: { reason: 'rights changed' } });
  await until(video, () => !video.clips.store.getState().clips.has(lost.task_id));
  expect([...video.clips.store.getState().clips.keys()]).toEqual([mine.task_id]);
});

test('the video action removes a kept clip when the stream says that its task is gone', async () => {
  const task = clip();
  const { video, send } = openSession();
  await video.clips.get(task, never);
  send({ topic: 'task', data: { task_id: task.task_id, deleted: true } });
  await until(video, () => video.clips.store.getState().clips.size === 0);
  expect(await video.clips.kept(task.task_id)).toBeNull();
});

test('the video action removes here what the depot has deleted, though it refused another', async () => {
  const [gone, stays] = [clip(), clip({ channel: 2 })];
  const { video } = openSession();
  for (const it of [gone, stays]) await video.clips.get(it, never);
  host.refused.set(stays.task_id, 'rate_limited');
  const error: unknown = await video.remove([gone, stays]).catch((reason: unknown) => reason);
  expect(isProblem(error, 'rate_limited')).toBe(true);
  expect([...video.clips.store.getState().clips.keys()]).toEqual([stays.task_id]);
});

test('the video action removes everything when the right to video is gone', async () => {
  const task = clip();
  const { video, send } = openSession();
  await video.clips.get(task, never);
  await until(video, () => isListed(video));
  host.refuseList = 'forbidden';
  send({ topic: 'reset', data: { reason: 'rights changed' } });
  await until(video, () => video.clips.store.getState().clips.size === 0);
});

test('the video action asks for nothing without the right to video', async () => {
  const { video } = openSession({ rights: { ...rights, video: 'none' } });
  await until(video, () => video.clips.store.getState().kind !== null);
  expect(host.calls).toEqual(['GET /api/v1/settings']);
  expect(video.mayOrder).toBe(false);
});

const rights: User['rights'] = {
  vehicles: 'read',
  geofences: 'read',
  notifications: 'read',
  reports: 'read',
  video: 'write',
};

test('the cameras of a vehicle follow the stream: changed by others, gone from sight, and back', async () => {
  const { video, send } = openSession();
  await video.profiles.ofVehicle(cameras.vehicle_id);
  const shown = () => video.profiles.store.getState().byVehicle.get(cameras.vehicle_id)?.name;
  send({ topic: 'profile', data: { ...cameras, name: 'Dashcam', version: 2 } });
  expect(shown()).toBe('Dashcam');
  send({ topic: 'profile', data: { profile_id: cameras.profile_id, deleted: true } });
  expect(video.profiles.store.getState().byVehicle.size).toBe(0);
  send({ topic: 'profile', data: { ...cameras, name: 'Back', version: 3 } });
  expect(shown()).toBe('Back');
});
