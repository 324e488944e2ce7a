import { expect, test } from 'vitest';
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
    { seq: 1, topic: 'event', resource_id: 'e1', at_ms: morning, seen_by: null },
    { seq: 2, topic: 'event', resource_id: 'e2', at_ms: morning, seen_by: null },
    { seq: 3, topic: 'notification', resource_id: 'n1', at_ms: morning, seen_by: null },
    { seq: 4, topic: 'task', resource_id: 't1', at_ms: morning, seen_by: null },
  ]);

  const saved = await store.saveNotifications([notification({ notification_id: 'n1', count: 2 })]);
  const ordered = await store.saveTasks([task({ task_id: 't1' })]);
  const gone = await store.recordChanges([
    { topic: 'vehicle', resource_id: 'v', seen_by: ['group', 'Gruppe ß'] },
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
  const change = { topic: 'rule' as const, resource_id: 'r', seen_by: null };
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
