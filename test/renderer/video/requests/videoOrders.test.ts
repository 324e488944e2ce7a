import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import type { Translate } from '../../../../renderer/i18n/text.ts';
import {
  failureOf,
  gapOf,
  orderBytes,
  orderProgress,
  toRetry,
  videoOrders,
} from '../../../../renderer/video/requests/videoOrders.ts';
import { fullQuality, formatFullQuality } from '../../../../renderer/video/requests/qualities.ts';
import { createPace } from '../../../../renderer/video/videoTasks.ts';
import { doneTask, sampleTask } from '../sampleTask.ts';

const file = { size_bytes: 10, sha256: 'a'.repeat(64) };
const nothingKept = () => false;
const only = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, found ${list.length}`);
  return first;
};

test('the list of requests gathers the channels of one vehicle and one period into one request', () => {
  const tasks = [2, 1, 3].map((channel) => sampleTask({ channel }));
  const order = only(videoOrders(tasks, nothingKept));
  expect(order.tasks.map((it) => it.channel)).toEqual([1, 2, 3]);
  expect(order.phase).toBe('under_way');
});

test('the list of requests keeps vehicles and periods apart, the newest request first', () => {
  const orders = videoOrders(
    [
      sampleTask({ created_at: '2026-11-19T11:05:00.000Z' }),
      sampleTask({ created_at: '2026-11-19T11:09:00.000Z', from: '2026-11-19T11:02:00.000Z' }),
      sampleTask({
        created_at: '2026-11-19T11:07:00.000Z',
        vehicle_id: '00000000-0000-4000-8000-000000000018',
      }),
    ],
    nothingKept,
  );
  expect(orders.map((it) => new Date(it.orderedAt).getUTCMinutes())).toEqual([9, 7, 5]);
});

test('the list of requests counts the newest task of a channel that was requested again', () => {
  const before = sampleTask({ status: 'failed', error: { code: 'bad_media', detail: 'x' } });
  const again = doneTask(file, { created_at: '2026-11-19T11:20:00.000Z' });
  expect(only(videoOrders([again, before], nothingKept)).phase).toBe('ready');
});

const pair = (small: Partial<Task>, full: Partial<Task>, common: Partial<Task> = {}): [Task, Task] => {
  const second = sampleTask({ stream: 'main', ...common, ...full });
  return [sampleTask({ stream: 'sub', main_task_id: second.task_id, ...common, ...small }), second];
};
const failed: Partial<Task> = { status: 'failed', error: { code: 'no_recording', detail: '' } };

test('the list of requests counts a channel once that has a sub-stream and then a main-stream clip', () => {
  const [small, full] = pair({ status: 'downloading', progress: 0.5 }, {});
  const order = only(videoOrders([full, small], nothingKept));
  expect(order.tasks).toEqual([small, full]);
  expect(order.shown).toEqual([small]);
  expect(order.phase).toBe('under_way');
  expect(orderProgress(order)).toEqual({ done: 0, of: 1, part: 0.5, waitsSince: null });
});

test('the list of requests is ready as soon as the sub-stream clips are there, with or without the main-stream clips', () => {
  for (const full of [{}, { status: 'downloading' } as const, failed]) {
    expect(only(videoOrders(pair({ status: 'done' }, full), nothingKept)).phase).toBe('ready');
  }
  expect(only(videoOrders(pair(failed, failed), nothingKept)).phase).toBe('failed');
  expect(only(videoOrders(pair(failed, {}), nothingKept)).phase).toBe('under_way');
});

test('the list of requests gives the state of the main-stream clip briefly', () => {
  const t: Translate = (key, details) => [key, ...Object.values(details ?? {})].join(' ');
  const words = (...tasks: Task[]) =>
    formatFullQuality(fullQuality(only(videoOrders(tasks, nothingKept))), t);
  expect(words(...pair({ status: 'downloading' }, {}))).toBeNull();
  expect(words(...pair({ status: 'done' }, {}))).toBe('quality.coming');
  expect(words(...pair({ status: 'done' }, { status: 'waiting' }))).toBe('quality.waits');
  expect(
    words(
      ...pair({ status: 'done' }, { status: 'downloading', progress: 0.5 }),
      ...pair({ status: 'done' }, { status: 'downloading', progress: 0.1 }, { channel: 2 }),
      ...pair({ status: 'done' }, { status: 'done' }, { channel: 3 }),
    ),
  ).toBe('quality.part 30');
  expect(words(...pair({ status: 'done' }, failed))).toBe('quality.missing.no_recording');
  expect(words(...pair({ status: 'done' }, { status: 'done' }))).toBeNull();
  expect(words(...pair({ status: 'done' }, { status: 'cancelled' }))).toBeNull();
});

test('a retry brings what is missing in either quality, but no sub-stream clip beside a main-stream clip', () => {
  const [small, full] = pair(failed, failed);
  expect(toRetry({ tasks: [small, full] })).toEqual([small, full]);
  expect(toRetry({ tasks: [small, { ...full, status: 'done' }] })).toEqual([]);
  expect(toRetry({ tasks: [{ ...small, status: 'done' }, full] })).toEqual([full]);
});

test('the size of a request is that of what is shown', () => {
  const [small, full] = pair(doneTask(file, { stream: 'sub' }), {});
  expect(orderBytes(only(videoOrders([{ ...small, main_task_id: full.task_id }, full], nothingKept)))).toBe(
    10,
  );
});

test('the list of requests leaves out what was cancelled', () => {
  expect(videoOrders([sampleTask({ status: 'cancelled' })], nothingKept)).toEqual([]);
});

test('the list of requests is ready as long as one channel has frames, at the depot or here', () => {
  const expired = sampleTask({ status: 'expired' });
  const second = sampleTask({ channel: 2, ...failed });
  expect(only(videoOrders([expired, second], nothingKept)).phase).toBe('failed');
  expect(only(videoOrders([expired, second], (id) => id === expired.task_id)).phase).toBe('ready');
});

test('the list of requests shows how many channels are there and how far all of them are', () => {
  const order = only(
    videoOrders(
      [
        doneTask(file),
        sampleTask({ channel: 2, status: 'downloading', progress: 0.5 }),
        sampleTask({ channel: 3, status: 'waiting' }),
        sampleTask({ channel: 4 }),
      ],
      nothingKept,
    ),
  );
  expect(orderProgress(order)).toEqual({ done: 1, of: 4, part: 0.375, waitsSince: null });
  expect(orderBytes(order)).toBe(10);
});

test('the list of requests waits since the first channel began to, when no channel moves', () => {
  const order = only(
    videoOrders(
      [
        sampleTask({ status: 'waiting', updated_at: '2026-11-19T11:06:00.000Z' }),
        sampleTask({ channel: 2, status: 'waiting', updated_at: '2026-11-19T11:05:30.000Z' }),
      ],
      nothingKept,
    ),
  );
  expect(orderProgress(order).waitsSince).toBe(Date.parse('2026-11-19T11:05:30.000Z'));
});

test('the list of requests gives the reason that most channels give', () => {
  const reasons = ['terminal_offline', 'no_recording', 'no_recording'] as const;
  const order = only(
    videoOrders(
      reasons.map((code, index) =>
        sampleTask({ channel: index + 1, status: 'failed', error: { code, detail: `why ${index}` } }),
      ),
      nothingKept,
    ),
  );
  expect(failureOf(order)).toEqual({ code: 'no_recording', detail: 'why 1' });
});

test('the list of requests names the end of a channel that has no frame, not the cut of a camera', () => {
  const order = { from: 0, to: 60_000 };
  const task = doneTask(file);
  const lasting = (duration_s: number) => ({ ...task, file: task.file && { ...task.file, duration_s } });
  expect(gapOf(order, lasting(59))).toBeNull();
  expect(gapOf(order, lasting(50))).toEqual({ fromS: 50, toS: 60 });
  expect(gapOf(order, sampleTask())).toEqual({ fromS: 0, toS: 60 });
});

test('the list of requests names the beginning that a channel has no frame of, where its camera says so', () => {
  const order = { from: 0, to: 60_000 };
  const task = doneTask(file);
  const begun = (s: number, duration_s: number) => ({
    file: task.file && { ...task.file, duration_s, starts_at: new Date(s * 1_000).toISOString() },
  });
  expect(gapOf(order, begun(1, 59))).toBeNull();
  expect(gapOf(order, begun(8, 52))).toEqual({ fromS: 0, toS: 8 });
  expect(gapOf(order, begun(8, 40))).toEqual({ fromS: 48, toS: 60 });
  expect(gapOf(order, begun(-4, 30))).toEqual({ fromS: 26, toS: 60 });
});

test('the list of requests guesses the time to the first frames, not to the main-stream clip after them', () => {
  const pace = createPace();
  const [small, full] = pair({ status: 'downloading' }, {});
  pace.see([small, full], 0);
  const later = [{ ...small, progress: 0.5 }, full];
  expect(pace.secondsLeft({ tasks: later }, 10_000)).toBe(10);
});

test('the list of requests does not depend on the order in which tasks came', () => {
  const tasks = [1, 2, 3, 4].flatMap((channel) => [
    sampleTask({ channel }),
    doneTask(file, { channel, created_at: '2026-11-19T11:20:00.000Z' }),
  ]);
  const expected = videoOrders(tasks, nothingKept);
  fc.assert(
    fc.property(fc.shuffledSubarray(tasks, { minLength: tasks.length }), (shuffled) => {
      expect(videoOrders(shuffled, nothingKept)).toEqual(expected);
    }),
  );
});

test('the list of requests guesses what is left by the speed seen, and says nothing before it saw any', () => {
  const pace = createPace();
  const at = (progress: number) => sampleTask({ task_id: 't', status: 'downloading', progress });
  const order = (progress: number) => only(videoOrders([at(progress)], nothingKept));
  pace.see([at(0.1)], 0);
  expect(pace.secondsLeft(order(0.1), 1_000)).toBeNull();
  pace.see([at(0.5)], 10_000);
  expect(pace.secondsLeft(order(0.5), 10_000)).toBe(13);
});
