import { expect, it } from 'vitest';
import type { Event } from '../../../server/contract/events.ts';
import { readEventsAddress } from '../../../renderer/events/eventsAddress.ts';
import { eventList, notificationList } from '../../../renderer/events/lists.ts';
import { openSession } from '../commands/openSession.ts';

it.each<[string, typeof notificationList | typeof eventList, Record<string, string>]>([
  ['notifications of a rule and a vehicle', notificationList, { rule: 'r1', vehicle: 'v1' }],
  ['events of a kind, a geofence and a vehicle', eventList, { kind: 'sos', geofence: 'g1', vehicle: 'v1' }],
])('%s in the whole past are asked for by one query', (_, list, filter) => {
  const { app } = openSession();
  const asked: unknown[] = [];
  const request = (_: unknown, { query }: { query: unknown }) => {
    asked.push(query);
    return Promise.resolve({ items: [], next_cursor: null });
  };
  const address = readEventsAddress({ ...filter, period: 'all' });
  list({ ...app, api: { ...app.api, request: request as typeof app.api.request } }, address).load();
  expect(asked).toEqual([{ limit: 200, from: '1970-01-01T00:00:00.000Z', ...filter }]);
});

it('the lists of several vehicles ask for theirs alone, and take nothing else from the stream', () => {
  const { app } = openSession();
  const asked: unknown[] = [];
  const request = (_: unknown, { query }: { query: { vehicle: unknown } }) => {
    asked.push(query.vehicle);
    return Promise.resolve({ items: [], next_cursor: null });
  };
  const api = { ...app.api, request: request as typeof app.api.request };
  const list = eventList({ ...app, api }, readEventsAddress({ vehicle: 'v1,v2', period: 'all' }));
  list.load();
  const time = new Date(app.serverTime.now()).toISOString();
  for (const vehicle_id of ['v1', 'v2', 'v3', null])
    list.take({ event_id: String(vehicle_id), time, kind: 'sos', vehicle_id } as Event);
  expect(asked).toEqual(['v1,v2']);
  expect(
    list.store
      .getState()
      .fresh.map(({ id }) => id)
      .sort(),
  ).toEqual(['v1', 'v2']);
});
