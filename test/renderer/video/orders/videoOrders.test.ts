import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  failureOf,
  gapOf,
  orderBytes,
  orderProgress,
  videoOrders,
} from '../../../../renderer/video/orders/videoOrders.ts';
import { createPace } from '../../../../renderer/video/orders/pace.ts';
import { doneTask, sampleTask } from '../sampleTask.ts';

const file = { size_bytes: 10, sha256: 'a'.repeat(64) };
const nothingKept = () => false;
const only = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, found ${list.length}`);
  return first;
};

test('gathers the channels of one vehicle and one span into one order', () => {
  const tasks = [2, 1, 3].map((channel) => sampleTask({ channel }));
  const order = only(videoOrders(tasks, nothingKept));
  expect(order.tasks.map((it) => it.channel)).toEqual([1, 2, 3]);
  expect(order.phase).toBe('under_way');
});

test('keeps vehicles and spans apart, the newest order first', () => {
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

test('counts the newest task of a channel that was ordered again', () => {
  const failed = sampleTask({ status: 'failed', error: { code: 'bad_media', detail: 'x' } });
  const again = doneTask(file, { created_at: '2026-11-19T11:20:00.000Z' });
  expect(only(videoOrders([again, failed], nothingKept)).phase).toBe('ready');
});

test('leaves out what was cancelled', () => {
  expect(videoOrders([sampleTask({ status: 'cancelled' })], nothingKept)).toEqual([]);
});

test('is ready as long as one channel has pictures, at the depot or here', () => {
  const expired = sampleTask({ status: 'expired' });
  const failed = sampleTask({ channel: 2, status: 'failed', error: { code: 'no_recording', detail: '' } });
  expect(only(videoOrders([expired, failed], nothingKept)).phase).toBe('failed');
  expect(only(videoOrders([expired, failed], (id) => id === expired.task_id)).phase).toBe('ready');
});

test('tells how many channels are there and how far all of them are', () => {
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

test('waits since the first channel began to, when no channel moves', () => {
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

test('gives the reason that most channels give', () => {
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

test('names the end of a channel that has no picture, not the cut of a camera', () => {
  const order = { from: 0, to: 60_000 };
  const task = doneTask(file);
  const lasting = (duration_s: number) => ({ ...task, file: task.file && { ...task.file, duration_s } });
  expect(gapOf(order, lasting(59))).toBeNull();
  expect(gapOf(order, lasting(50))).toEqual({ fromS: 50, toS: 60 });
  expect(gapOf(order, sampleTask())).toEqual({ fromS: 0, toS: 60 });
});

test('does not depend on the order in which tasks came', () => {
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

test('guesses what is left by the speed seen, and says nothing before it saw any', () => {
  const pace = createPace();
  const at = (progress: number) => sampleTask({ task_id: 't', status: 'downloading', progress });
  const order = (progress: number) => only(videoOrders([at(progress)], nothingKept));
  pace.see([at(0.1)], 0);
  expect(pace.secondsLeft(order(0.1), 1_000)).toBeNull();
  pace.see([at(0.5)], 10_000);
  expect(pace.secondsLeft(order(0.5), 10_000)).toBe(13);
});
