import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskStatus } from '../../../../server/contract/video.ts';
import { openDatabase } from '../../../../server/store/telemetry/database.ts';
import { forgetVehicle } from '../../../../server/store/telemetry/prune.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { actWith, batch, event, morning, notification, position, task } from './sampleRows.ts';
import { keepAll, openSampleStore, pruneAll, wholeTrack } from './sampleStore.ts';

const day = 86_400_000;

test('positions go by their receipt, in slices, and an old fix that came late stays', async () => {
  const store = await openSampleStore();
  const vehicles = ['a', 'b', 'c'];
  await store.commit(
    batch({
      positions: vehicles.flatMap((vehicle_id) =>
        Array.from({ length: 4_000 }, (_, index) =>
          position({ vehicle_id, time_ms: morning + index, received_ms: morning + index }),
        ),
      ),
    }),
  );
  const late = position({ vehicle_id: 'b', time_ms: morning - 100 * day, received_ms: morning + 50 * day });
  const recent = position({ vehicle_id: 'c', time_ms: morning + 3_999, received_ms: morning + 3_999 });
  await store.commit(batch({ positions: [late] }));

  const first = await store.prune({ ...keepAll, positions_ms: morning + 3_999 });
  expect(first.more).toBe(true);
  expect(first.deleted).toBeGreaterThan(1_000);
  expect(first.deleted).toBeLessThan(12_000);

  const rest = await pruneAll(store, { positions_ms: morning + 3_999 });
  expect(first.deleted + rest.deleted).toBe(3 * 3_999);
  expect(await wholeTrack(store, 'b')).toEqual([late, { ...recent, vehicle_id: 'b' }]);
  expect(await wholeTrack(store, 'c')).toEqual([recent]);
  expect(await store.prune({ ...keepAll, positions_ms: morning + 3_999 })).toEqual({
    deleted: 0,
    more: false,
    changes: [],
  });
});

test('a sweep that was broken off goes on, and the next one begins at the first vehicle again', async () => {
  const store = await openSampleStore();
  const old = (vehicle_id: string, from: number) =>
    Array.from({ length: 5_000 }, (_, index) =>
      position({ vehicle_id, time_ms: morning + from + index, received_ms: morning }),
    );
  await store.commit(batch({ positions: [...old('a', 0), ...old('b', 0)] }));
  expect(await store.prune({ ...keepAll, positions_ms: morning + 1 })).toEqual({
    deleted: 5_000,
    more: true,
    changes: [],
  });

  await store.commit(batch({ positions: old('a', 9_000) }));
  await pruneAll(store, { positions_ms: morning + 1 });
  expect(await wholeTrack(store, 'b')).toEqual([]);
  await pruneAll(store, { positions_ms: morning + 1 });
  expect(await wholeTrack(store, 'a')).toEqual([]);
});

test('each kind is pruned by its own moment', async () => {
  const store = await openSampleStore();
  const refusal = { terminal_id: 't', code: 'time_in_future' as const, detail: '', protocol: 'p', raw: '' };
  await store.commit(
    batch({
      events: [event({ event_id: 'old' }), event({ event_id: 'new', received_ms: morning + day })],
      notifications: [
        notification({ notification_id: 'old' }),
        notification({ notification_id: 'new', updated_ms: morning + day }),
      ],
      rejected: [
        { ...refusal, received_ms: morning },
        { ...refusal, received_ms: morning + day },
      ],
      tasks: [task()],
    }),
  );
  const answer = { user_id: 'u', operation: 'o', fingerprint: Uint8Array.of(1), response: '' };
  await store.act([actWith({ ...answer, key: 'old', at_ms: morning })]);
  await store.act([actWith({ ...answer, key: 'new', at_ms: morning + day })]);

  const access = { task_id: 'task', user_id: 'u', action: 'read' as const };
  await store.saveAccess([
    { ...access, at_ms: morning },
    { ...access, at_ms: morning + day },
  ]);

  expect(await pruneAll(store, {})).toMatchObject({ deleted: 0 });
  const moment = morning + day;
  expect(
    await pruneAll(store, { events_ms: moment, idempotency_ms: moment, rejected_ms: moment }),
  ).toMatchObject({
    deleted: 5,
  });
  expect((await store.accessOf('task')).map((row) => row.at_ms)).toEqual([moment]);
  expect((await store.events({ limit: 9 })).map((row) => row.event_id)).toEqual(['new']);
  expect((await store.notifications({ limit: 9 })).map((row) => row.notification_id)).toEqual(['new']);
  expect((await store.rejected({ limit: 9 })).map((row) => row.received_ms)).toEqual([moment]);
  expect(await store.idempotent({ user_id: 'u', operation: 'o', key: 'old' })).toBeNull();
  expect(await store.idempotent({ user_id: 'u', operation: 'o', key: 'new' })).not.toBeNull();
  expect(await store.tasksById(['task'])).toHaveLength(1);
});

test('video tasks that are over go as old as events do, but for those with a file and those that are to be carried out', async () => {
  const store = await openSampleStore();
  const old = taskStatus.options.map((status) => task({ task_id: status, status }));
  const recent = task({ task_id: 'recent', status: 'failed', created_ms: morning + day });
  await store.commit(batch({ tasks: [...old, recent] }));
  expect(await pruneAll(store, { events_ms: morning + day })).toMatchObject({ deleted: 3 });
  const left = await store.tasks({ limit: 99 });
  expect(left.map((row) => row.task_id).toSorted()).toEqual([
    'done',
    'downloading',
    'processing',
    'queued',
    'recent',
    'waiting',
  ]);
});

test('a rule is kept as it was while a notification by that version is, however that goes', async () => {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const version = (rule_id: string, of: number) => ({ rule_id, version: of, rule: '{}' });
  await store.commit(
    batch({
      rules: [version('rule', 1), version('rule', 2), version('other', 1)],
      notifications: [
        notification({ notification_id: 'first', rule_id: 'rule', rule_version: 1 }),
        notification({
          notification_id: 'again',
          rule_id: 'rule',
          rule_version: 1,
          updated_ms: morning + day,
        }),
        notification({
          notification_id: 'changed',
          rule_id: 'rule',
          rule_version: 2,
          updated_ms: morning + day,
        }),
        notification({ notification_id: 'other', rule_id: 'other', rule_version: 1, vehicle_id: 'bus' }),
      ],
    }),
  );
  const kept = () => {
    const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: true });
    const rows = db.cells('SELECT rule_id, version FROM rule_versions ORDER BY rule_id, version');
    db.close();
    return rows;
  };

  await store.forgetVehicle('bus');
  expect(kept()).toEqual([
    ['rule', 1],
    ['rule', 2],
  ]);
  await pruneAll(store, { events_ms: morning + 1 });
  expect(await store.notifications({ limit: 9 })).toHaveLength(2);
  expect(kept()).toHaveLength(2);
  await pruneAll(store, { events_ms: morning + day + 1 });
  expect(kept()).toEqual([]);
});

test('a purged vehicle leaves nothing behind but its tasks, and one of the same name starts afresh', async () => {
  const store = await openSampleStore();
  const positions = Array.from({ length: 12_000 }, (_, index) => position({ time_ms: morning + index }));
  const stays = position({ vehicle_id: 'bus' });
  await store.commit(
    batch({
      positions: [...positions, stays],
      events: [event(), event({ event_id: 'bus', vehicle_id: 'bus' })],
      notifications: [notification(), notification({ notification_id: 'bus', vehicle_id: 'bus' })],
      states: [
        { vehicle_id: 'van', state: '1' },
        { vehicle_id: 'bus', state: '2' },
      ],
      tasks: [task()],
    }),
  );
  await store.forgetVehicle('van');
  await store.forgetVehicle('nobody');
  await store.sweepPurged();

  expect(await wholeTrack(store, 'van')).toEqual([]);
  expect(await wholeTrack(store, 'bus')).toEqual([stays]);
  expect((await store.events({ limit: 9 })).map((row) => row.event_id)).toEqual(['bus']);
  expect((await store.notifications({ limit: 9 })).map((row) => row.notification_id)).toEqual(['bus']);
  expect(await store.vehicleStates()).toEqual([{ vehicle_id: 'bus', state: '2' }]);
  expect(await store.tasksById(['task'])).toHaveLength(1);

  await store.commit(batch({ positions: [position({ lat: 1 })] }));
  expect(await wholeTrack(store, 'van')).toEqual([position({ lat: 1 })]);
  expect(await pruneAll(store, {})).toMatchObject({ deleted: 0 });
});

test('the rest of a purge after a crash is deleted by pruning, and is invisible before', async () => {
  const folder = await temporaryFolder();
  const before = await openSampleStore({ folder });
  const positions = Array.from({ length: 7_000 }, (_, index) => position({ time_ms: morning + index }));
  await before.commit(batch({ positions }));
  await before.close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  forgetVehicle({ db, at_ms: morning, by: null }, 'van');
  db.close();

  const after = await openSampleStore({ folder });
  await after.commit(batch({ positions: [position({ lat: 1 })] }));
  expect(await wholeTrack(after, 'van')).toEqual([position({ lat: 1 })]);
  expect(await pruneAll(after, {})).toEqual({ deleted: 7_000, slices: 2 });
  expect(await wholeTrack(after, 'van')).toEqual([position({ lat: 1 })]);
});
