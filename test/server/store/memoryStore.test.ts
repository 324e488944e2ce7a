import { expect, test } from 'vitest';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import type { Store } from '../../../server/store/operations.ts';
import { DiskFull, StoreFailed } from '../../../server/store/storeErrors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { batch, event, morning, notification, position, task } from './telemetry/sampleRows.ts';
import { openSampleStore, pruneAll, wholeTrack } from './telemetry/sampleStore.ts';

/** What came of writes and reads of every sort. */
async function history(store: Store): Promise<unknown[]> {
  const events = Array.from({ length: 5 }, (_, at) => event({ event_id: `e${at}`, time_ms: morning + at }));
  const positions = Array.from({ length: 4_500 }, (_, at) =>
    position({ time_ms: morning + at, speed_kmh: at / 10, ignition: at % 2 === 0, alarms: ['sos'] }),
  );
  const answers: unknown[] = [
    await store.commit(batch({ positions, events, states: [{ vehicle_id: 'van', state: '{}' }] })),
    await store.saveNotifications([notification({ notification_id: 'n1' })]),
    await store.saveTasks([task({ task_id: 't1' })]),
    await store.recordChanges([{ topic: 'vehicle', resource_id: 'van', visible_to: ['g'] }]),
    await wholeTrack(store, 'van'),
    await store.positionsAt([{ vehicle_id: 'van', time_ms: morning }]),
    await store.events({ limit: 3, kinds: ['overspeed'] }),
    await store.notifications({ limit: 3 }),
    await store.tasks({ limit: 3 }),
    await store.changesAfter({ seq: 5, limit: 100 }),
    await store.vehicleStates(),
    await pruneAll(store, { events_ms: morning + 10_000 }),
    await store.events({ limit: 3 }),
  ];
  await store.forgetVehicle('van');
  answers.push(await wholeTrack(store, 'van'), await store.lastSeq());
  return answers;
}

test('a store in memory answers every call as the store of a file does', async () => {
  const clock = createFakeClock();
  expect(await history(openMemoryStore(clock))).toEqual(await history(await openSampleStore({ clock })));
});

test('a store in memory keeps nothing of a call that fails', async () => {
  const store = openMemoryStore(createFakeClock());
  const unstorable = position({ time_ms: morning + 0.5 });
  const commit = store.commit(batch({ positions: [position(), unstorable], events: [event()] }));
  await expect(commit).rejects.toBeInstanceOf(StoreFailed);
  expect(await wholeTrack(store, 'van')).toEqual([]);
  expect(await store.lastSeq()).toBe(0);
});

test('a store in memory is not changed by what a caller does to its rows', async () => {
  const store = openMemoryStore(createFakeClock());
  const row = notification({ event_ids: ['e1'] });
  await store.saveNotifications([row]);
  row.event_ids.push('e2');
  const [read] = await store.notificationsById([row.notification_id]);
  expect(read?.event_ids).toEqual(['e1']);
});

test('single methods of a store in memory are replaced by those that a test gives', async () => {
  const full = openMemoryStore(createFakeClock(), { commit: () => Promise.reject(new DiskFull('full')) });
  await expect(full.commit(batch({ events: [event()] }))).rejects.toBeInstanceOf(DiskFull);
  expect(await full.events({ limit: 1 })).toEqual([]);
});
