import { expect, it } from 'vitest';
import { readEventsAddress } from '../../../renderer/events/eventsAddress.ts';
import { notificationList } from '../../../renderer/events/lists.ts';
import { openSession } from '../commands/openSession.ts';

it('notifications of a rule and a vehicle in the whole past are asked for by one query', () => {
  const { app } = openSession();
  const asked: unknown[] = [];
  const request = (_: unknown, { query }: { query: unknown }) => {
    asked.push(query);
    return Promise.resolve({ items: [], next_cursor: null });
  };
  const address = readEventsAddress({ rule: 'r1', vehicle: 'v1', period: 'all' });
  notificationList(
    { ...app, api: { ...app.api, request: request as typeof app.api.request } },
    address,
  ).load();
  expect(asked).toEqual([{ limit: 200, from: '1970-01-01T00:00:00.000Z', vehicle: 'v1', rule: 'r1' }]);
});
