import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import type { Video } from '../../../../renderer/video/videoActions.ts';
import { BULK_ACTIONS, runAction, isApplicable } from '../../../../renderer/video/queue/bulkTasks.ts';
import {
  DEPOT_USER,
  EVERY_TASK,
  isRequested,
  readQueueFilter,
  writeQueueFilter,
  type QueueFilter,
} from '../../../../renderer/video/queue/queueAddress.ts';
import {
  askerOf,
  formatChannel,
  qualityOf,
  formatReceived,
  sizeOf,
} from '../../../../renderer/video/queue/useQueueLines.ts';
import { cameras } from '../videoHost.ts';
import { doneTask, sampleTask } from '../sampleTask.ts';

const me = sampleTask().created_by;
const filterOf = (part: Partial<QueueFilter>): QueueFilter => ({ ...EVERY_TASK, ...part });
const every = (
  ['queued', 'waiting', 'downloading', 'processing', 'done', 'failed', 'cancelled', 'expired'] as const
).map((status) => sampleTask({ status }));
const statuses = (filter: Partial<QueueFilter>) =>
  every.filter((it) => isRequested(it, filterOf(filter), me)).map((it) => it.status);

test('the address names what the queue is narrowed to, and nothing that it is not', () => {
  const filter: QueueFilter = { state: 'failed', vehicleId: 'v1', asker: 'rules', important: true };
  const words = writeQueueFilter(filter);
  expect(words).toEqual({ state: 'failed', vehicle: 'v1', asker: 'rules', important: '1' });
  expect(readQueueFilter(words as Record<string, string>)).toEqual(filter);
  expect(Object.values(writeQueueFilter(EVERY_TASK))).toEqual([null, null, null, null]);
});

test('unknown words of the address filter nothing', () => {
  expect(readQueueFilter({ state: 'lost', asker: 'nobody', important: 'yes' })).toEqual(EVERY_TASK);
});

test('tasks under way are all that have not ended', () => {
  expect(statuses({})).toHaveLength(8);
  expect(statuses({ state: 'under_way' })).toEqual(['queued', 'waiting', 'downloading', 'processing']);
  expect(statuses({ state: 'waiting' })).toEqual(['waiting']);
});

test('the video queue filters by vehicle, by user and by importance', () => {
  const byRule = sampleTask({ created_by: DEPOT_USER, rule_id: 'r1', important: true });
  const byOther = sampleTask({ created_by: 'somebody else', vehicle_id: 'v2' });
  const found = (filter: Partial<QueueFilter>) =>
    [sampleTask(), byRule, byOther].map((it) => isRequested(it, filterOf(filter), me));
  expect(found({ asker: 'me' })).toEqual([true, false, false]);
  expect(found({ asker: 'rules' })).toEqual([false, true, false]);
  expect(found({ vehicleId: 'v2' })).toEqual([false, false, true]);
  expect(found({ important: true })).toEqual([false, true, false]);
});

test('a bulk action applies to the tasks that it changes', () => {
  const fits = (action: (typeof BULK_ACTIONS)[number]) =>
    every.filter(isApplicable[action]).map((it) => it.status);
  expect(fits('retry')).toEqual(['failed', 'cancelled', 'expired']);
  expect(fits('cancel')).toEqual(['queued', 'waiting', 'downloading', 'processing']);
  expect(fits('delete')).toEqual(['done']);
  expect(isApplicable.mark(sampleTask({ important: true }))).toBe(false);
  expect(isApplicable.unmark(sampleTask({ important: true }))).toBe(true);
});

test('each bulk action is one call about one task', async () => {
  const calls: string[] = [];
  const note =
    (name: string) =>
    ([task]: readonly Task[], important?: boolean) => {
      calls.push([name, task?.channel, important].filter((it) => it !== undefined).join(' '));
      return Promise.resolve();
    };
  const video = {
    retry: note('retry'),
    cancel: note('cancel'),
    mark: note('mark'),
    remove: note('remove'),
  } as unknown as Video;
  for (const action of BULK_ACTIONS) await runAction[action](video, sampleTask({ channel: 3 }));
  expect(calls).toEqual(['retry 3', 'cancel 3', 'mark 3 true', 'mark 3 false', 'remove 3']);
});

test('the video queue names a user and a rule where the caller may see them', () => {
  const names = new Map([[me, 'K. Weiss']]);
  const rules = new Map([['r1', 'Overspeed']]);
  const asker = (fields: Partial<Task>) => askerOf(sampleTask(fields), names, rules);
  expect(asker({})).toEqual({ by: 'user', name: 'K. Weiss' });
  expect(asker({ created_by: 'unknown' })).toEqual({ by: 'user', name: null });
  expect(asker({ created_by: DEPOT_USER, rule_id: 'r1' })).toEqual({ by: 'rule', name: 'Overspeed' });
  expect(asker({ created_by: DEPOT_USER, rule_id: 'unseen' })).toEqual({ by: 'rule', name: null });
  expect(asker({ created_by: DEPOT_USER })).toEqual({ by: 'rule', name: null });
});

test('the video queue distinguishes sub-stream from main stream, where the request says which', () => {
  expect((['sub', 'main', null] as const).map((stream) => qualityOf({ stream }))).toEqual([
    'small',
    'full',
    null,
  ]);
});

test('the video queue shows bytes of the total where the terminal gives it, and the size as soon as it is known', () => {
  const coming = (fields: Partial<Task>) => sampleTask({ status: 'downloading', ...fields });
  expect(formatReceived(coming({ received_bytes: 3_140_000, total_bytes: 12_400_000 }))).toEqual({
    received: '3.1',
    total: '12',
  });
  expect(formatReceived(coming({ received_bytes: 3_140_000 }))).toEqual({ received: '3.1', total: null });
  expect(formatReceived(coming({}))).toBeNull();
  expect(formatReceived(sampleTask({ received_bytes: 5 }))).toBeNull();
  expect(sizeOf(coming({ total_bytes: 7 }))).toBe(7);
  expect(sizeOf(doneTask({ size_bytes: 9, sha256: 'a'.repeat(64) }))).toBe(9);
  expect(sizeOf(sampleTask())).toBeNull();
});

test('the video queue calls a channel by its number and name, or by its number alone', () => {
  expect(formatChannel({ channel: 2 }, cameras)).toBe('2 Cabin');
  expect(formatChannel({ channel: 9 }, cameras)).toBe('9');
  expect(formatChannel({ channel: 2 }, undefined)).toBe('2');
});
