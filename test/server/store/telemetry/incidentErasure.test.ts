import { expect, test } from 'vitest';
import type { Store } from '../../../../server/store/operations.ts';
import { batch, event, morning, notification, opening, task } from './sampleRows.ts';
import { keepAll, openSampleStore, pruneAll } from './sampleStore.ts';

const ofBus = { incident_id: 'of bus', repeat_key: 'rule bus', vehicle_id: 'bus', notification_id: 'bus' };

/** A store with an incident of the van, and one of the bus that an alarm and a clip of the van belong to, too. */
async function storeWithIncidents(): Promise<Store> {
  const store = await openSampleStore();
  await store.commit(
    batch({
      notifications: [
        notification({ notification_id: 'van' }),
        notification({ notification_id: 'also' }),
        notification({ notification_id: 'bus', vehicle_id: 'bus' }),
      ],
      tasks: [task()],
      openings: [opening(), opening(ofBus)],
    }),
  );
  const driver = { driver_id: null, name: 'Vera', phone: '+371 20', card: null };
  const change = (incident_id: string, it: Parameters<Store['changeIncident']>[0]['change']) =>
    store.changeIncident({ incident_id, change: it });
  for (const id of ['of van', 'of bus']) await change(id, { kind: 'describe', driver, place: 'Quay 1' });
  await change('of van', { kind: 'note', text: 'written by a person' });
  await change('of bus', { kind: 'attach_alarm', notification_id: 'also' });
  await change('of bus', { kind: 'attach_clip', task_id: 'task', vehicle_id: 'van' });
  return store;
}

const actionsOf = async (store: Store, incident_id: string) =>
  (await store.incidentEntries({ incident_id, limit: 99, before: null })).map((it) => it.action);

test('the incidents of a purged vehicle go, with its alarms and clips in those of others', async () => {
  const store = await storeWithIncidents();
  const forgotten = await store.forgetVehicle('van');
  expect(forgotten.incidents.map((it) => it.incident_id)).toEqual(['of bus']);
  expect(forgotten.changes.map((it) => it.resource_id)).toEqual(['of van', 'of bus']);
  const left = await store.incidents({ limit: 9 });
  expect(left).toMatchObject([
    { incident_id: 'of bus', alarms: [{ notification_id: 'bus' }], clips: [], place: 'Quay 1' },
  ]);
  expect(await actionsOf(store, 'of bus')).toEqual(['alarm_added', 'created']);
  expect(await actionsOf(store, 'of van')).toEqual([]);
  const again = await store.commit(batch({ openings: [opening({ notification_id: null })] }));
  expect(again.incidents).toMatchObject([{ number: 3, alarms: [], notes: 0 }]);
});

test('incidents lose what is deleted of a vehicle from a period, and what people wrote stays', async () => {
  const store = await storeWithIncidents();
  const before = (await store.incidentsById(['of van']))[0]?.revision ?? NaN;
  const elsewhere = { vehicle_id: 'van', from_ms: morning + 1, to_ms: morning + 9_000 };
  expect((await store.deleteVehicleData(elsewhere)).incidents).toEqual([]);

  const deleted = await store.deleteVehicleData({ ...elsewhere, from_ms: morning });
  expect(deleted.deleted.notifications).toBe(2);
  expect(deleted.changes.map((it) => [it.topic, it.resource_id])).toEqual(
    expect.arrayContaining([
      ['incident', 'of van'],
      ['incident', 'of bus'],
    ]),
  );
  const [ofVan] = await store.incidentsById(['of van']);
  expect(ofVan).toMatchObject({
    ...{ lat: null, lon: null, place: null, geozone_id: null, driver: null, described: true, alarms: [] },
    ...{ title: 'Help', notes: 1, revision: before + 1 },
  });
  expect(await actionsOf(store, 'of van')).toEqual(['note_added', 'created']);
  const [bus] = await store.incidentsById(['of bus']);
  expect(bus).toMatchObject({ place: 'Quay 1', alarms: [{ notification_id: 'bus' }], clips: [{}] });
  const search = { number: null, words: ['vera'], in_driver: true, vehicle_ids: [] };
  expect((await store.incidents({ limit: 9, search })).map((it) => it.incident_id)).toEqual(['of bus']);
  expect(await store.deleteVehicleData({ ...elsewhere, from_ms: morning })).toMatchObject({
    ...{ incidents: [], more: false },
  });
});

test('a driver and an address that were being looked up while the data were deleted do not come back', async () => {
  const store = await openSampleStore();
  await store.commit(batch({ openings: [opening({ notification_id: null })] }));
  await store.deleteVehicleData({ vehicle_id: 'van', from_ms: morning, to_ms: morning + 9_000 });
  const driver = { driver_id: null, name: 'Vera', phone: '+371 20', card: null };
  await store.changeIncident({
    incident_id: 'of van',
    change: { kind: 'describe', driver, place: 'Quay 1' },
  });
  expect(await store.incidentsById(['of van'])).toMatchObject([{ driver: null, place: null, lat: null }]);
});

test('closed incidents are pruned with the events; those that are not closed keep theirs, and their alarms', async () => {
  const store = await openSampleStore();
  const late = { time_ms: morning + 5_000 };
  await store.commit(
    batch({
      events: [event({ event_id: 'meanwhile' }), event({ event_id: 'after', ...late })],
      notifications: [notification({ notification_id: 'van' }), notification({ notification_id: 'free' })],
      openings: [opening()],
    }),
  );
  const left = async () => ({
    events: (await store.events({ limit: 9 })).map((it) => it.event_id),
    alarms: (await store.notifications({ limit: 9 })).map((it) => it.notification_id),
    incidents: (await store.incidents({ limit: 9 })).map((it) => it.incident_id),
  });
  const farAway = Number.MAX_SAFE_INTEGER;
  expect(await pruneAll(store, { events_ms: farAway - 1 })).toMatchObject({ deleted: 2 });
  expect(await left()).toEqual({ events: ['meanwhile'], alarms: ['van'], incidents: ['of van'] });

  const closing = {
    kind: 'close',
    if_version: null,
    reason: 'Test',
    note: null,
    vehicle_ids: ['van'],
  } as const;
  await store.changeIncident({ incident_id: 'of van', change: closing });
  expect(await pruneAll(store, { events_ms: morning })).toMatchObject({ deleted: 0 });
  expect(await pruneAll(store, { events_ms: farAway })).toMatchObject({ deleted: 3 });
  expect(await left()).toEqual({ events: [], alarms: [], incidents: [] });
  expect(await actionsOf(store, 'of van')).toEqual([]);
});

test('events that incidents keep hold back none behind them, and a run looks at each once', async () => {
  const store = await openSampleStore();
  const events = Array.from({ length: 5_001 }, (_, at) =>
    event({ event_id: `kept ${at}`, received_ms: morning + at }),
  );
  const behind = event({ event_id: 'behind', vehicle_id: 'bus', received_ms: morning + 6_000 });
  await store.commit(batch({ events: [...events, behind], openings: [opening({ notification_id: null })] }));
  const before = { ...keepAll, events_ms: morning + 7_000 };
  expect(await store.prune(before)).toMatchObject({ deleted: 0, more: true });
  expect(await store.prune(before)).toMatchObject({ deleted: 1, more: false });
  expect(await store.prune(before)).toMatchObject({ deleted: 0, more: false });
});
