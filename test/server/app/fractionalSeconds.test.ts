import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventRoutes } from '../../../server/contract/events.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

// The store holds whole milliseconds; what people enter is seconds of any fraction.

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let vehicle_id: string;
beforeAll(async () => {
  const rights = { notifications: 'write', geofences: 'write' } as const;
  host = await startTestHost({ clock, users: [{ login: 'anna', rights }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  const { group_ids } = await anna.ask(userRoutes.me);
  const body = { terminal_id: 'VAN', name: 'van', group_ids };
  ({ vehicle_id } = await dealer.ask(vehicleRoutes.create, { body }));
  await anna.ask(geofenceRoutes.create, {
    body: {
      name: 'yard',
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [24.1, 56.9] },
      radius_m: 100,
      min_inside_s: 1.00005,
      min_outside_s: 1.00005,
      group_ids,
    },
  });
});
afterAll(() => host.close());

it('a snooze of 600.55555 seconds is stored and ends within its millisecond', async () => {
  const made_ms = clock.now();
  const body = { vehicle_id, duration_s: 600.55555 };
  const { until } = await anna.ask(notificationRoutes.snooze, { body });
  expect(Date.parse(until) - made_ms).toBe(600_556);
});

describe('rules of a user with fractions of a millisecond', () => {
  it('rules of a user with fractions of a millisecond delay no position, and their events are stored', async () => {
    const kinds = {
      geofence_dwell: { dwell_s: 2.00005 },
      silent_inside: { silent_s: 2.00005 },
      offline: { min_duration_s: 10.00005 },
      idling: { min_duration_s: 2.00005 },
      overspeed: { limit_kmh: 0.1, tolerance_kmh: 0, min_duration_s: 2.00005 },
    } as const;
    for (const [event_kind, params] of Object.entries(kinds)) {
      const rule = { name: event_kind, event_kind, params, scope: { all: true }, cooldown_s: 1.00005 };
      expect((await anna.post(ruleRoutes.create.path, rule)).status).toBe(201);
    }
    const drive = [
      { lat: 56.95, speed_kmh: 20 },
      { lat: 56.9, speed_kmh: 20 },
      ...Array.from({ length: 10 }, () => ({ lat: 56.9, speed_kmh: 1, ignition: true })),
    ];
    for (const fix of drive) {
      clock.advance(1_000);
      const time = new Date(clock.now()).toISOString();
      const { results } = await dealer.ask(positionRoutes.post, {
        body: { positions: [{ vehicle_id, time, lon: 24.1, ...fix }] },
      });
      expect(results).toMatchObject([{ status: 'stored' }]);
    }
    // Silence is noticed by the passing of time alone.
    const silent = async () => {
      clock.advance(30_000);
      const { items } = await anna.ask(eventRoutes.list, { query: { kind: 'offline,silent_inside' } });
      return items.length;
    };
    await expect.poll(silent).toBe(2);
    const { items } = await anna.ask(eventRoutes.list);
    expect(items.map((it) => it.kind)).toEqual(expect.arrayContaining(Object.keys(kinds)));
    const faults = host.logged.filter((it) => Number(it['level']) >= 50);
    expect(faults).toEqual([]);
  });
});
