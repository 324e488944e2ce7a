import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asCaller } from '../../../../server/store/caller.ts';
import { openDatabase } from '../../../../server/store/telemetry/database.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { fakeClock } from './fakeClock.ts';
import { batch, event, morning, notification, task } from './sampleRows.ts';
import { openSampleStore, pruneAll } from './sampleStore.ts';

test('every event, notification and task that is written gets the next number in the log of changes', async () => {
  const store = await openSampleStore({ clock: fakeClock(morning) });
  expect(await store.lastSeq()).toBe(0);
  expect(await store.changesAfter({ seq: 0, limit: 10 })).toEqual([]);

  const { changes } = await store.commit(
    batch({
      events: [event({ event_id: 'e1' }), event({ event_id: 'e2' })],
      notifications: [notification({ notification_id: 'n1' })],
      tasks: [task({ task_id: 't1' })],
    }),
  );
  expect(changes).toEqual([
    { seq: 1, topic: 'event', resource_id: 'e1', at_ms: morning, visible_to: null },
    { seq: 2, topic: 'event', resource_id: 'e2', at_ms: morning, visible_to: null },
    { seq: 3, topic: 'notification', resource_id: 'n1', at_ms: morning, visible_to: null },
    { seq: 4, topic: 'task', resource_id: 't1', at_ms: morning, visible_to: null },
  ]);

  const saved = await store.saveNotifications([notification({ notification_id: 'n1', count: 2 })]);
  const ordered = await store.saveTasks([task({ task_id: 't1' })]);
  const gone = await store.recordChanges([
    { topic: 'vehicle', resource_id: 'v', visible_to: ['group', 'Gruppe ß'] },
  ]);
  expect([saved, ordered, gone].map((written) => written.changes[0]?.seq)).toEqual([5, 6, 7]);

  expect(await store.lastSeq()).toBe(7);
  expect(await store.changesAfter({ seq: 0, limit: 4 })).toEqual(changes);
  expect(await store.changesAfter({ seq: 4, limit: 100 })).toEqual([
    ...saved.changes,
    ...ordered.changes,
    ...gone.changes,
  ]);
  expect(await store.changesAfter({ seq: 7, limit: 100 })).toEqual([]);
});

test('changes after a number are unknown once some of them are pruned, or when it was never given', async () => {
  const clock = fakeClock(morning);
  const store = await openSampleStore({ clock });
  const change = { topic: 'rule' as const, resource_id: 'r', visible_to: null };
  await store.recordChanges([change, change]);
  clock.advance(1_000);
  await store.recordChanges([change]);

  expect(await pruneAll(store, { changes_ms: morning + 1_000 })).toMatchObject({ deleted: 2 });
  expect(await store.changesAfter({ seq: 1, limit: 10 })).toBeNull();
  expect((await store.changesAfter({ seq: 2, limit: 10 }))?.map((row) => row.seq)).toEqual([3]);

  await pruneAll(store, { changes_ms: morning + 2_000 });
  expect(await store.changesAfter({ seq: 2, limit: 10 })).toBeNull();
  expect(await store.changesAfter({ seq: 3, limit: 10 })).toEqual([]);
  expect(await store.changesAfter({ seq: 4, limit: 10 })).toBeNull();
  expect(await store.lastSeq()).toBe(3);
  expect((await store.recordChanges([change])).changes[0]?.seq).toBe(4);
});

test('the log says who changed a task, a command, a notification or a snooze, and what; of the host itself it does not', async () => {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const ann = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };
  await store.commit(batch({ notifications: [notification()], tasks: [task({ status: 'waiting' })] }));
  const snooze = {
    ...{ snooze_id: 's', vehicle_id: 'van', rule_id: null, until_ms: 9, note: 'workshop' },
    ...{ created_by: 'ann', created_ms: morning },
  };
  await asCaller(ann, async () => {
    const ack = { user_id: 'ann', at_ms: morning, note: 'false alarm' };
    await store.saveNotifications([notification({ state: 'acknowledged', ack })]);
    await store.saveTasks([task({ status: 'cancelled' })]);
    await store.changeSnoozes({ begun: [snooze], ended: [] });
    await store.changeSnoozes({ begun: [], ended: [{ ...snooze, visible_to: [] }] });
  });
  await store.saveTasks([task({ status: 'failed' })]);
  await store.close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: true });
  const rows = db.all<Record<string, string | null>>(
    'SELECT topic, actor_name, address, before, after, vehicle_id FROM change_log ORDER BY seq',
  );
  db.close();
  const parsed = (text: string | null | undefined): unknown =>
    typeof text === 'string' ? JSON.parse(text) : null;
  const by = { actor_name: 'Ann', address: '192.0.2.1', vehicle_id: 'van' };
  const silent = { actor_name: null, address: null, vehicle_id: null, before: null, after: null };
  const { snooze_id: _, created_by: _by, created_ms: _ms, ...said } = snooze;
  expect(rows.map((row) => ({ ...row, before: parsed(row.before), after: parsed(row.after) }))).toEqual([
    { topic: 'notification', ...silent },
    { topic: 'task', ...silent },
    {
      topic: 'notification',
      ...by,
      before: { state: 'open', note: null },
      after: { state: 'acknowledged', note: 'false alarm' },
    },
    { topic: 'task', ...by, before: { status: 'waiting' }, after: { status: 'cancelled' } },
    { topic: 'snooze', ...by, before: null, after: said },
    { topic: 'snooze', ...by, before: said, after: null },
    { topic: 'task', ...silent },
  ]);
});

test('a snooze that begins or ends logs the open notifications that it silences, of its vehicle or its rule', async () => {
  const store = await openSampleStore();
  const row = (
    notification_id: string,
    vehicle_id: string,
    rule_id: string,
    state: 'open' | 'acknowledged' = 'open',
  ) => notification({ notification_id, vehicle_id, rule_id, state });
  await store.commit(
    batch({
      notifications: [
        row('1', 'van', 'r'),
        row('2', 'van', 'q'),
        row('3', 'bus', 'r'),
        row('4', 'bus', 'q'),
        row('5', 'van', 'r', 'acknowledged'),
      ],
    }),
  );
  const snooze = (vehicle_id: string | null, rule_id: string | null) => ({
    ...{ snooze_id: `${vehicle_id ?? ''}${rule_id ?? ''}`, vehicle_id, rule_id, until_ms: 9, note: null },
    ...{ created_by: 'ann', created_ms: morning },
  });
  const moved = async (begun: ReturnType<typeof snooze>[], ended: ReturnType<typeof snooze>[]) => {
    const { changes, notifications } = await store.changeSnoozes({
      begun,
      ended: ended.map((it) => ({ ...it, visible_to: [] })),
    });
    const logged = changes.filter((it) => it.topic === 'notification').map((it) => it.resource_id);
    expect(notifications.map((it) => it.notification_id)).toEqual(logged);
    return logged.sort();
  };
  expect(await moved([snooze('van', null)], [])).toEqual(['1', '2']);
  expect(await moved([snooze(null, 'r')], [snooze('van', null)])).toEqual(['1', '2', '3']);
  expect(await moved([], [snooze(null, 'nothing')])).toEqual([]);

  const many = Array.from({ length: 1_001 }, (_, at) => ({ ...row(`m${at}`, `v${at}`, 's'), last_ms: at }));
  await store.commit(batch({ notifications: many }));
  const newest = await moved([snooze(null, 's')], []);
  expect([newest.length, newest.includes('m0')]).toEqual([1_000, false]);
});

test('what users did stays for the retention of the audit log, though streams no longer replay from there', async () => {
  const clock = fakeClock(morning);
  const store = await openSampleStore({ clock });
  const change = {
    topic: 'rule' as const,
    resource_id: 'r',
    visible_to: null,
    version: 2,
    before: {},
    after: {},
  };
  const ann = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };
  await asCaller(ann, () => store.recordChanges([change]));
  await store.recordChanges([change]);
  await asCaller(ann, () => store.logExport({ operation: 'getTrack', asked: { format: 'csv' } }));

  await pruneAll(store, { changes_ms: morning + 1, events_ms: morning + 1, audit_ms: morning });
  expect(await store.changesAfter({ seq: 1, limit: 9 })).toBeNull();
  expect((await store.auditLog({ limit: 9 })).map((row) => [row.seq, row.action, row.actor])).toEqual([
    [3, 'exported', 'ann'],
    [1, 'changed', 'ann'],
  ]);

  await pruneAll(store, { changes_ms: morning + 1, audit_ms: morning + 1 });
  expect(await store.auditLog({ limit: 9 })).toEqual([]);
});
