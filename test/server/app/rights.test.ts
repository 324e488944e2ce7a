import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '../../../server/contract/api.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { reaches, rights, type RightLevel } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { createHandClock } from '../../support/handClock.ts';
import { startTestHost, type Answer, type Caller, type TestHost } from '../../support/testHost.ts';

/** A depot in which there is one of everything, none of it in the groups of the users that try the operations. */
const clock = createHandClock();
const all = {
  vehicles: 'write',
  geofences: 'write',
  notifications: 'write',
  reports: 'write',
  video: 'write',
} as const;
const nothing = {
  vehicles: 'none',
  geofences: 'none',
  notifications: 'none',
  reports: 'none',
  video: 'none',
} as const;
let host: TestHost;
const callers = new Map<string, Caller>();
let params: Record<string, string>;

beforeAll(async () => {
  host = await startTestHost({
    clock,
    users: [
      { login: 'with all rights', rights: all },
      { login: 'with the default rights' },
      { login: 'with no right', rights: nothing },
      { login: 'bystander' },
    ],
  });
  const dealer = await host.login();
  callers.set('nobody', host.anybody).set('a dealer', dealer);
  for (const login of ['with all rights', 'with the default rights', 'with no right']) {
    callers.set(`a user ${login}`, await host.login(login));
  }
  params = await fill(dealer);
});
afterAll(() => host.close());

async function fill(dealer: Caller): Promise<Record<string, string>> {
  const { user_id, group_ids } = await (await host.login('bystander')).ask(userRoutes.me);
  const [group_id = ''] = group_ids;
  const body = { terminal_id: 'HIDDEN7', name: 'hidden van', group_ids };
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
  const geometry = { type: 'Point' as const, coordinates: [24.1, 56.9] as [number, number] };
  const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
    body: { name: 'hidden yard', shape: 'circle', geometry, radius_m: 100, group_ids },
  });
  const { rule_id } = await dealer.ask(ruleRoutes.create, {
    body: { name: 'hidden rule', event_kind: 'sos', scope: { vehicle_ids: [vehicle_id] } },
  });
  const time = new Date(clock.now()).toISOString();
  const fix = { vehicle_id, time, lat: 56.9, lon: 24.1, alarms: ['sos'] };
  await dealer.ask(positionRoutes.post, { body: { positions: [fix] } });
  const { items } = await dealer.ask(notificationRoutes.list);
  const [{ notification_id, event_ids } = { notification_id: '', event_ids: [] }] = items;
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  // Its end lies ahead, so it waits for the clock, which stands still.
  const { task_id } = await dealer.ask(videoRoutes.createTask, {
    body: { profile_id, channel: 1, from: time, to: new Date(clock.now() + 60_000).toISOString() },
  });
  const [event_id = ''] = event_ids;
  return {
    user_id,
    group_id,
    vehicle: 'HIDDEN7',
    geozone_id,
    rule_id,
    event_id,
    notification_id,
    profile_id,
    task_id,
  };
}

/** Tries an operation with what is really there, and a body that every operation without one of its own understands. */
async function attempt(route: Route, caller: Caller | undefined): Promise<Answer> {
  if (caller === undefined) throw new Error('there is no such caller');
  const query =
    route.id === 'vehicleTrack' ? { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' } : {};
  const path = pathOf(route, { params, query });
  return caller.call(route.method, path, route.body === undefined ? undefined : {});
}

type Expected = 'open' | '401' | '403' | '404' | 'own';

/** What a role may expect of an operation, by its contract alone. */
function expected(route: Route, role: string): Expected {
  if (route.access === 'anybody') return 'open';
  if (role === 'nobody') return '401';
  if (route.access === 'user') return route.params === undefined ? 'own' : '404';
  if (route.access === 'dealer') return '403';
  const held: RightLevel = rightsOf(role)[route.access.right];
  if (!reaches(held, route.access.level)) return '403';
  return route.params === undefined ? 'own' : '404';
}

function rightsOf(role: string) {
  if (role === 'a user with all rights') return all;
  return role === 'a user with no right' ? nothing : rights.parse({});
}

const roles = ['nobody', 'a user with all rights', 'a user with the default rights', 'a user with no right'];
const operations = apiRoutes
  .filter((route) => route.id !== 'stream')
  .map((route) => ({ name: `${route.method} ${route.path}`, route }));
const listOf = z.looseObject({ items: z.array(z.unknown()) });

describe.each(roles)('%s', (role) => {
  it.each(operations)('may expect no more of $name than its rights are', async ({ route }) => {
    // Logging out would end the session that the other operations are tried with.
    if (route.id === 'logout' && role !== 'nobody') return;
    const answer = await attempt(route, callers.get(role));
    const wanted = expected(route, role);
    for (const secret of ['HIDDEN7', 'hidden van', 'hidden yard', 'hidden rule', ...Object.values(params)]) {
      expect(answer.text).not.toContain(secret);
    }
    if (wanted === 'own' || wanted === 'open') {
      // What lists there are hold nothing of others; what needs more in its body says so.
      expect([200, 400, 401]).toContain(answer.status);
      const list = listOf.safeParse(answer.body);
      if (list.success) expect(list.data.items).toHaveLength(route.id === 'listGroups' ? 1 : 0);
      return;
    }
    expect(String(answer.status)).toBe(wanted);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});

describe('a dealer', () => {
  it.each(operations.filter(({ route }) => route.method === 'GET'))(
    'reads all that $name has',
    async ({ route }) => {
      const answer = await attempt(route, callers.get('a dealer'));
      // The file of the task is the only thing that is not there yet.
      expect(answer.status).toBe(route.id === 'videoTaskFile' ? 409 : 200);
      const list = listOf.safeParse(answer.body);
      const empty = ['refusedPositions', 'unknownTerminals'];
      if (list.success && !empty.includes(route.id)) expect(list.data.items.length).toBeGreaterThan(0);
    },
  );

  it('finds everything as it was after all these tries', async () => {
    const dealer = await host.login();
    const { group_id = '', user_id = '', rule_id = '', geozone_id = '', task_id = '' } = params;
    expect((await dealer.ask(groupRoutes.get, { params: { group_id } })).vehicle_ids).toHaveLength(1);
    expect((await dealer.ask(userRoutes.get, { params: { user_id } })).version).toBe(1);
    expect((await dealer.ask(ruleRoutes.get, { params: { rule_id } })).version).toBe(1);
    expect((await dealer.ask(geofenceRoutes.get, { params: { geozone_id } })).version).toBe(1);
    expect((await dealer.ask(videoRoutes.getTask, { params: { task_id } })).status).toMatch(/queued|waiting/);
    expect((await dealer.ask(vehicleRoutes.get, { params: { vehicle: 'HIDDEN7' } })).version).toBe(1);
    expect((await dealer.ask(notificationRoutes.list)).items[0]?.state).toBe('open');
  });
});
