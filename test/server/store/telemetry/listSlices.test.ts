import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../server/store/telemetry/database.ts';
import { eventList, eventListing } from '../../../../server/store/telemetry/eventsTable.ts';
import { boundedPage, newestFirst, type Slice } from '../../../../server/store/telemetry/newestFirst.ts';
import type { EventQuery } from '../../../../server/store/telemetry/rows.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, event, morning } from './sampleRows.ts';
import { openSampleStore } from './sampleStore.ts';

const vehicles = Array.from({ length: 100 }, (_, index) => `vehicle ${index}`);
/** Those at the yard are every fourth. */
const neverThere = [1, 2, 3].flatMap((from) => vehicles.filter((_, at) => at % 4 === from));

/** Six hundred events, many of them at the same moment, one of them an SOS; read by slices of fifty. */
async function openEvents() {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const rows = Array.from({ length: 600 }, (_, index) =>
    event({
      event_id: `e${(index * 7919) % 600}`,
      kind: index === 3 ? 'sos' : index % 2 === 0 ? 'moving' : 'stopped',
      vehicle_id: vehicles[index % 100] ?? '',
      geozone_id: index % 4 === 0 ? 'yard' : null,
      time_ms: morning + Math.floor(index / 97),
    }),
  );
  await store.commit(batch({ events: rows }));
  await store.close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: true });
  onTestFinished(() => db.close());

  const readSlice =
    (max: number) =>
    (query: EventQuery): Promise<Slice<{ event_id: string }>> =>
      Promise.resolve(newestFirst(db, eventListing, eventList(query), max));

  function read(query: EventQuery, max: number) {
    const slices: Slice<{ event_id: string }>[] = [];
    for (let { before } = query; ;) {
      const list = eventList({ ...query, ...(before && { before }) });
      const slice = newestFirst<{ event_id: string }>(db, eventListing, list, max);
      slices.push(slice);
      if (slice.next === null) break;
      before = slice.next;
    }
    return { slices: slices.length, ids: slices.flatMap((it) => it.rows.map((row) => row.event_id)) };
  }
  return { read, readSlice };
}

test.each<[string, Omit<EventQuery, 'limit'>, number]>([
  ['of a rare kind', { kinds: ['sos'] }, 12],
  ['of a kind that there is none of', { kinds: ['power_cut'] }, 12],
  ['of many vehicles without events', { vehicle_ids: vehicles.map((it) => `${it} of others`) }, 12],
  ['of many vehicles', { vehicle_ids: vehicles.slice(10), kinds: ['moving'] }, 12],
  ['of a geofence', { geozone_id: 'yard', kinds: ['moving'] }, 3],
  ['of a geofence where many vehicles never were', { geozone_id: 'yard', vehicle_ids: neverThere }, 3],
  ['of few vehicles', { vehicle_ids: vehicles.slice(0, 25), kinds: ['sos'] }, 5],
  ['of few vehicles that there are none of', { vehicle_ids: vehicles.slice(0, 25), kinds: ['power_cut'] }, 5],
  ['of one vehicle', { vehicle_ids: vehicles.slice(0, 1), kinds: ['power_cut'] }, 1],
  [
    'of few vehicles at a geofence',
    { geozone_id: 'yard', vehicle_ids: vehicles.filter((_, at) => at % 4 === 0).slice(0, 10) },
    2,
  ],
  ['of a period', { kinds: ['moving'], from_ms: morning + 2, to_ms: morning + 3 }, 4],
])('events %s are found by slices of so many rows read, each once and in order', async (_, query, slices) => {
  const { read } = await openEvents();
  const whole = read({ ...query, limit: 1_000 }, 10_000);
  const sliced = read({ ...query, limit: 1_000 }, 50);
  expect(sliced.ids).toEqual(whole.ids);
  expect(whole.slices).toBe(1);
  // The last one may be empty.
  expect(sliced.slices).toBeGreaterThanOrEqual(slices);
  expect(sliced.slices).toBeLessThanOrEqual(slices + 1);
});

test('events of one vehicle, by their ids, or of all are one read', async () => {
  const { read } = await openEvents();
  expect(read({ limit: 10 }, 50).slices).toBe(1);
  expect(read({ limit: 10, event_ids: ['e1'], kinds: ['sos'] }, 50).slices).toBe(1);
  expect(read({ limit: 10, vehicle_ids: vehicles.slice(0, 1) }, 5).slices).toBe(1);
  expect(read({ limit: 10, vehicle_ids: [] }, 5).slices).toBe(1);
});

test.each<[string, Omit<EventQuery, 'limit'>, number]>([
  ['that there are none of', { kinds: ['power_cut'] }, 0],
  ['of a rare kind', { kinds: ['sos'] }, 1],
  ['of many vehicles that were never at the geofence', { geozone_id: 'yard', vehicle_ids: neverThere }, 0],
])('a page of events %s reads so many slices at most, and the next one goes on', async (_, query, count) => {
  const { readSlice } = await openEvents();
  let slices = 0;
  const page = boundedPage((asked: EventQuery) => {
    slices += 1;
    return readSlice(20)(asked);
  }, 4);
  const found: string[] = [];
  for (let before: EventQuery['before']; ;) {
    slices = 0;
    const { rows, next } = await page({ ...query, limit: 100, ...(before && { before }) });
    expect(slices).toBeLessThanOrEqual(4);
    found.push(...rows.map((it) => it.event_id));
    if (next === null) break;
    expect(slices).toBe(4);
    before = next;
  }
  expect(found).toHaveLength(count);
});
