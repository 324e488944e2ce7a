import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '../../../server/contract/api.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { mapRegionRoutes } from '../../../server/contract/mapRegions.ts';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { placeRoutes } from '../../../server/contract/places.ts';
import { previewPeriod } from '../../../server/contract/preview.ts';
import { reportJobRoutes } from '../../../server/contract/reportJobs.ts';
import { reportScheduleRoutes } from '../../../server/contract/reportSchedules.ts';
import { snapshotRoutes } from '../../../server/contract/incidentSnapshots.ts';
import { meetsLevel, rights, type RightLevel } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { shareRoutes, shareTokenHeader } from '../../../server/contract/shares.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { jpegOf } from '../../support/jpegOf.ts';
import { makeMbtiles, street, tileOf } from '../../support/mapFiles.ts';
import { startTestHost, type Answer, type Caller, type TestHost } from '../../support/testHost.ts';
import { hourAround, seedWorld } from '../api/world.ts';

/** A depot in which there is one of everything, none of it in the groups of the users that try the operations. */
const clock = createFakeClock();
const all = {
  vehicles: 'write',
  geofences: 'write',
  notifications: 'write',
  reports: 'write',
  video: 'write',
} as const;
const reading = {
  vehicles: 'read',
  geofences: 'read',
  notifications: 'read',
  reports: 'read',
  video: 'read',
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
      { login: 'with the right to read all', rights: reading },
      { login: 'bystander', rights: all },
    ],
  });
  const dealer = await host.login();
  callers.set('nobody', host.anybody).set('a dealer', dealer);
  const logins = [
    'with all rights',
    'with the default rights',
    'with the right to read all',
    'with no right',
  ];
  for (const login of logins) callers.set(`a user ${login}`, await host.login(login));
  const owner = await host.login('bystander');
  params = { ...(await seedWorld({ dealer, owner, mark: 'HIDDEN7', now: () => clock.now() })) };
  const path = pathOf(snapshotRoutes.attach, { params, query: ownQueries['attachIncidentSnapshot'] ?? {} });
  const made = await dealer.post(path, jpegOf(), { 'Content-Type': 'image/jpeg' });
  params['snapshot_id'] = z.object({ snapshot_id: z.string() }).parse(made.body).snapshot_id;
});
afterAll(() => host.close());

/** Tries an operation with what is really there, and a body that every operation without one of its own understands. */
async function attempt(route: Route, caller: Caller | undefined): Promise<Answer> {
  if (caller === undefined) throw new Error('there is no such caller');
  const needsPeriod = route.query instanceof z.ZodObject && route.query.shape['from'] === previewPeriod.from;
  const query = needsPeriod
    ? hourAround(clock.now())
    : namesTasks(route)
      ? { tasks: params['task_id'] ?? '' }
      : (ownQueries[route.id] ?? {});
  const path = pathOf(route, { params: { item_id: '1', ...params }, query });
  const body = ownBodies[route.id] ?? {};
  const headers = route.byLink === true && params['token'] ? { [shareTokenHeader]: params['token'] } : {};
  return caller.call(route.method, path, route.body === undefined ? undefined : body, headers);
}

/** Of operations that nobody finds without a whole body. */
const ownBodies: Readonly<Record<string, object>> = {
  sendTerminalCommand: { kind: 'position' },
  addShiftNote: { text: 'x' },
  addIncidentNote: { text: 'x' },
  closeIncident: { reason: 'Resolved' },
  tickIncidentItem: { done: true },
  createShare: { name: 'x', expires_at: '2026-11-21T12:00:00Z' },
  mailShiftReport: { email_to: ['harbour@port.example'] },
};

/** Of operations that cannot be called without a query. */
const ownQueries: Readonly<Record<string, Record<string, string>>> = {
  getPastMoment: { at: new Date(0).toISOString() },
  getVehicleValues: { from: new Date(0).toISOString(), to: new Date(1_000).toISOString() },
  getPlace: { lat: '56.9', lon: '24.1' },
  searchPlaces: { q: 'elm street' },
  attachIncidentSnapshot: { kind: 'map', time: new Date(0).toISOString() },
};

/** Names what it is about in its query, as others do in their path. */
function namesTasks(route: Route): boolean {
  return route.id === 'exportVideoEvidence';
}

type Expected = 'open' | '401' | '403' | '404' | 'own';

/** What a role may expect of an operation, by its contract alone. */
function expected(route: Route, role: string): Expected {
  // What only a link shows is there for nobody who has none.
  if (route.access === 'anybody') return route.byLink === true ? '404' : 'open';
  if (role === 'nobody') return '401';
  if (route.access === 'user') return route.params === undefined ? 'own' : '404';
  if (route.access === 'dealer') return '403';
  const held: RightLevel = rightsOf(role)[route.access.right];
  if (!meetsLevel(held, route.access.level)) return '403';
  const also = route.alsoNeeds;
  if (also !== undefined && !meetsLevel(rightsOf(role)[also.right], also.level)) return '403';
  return route.params === undefined && !namesTasks(route) ? 'own' : '404';
}

function rightsOf(role: string) {
  if (role === 'a user with all rights') return all;
  if (role === 'a user with the right to read all') return reading;
  return role === 'a user with no right' ? nothing : rights.parse({});
}

const roles = [
  'nobody',
  'a user with all rights',
  'a user with the default rights',
  'a user with the right to read all',
  'a user with no right',
];
const operations = apiRoutes
  .filter((route) => route.id !== 'openStream')
  .map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** Each is in one group; a dealer may be handed the shift of anybody. */
const ownItems = ['listGroups', 'listDispatchers'];
const listOf = z.looseObject({ items: z.array(z.unknown()) });

describe.each(roles)('%s', (role) => {
  it.each(operations)('may expect no more of $name than its rights are', async ({ route }) => {
    // Logging out would end the session that the other operations are tried with.
    if (route.id === 'logout' && role !== 'nobody') return;
    const answer = await attempt(route, callers.get(role));
    const wanted = expected(route, role);
    for (const secret of ['HIDDEN7', ...Object.values(params)]) {
      expect(answer.text).not.toContain(secret);
    }
    if (wanted === 'own' || wanted === 'open') {
      // What lists there are hold nothing of others; what needs more in its body says so.
      // Going on duty needs no more than the right to it.
      expect([200, 400, 401, ...(route.id === 'startShift' ? [201] : [])]).toContain(answer.status);
      const list = listOf.safeParse(answer.body);
      if (list.success) expect(list.data.items).toHaveLength(ownItems.includes(route.id) ? 1 : 0);
      return;
    }
    expect(String(answer.status)).toBe(wanted);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});

describe('a dealer', () => {
  // Maps belong to nobody, and all may read them: they come when what is hidden from others was tried.
  beforeAll(async () => {
    const dealer = await host.login();
    const path = makeMbtiles(join(host.data, '..', `${basename(host.data)}.mbtiles`), {
      tiles: [tileOf(6, 36, 19, [street('Elm Street')])],
      bounds: '22,55,28,58',
    });
    const { map_id } = await dealer.ask(mapRoutes.add, { body: { path } });
    const { upload_id } = await dealer.ask(mapRoutes.startUpload, { body: { name: 'elm', bytes: 10 } });
    // Nothing listens at the port for discarding, so it waits to try again.
    const { region_id } = await dealer.ask(mapRegionRoutes.start, {
      body: {
        name: 'elm',
        url: 'http://127.0.0.1:9/elm.pmtiles',
        area: { west: 23, south: 56, east: 25, north: 57 },
        max_zoom: 6,
      },
    });
    const { job_id } = await dealer.ask(reportJobRoutes.create, {
      body: { kind: 'stops', format: 'csv', query: hourAround(clock.now()) },
    });
    const { schedule_id } = await dealer.ask(reportScheduleRoutes.create, {
      body: { name: 'S', kind: 'stops', format: 'csv', every: 'day', email_to: ['a@port.example'] },
    });
    const { token } = await dealer.ask(shareRoutes.create, {
      params: { vehicle: 'HIDDEN7' },
      body: { name: 'S', expires_at: new Date(clock.now() + 3_600_000).toISOString() },
    });
    Object.assign(params, {
      token,
      map_id,
      upload_id,
      region_id,
      job_id,
      schedule_id,
      z: '6',
      x: '36',
      y: '19',
    });
    await vi.waitUntil(
      async () => (await dealer.ask(reportJobRoutes.get, { params: { job_id } })).state === 'done',
    );
    await vi.waitUntil(async () =>
      (await dealer.ask(placeRoutes.indexes)).items.every(({ state }) => state === 'ready'),
    );
    return () => rm(path);
  });

  it.each(operations.filter(({ route }) => route.method === 'GET'))(
    'a dealer reads all that $name has',
    async ({ route }) => {
      const answer = await attempt(route, callers.get('a dealer'));
      // The file of the task is the only thing that is not there yet.
      expect(answer.status).toBe(['getVideoTaskFile', 'exportVideoEvidence'].includes(route.id) ? 409 : 200);
      const list = listOf.safeParse(answer.body);
      const empty = ['listRejectedPositions', 'listUnknownTerminals', 'listVideoTaskAccess'];
      if (list.success && !empty.includes(route.id)) expect(list.data.items.length).toBeGreaterThan(0);
    },
  );

  it('a dealer finds everything as it was after all these tries', async () => {
    const dealer = await host.login();
    const { group_id = '', user_id = '', rule_id = '', geozone_id = '', task_id = '' } = params;
    expect((await dealer.ask(groupRoutes.get, { params: { group_id } })).vehicle_ids).toHaveLength(1);
    expect((await dealer.ask(userRoutes.get, { params: { user_id } })).version).toBe(1);
    expect((await dealer.ask(ruleRoutes.get, { params: { rule_id } })).version).toBe(1);
    expect((await dealer.ask(geofenceRoutes.get, { params: { geozone_id } })).version).toBe(1);
    expect((await dealer.ask(videoRoutes.getTask, { params: { task_id } })).status).toMatch(/queued|waiting/);
    expect((await dealer.ask(vehicleRoutes.get, { params: { vehicle: 'HIDDEN7' } })).version).toBe(1);
    const { items } = await dealer.ask(terminalCommandRoutes.list, { params: { vehicle: 'HIDDEN7' } });
    expect(items.map((it) => it.status)).toEqual(['queued']);
    expect((await dealer.ask(notificationRoutes.list)).items[0]?.state).toBe('open');
  });
});
