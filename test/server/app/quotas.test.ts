import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { quotas, keptPerUser } from '../../../server/contract/quotas.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let group_id: string;
beforeAll(async () => {
  const rights = { vehicles: 'write', geofences: 'write', notifications: 'write' } as const;
  host = await startTestHost({ clock, users: [{ login: 'anna', rights }, { login: 'robot' }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  group_id = (await anna.ask(userRoutes.me)).group_ids[0] ?? '';
});
afterAll(() => host.close());

/** Each beside the others: only so many may lie over one place. */
const squareAt = (at: number) => {
  const [lon, lat] = [(at % 100) * 0.2, Math.floor(at / 100) * 0.2];
  return [
    [lon, lat],
    [lon + 0.1, lat],
    [lon + 0.1, lat + 0.1],
    [lon, lat],
  ];
};
const shapes = (count: number, prefix: string) => ({
  type: 'FeatureCollection',
  features: Array.from({ length: count }, (_, at) => ({
    type: 'Feature',
    properties: { name: `${prefix} ${at}` },
    geometry: { type: 'Polygon', coordinates: [squareAt(at)] },
  })),
});

describe('geofences', () => {
  it('geofences of a user are at most 1,000, by import and one by one; dealers add 5,000 more', async () => {
    const path = `${geofenceRoutes.import.path}?group_ids=${group_id}`;
    const { most: max } = quotas.geofences_of_user;
    expect(await anna.post(path, shapes(max, 'mine'))).toMatchObject({
      status: 200,
      body: { created: max },
    });
    const one = {
      name: 'one more',
      shape: 'polygon',
      geometry: { type: 'Polygon', coordinates: [squareAt(0)] },
    };
    const refused = await anna.post(geofenceRoutes.create.path, { ...one, group_ids: [group_id] });
    expect(refused).toMatchObject({
      status: 409,
      code: 'quota_exceeded',
      body: {
        detail: 'At most 1,000 geofences that one user added: there are 1,000, and 1 more were asked for.',
        causes: [{ code: 'quota.geofences_of_user', values: { most: 1_000, there: 1_000, more: 1 } }],
      },
    });
    for (const dry of ['', '&dry_run=1'])
      expect((await anna.post(path + dry, shapes(2, 'more'))).code).toBe('quota_exceeded');
    expect(await dealer.post(geofenceRoutes.import.path, shapes(5_000, 'all'))).toMatchObject({
      status: 200,
      body: { created: 5_000 },
    });
  });

  it('geofences of a user that is at its limit are changed and deleted, and one more is added then', async () => {
    const { items } = await anna.ask(geofenceRoutes.list, { query: { q: 'mine', limit: 1 } });
    const params = { geozone_id: items[0]?.geozone_id ?? '' };
    expect(await anna.outcome(geofenceRoutes.patch, { params, body: { name: 'renamed' } })).toBe(200);
    expect(await anna.outcome(geofenceRoutes.remove, { params })).toBe(204);
    const body = {
      ...{ name: 'again', shape: 'circle' as const, radius_m: 10, group_ids: [group_id] },
      geometry: { type: 'Point' as const, coordinates: [24, 56] as [number, number] },
    };
    expect(await anna.outcome(geofenceRoutes.create, { body })).toBe(201);
  });
});

describe('rules', () => {
  it('rules of a user are at most 200, also when all are sent at once', async () => {
    const body = { name: 'mine', event_kind: 'sos', scope: { all: true } };
    const sent = Array.from({ length: quotas.rules_of_user.most + 5 }, () =>
      anna.post(ruleRoutes.create.path, body),
    );
    const codes = (await Promise.all(sent)).map(({ status, code }) => code ?? status);
    expect(codes.filter((it) => it === 201)).toHaveLength(quotas.rules_of_user.most);
    expect(codes.filter((it) => it === 'quota_exceeded')).toHaveLength(5);
    expect((await dealer.post(ruleRoutes.create.path, body)).status).toBe(201);
  });
});

describe('snoozes and waiting commands', () => {
  it('snoozes and waiting commands of a user are at most 1,000 each, over all vehicles', async () => {
    const rows = Array.from({ length: 1_001 }, (_, at) => ({
      ...{ terminal_id: `V${at}`, name: `van ${at}`, group_ids: [group_id] },
    }));
    expect((await anna.post(vehicleRoutes.import.path, rows)).body).toMatchObject({ created: 1_001 });
    const vehicles: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = { limit: 1_000, ...(cursor === '' ? {} : { cursor }) };
      const page: { items: { vehicle_id: string }[]; next_cursor: string | null } = await anna.ask(
        vehicleRoutes.list,
        { query },
      );
      vehicles.push(...page.items.map((it) => it.vehicle_id));
      cursor = page.next_cursor;
    }
    const outcomes: (string | number)[][] = [];
    for (let at = 0; at < vehicles.length; at += 100) {
      const some = vehicles.slice(at, at + 100).map((vehicle_id) =>
        Promise.all([
          anna.outcome(notificationRoutes.snooze, { body: { vehicle_id, duration_s: 3_600 } }),
          anna.outcome(terminalCommandRoutes.send, {
            params: { vehicle: vehicle_id },
            body: { kind: 'position' },
          }),
        ]),
      );
      outcomes.push(...(await Promise.all(some)));
    }
    for (const of of [outcomes.map(([snooze]) => snooze), outcomes.map(([, command]) => command)]) {
      expect(of.filter((it) => it === 201)).toHaveLength(1_000);
      expect(of.filter((it) => it === '409 quota_exceeded')).toHaveLength(1);
    }
    // A snoozed vehicle may be snoozed again.
    const { items } = await anna.ask(notificationRoutes.snoozes, { query: { limit: 1 } });
    const again = { body: { vehicle_id: items[0]?.vehicle_id ?? '', duration_s: 60 } };
    expect(await anna.outcome(notificationRoutes.snooze, again)).toBe(201);
  });
});

describe('sessions', () => {
  it('sessions of a tool that logs in every minute end, and those that are refreshed stay', async () => {
    const console = await host.login('robot');
    clock.advance(60_000);
    expect(
      (await console.post('/auth/refresh', undefined, { 'Authorization-Refresh': console.jwt })).status,
    ).toBe(200);
    const first = await host.login('robot');
    for (let at = 0; at < keptPerUser.sessions; at += 1) {
      clock.advance(1_000);
      await host.login('robot');
    }
    const { user_id } = await console.ask(userRoutes.me);
    expect((await first.get('/api/v1/me')).code).toBe('session_revoked');
    let sessions = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = cursor === '' ? {} : { cursor };
      const page: { items: unknown[]; next_cursor: string | null } = await dealer.ask(userRoutes.sessions, {
        params: { user_id },
        query,
      });
      sessions += page.items.length;
      cursor = page.next_cursor;
    }
    expect(sessions).toBe(keptPerUser.sessions);
  });
});
