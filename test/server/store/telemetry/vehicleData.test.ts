import { expect, test } from 'vitest';
import { batch, event, morning, notification, position } from './sampleRows.ts';
import { openSampleStore, wholeTrack } from './sampleStore.ts';

test('the data of a vehicle from a period are deleted in slices, and those of the moment where it ends stay', async () => {
  const store = await openSampleStore();
  const times = Array.from({ length: 5_001 }, (_, at) => morning + at * 1_000);
  await store.commit(
    batch({
      positions: ['van', 'bus'].flatMap((vehicle_id) =>
        times.map((time_ms) => position({ vehicle_id, time_ms, received_ms: time_ms })),
      ),
      events: [morning, morning + 5_000_000].map((time_ms) =>
        event({ event_id: `e${time_ms}`, vehicle_id: 'van', time_ms }),
      ),
      notifications: [notification({ notification_id: 'n', vehicle_id: 'van', last_ms: morning })],
    }),
  );
  const period = { vehicle_id: 'van', from_ms: morning, to_ms: morning + 5_000_000 };
  const counts = { positions: 5_000, events: 1, notifications: 1, snapshots: 0 };
  expect(await store.countVehicleData(period)).toEqual(counts);

  const slices = [];
  for (let more = true; more;) {
    const slice = await store.deleteVehicleData(period);
    slices.push(slice.deleted.positions);
    more = slice.more;
  }
  expect(slices).toEqual([2_000, 2_000, 1_000]);
  expect(await store.countVehicleData(period)).toEqual({
    positions: 0,
    events: 0,
    notifications: 0,
    snapshots: 0,
  });
  expect((await wholeTrack(store, 'van')).map((row) => row.time_ms)).toEqual([morning + 5_000_000]);
  expect(await wholeTrack(store, 'bus')).toHaveLength(5_001);
  expect((await store.events({ limit: 9 })).map((row) => row.event_id)).toEqual([`e${morning + 5_000_000}`]);
});
