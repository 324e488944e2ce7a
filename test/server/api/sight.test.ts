import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '../../../server/contract/api.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { rightNames, type Rights } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { openStream, type StreamReader } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { faultsBy, type Faults } from './documented.ts';
import { hourAround, seedWorld, type World } from './world.ts';

// Two groups that have all of the same: whatever the user of one asks for, nothing of the other is in the answer.

const mark = 'SECRET-B';
const everything = Object.fromEntries(rightNames.map((name) => [name, 'write'])) as Rights;
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let boris: Caller;
let mine: World;
let secret: World;
let stream: StreamReader;
let faultsOf: Faults;
beforeAll(async () => {
  host = await startTestHost({
    users: [
      { login: 'anna', rights: everything },
      { login: mark, rights: everything },
    ],
  });
  [dealer, anna, boris] = [await host.login(), await host.login('anna'), await host.login(mark)];
  mine = await seedWorld({ dealer, owner: anna, mark: 'MINE-A', now: Date.now });
  stream = await openStream(host.url, anna);
  secret = await seedWorld({ dealer, owner: boris, mark, now: Date.now });
  faultsOf = faultsBy((await host.anybody.get('/openapi.json')).body as Parameters<typeof faultsBy>[0]);
});
afterAll(async () => {
  stream.close();
  await host.close();
});

/** What a text reveals of the other group. */
function leaksIn(text: string): string[] {
  const secrets = [mark, ...Object.values(secret)];
  return secrets.filter((it) => text.toLowerCase().includes(it.toLowerCase()));
}

const hour = () => hourAround(Date.now());

/** The queries that operations need, by name; and others that could let something slip. */
function queriesOf(route: Route): Record<string, string>[] {
  switch (route.id) {
    case 'listLatestPositions':
      return [{}, { format: 'geojson' }];
    case 'listVehicles':
      return [{}, { q: mark }, { group_id: secret.group_id }, { status: 'moving' }];
    case 'listGeofences':
    case 'listUsers':
      return [{}, { q: mark }];
    case 'getVehicleTrack':
      return ['json', 'geojson', 'gpx', 'csv'].map((format) => ({ ...hour(), format }));
    case 'getVehicleValues':
      return [hour()];
    case 'getFleetTracks':
      return [hour(), { ...hour(), group_id: secret.group_id }];
    case 'exportGeofences':
      return [{ format: 'geojson' }, { format: 'kml' }, { ids: secret.geozone_id }];
    case 'listNotifications':
      return [
        {},
        { vehicle: secret.vehicle },
        { vehicle: secret.vehicle_id },
        { shelved: 'true' },
        { shelved: 'false' },
      ];
    case 'listIncidents':
      return [{}, { q: mark }, { vehicle: secret.vehicle }, { owner: secret.user_id }];
    case 'listEvents':
      return [
        {},
        { vehicle: secret.vehicle },
        { ids: secret.event_id },
        { geofence: secret.geozone_id },
        { geofence: secret.geozone_id, vehicle: secret.vehicle },
      ];
    case 'listVideoProfiles':
    case 'listVideoTasks':
      return [{}, { terminal_id: secret.vehicle }];
    case 'listDriverDrives':
    case 'listVehicleDrives':
    case 'listVideoRecordings':
      return [hour()];
    case 'exportVideoEvidence':
      return [{ tasks: secret.task_id }, { tasks: mine.task_id }];
    case 'getGeofenceVisitsReport':
      return [{ ...hour(), geozone_id: secret.geozone_id }, ...reportQueries()];
    case 'getSummaryReport':
    case 'getTripsReport':
    case 'getStopsReport':
      return reportQueries();
    default:
      return [{}];
  }
}

function reportQueries(): Record<string, string>[] {
  return [
    hour(),
    { ...hour(), format: 'csv' },
    { ...hour(), vehicle: secret.vehicle },
    { ...hour(), vehicle: secret.vehicle_id },
    { ...hour(), group_id: secret.group_id },
  ];
}

/** What was asked with may stand in the answer: a refusal may repeat it. */
function leaksBeyond(asked: string, text: string): string[] {
  return leaksIn(text).filter((it) => !asked.includes(it));
}

/** Of operations that refuse an empty one before they look for what it is about. */
const neededBodies: Readonly<Record<string, object>> = {
  sendTerminalCommand: { kind: 'position' },
  closeIncident: { reason: 'Resolved' },
  addIncidentNote: { text: 'seen' },
  addShiftNote: { text: 'seen' },
  mailShiftReport: { email_to: ['a@b.example'] },
  createShare: { name: 'A customer', expires_at: '2025-11-20T12:00:00Z' },
};

const reading = apiRoutes.filter((route) => route.method === 'GET' && route.id !== 'openStream');

describe.each([
  ['the user of one group', () => anna],
  ['somebody without a JWT', () => host.anybody],
])('%s finds nothing of the other group', (_, caller) => {
  it.each(reading.map((route) => [`GET ${route.path}`, route] as const))('in %s', async (_, route) => {
    for (const params of route.params === undefined ? [{}] : [secret, mine]) {
      for (const query of queriesOf(route)) {
        const path = pathOf(route, { params, query });
        const answer = await caller().get(path);
        expect([path, leaksIn(answer.text), faultsOf(route, answer)]).toEqual([path, [], []]);
        if (params === secret) expect(answer.status).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

it('the user’s own entities are published meanwhile, so that there is something to find', async () => {
  const [rule, report, tracks] = await Promise.all([
    anna.get(pathOf(ruleRoutes.list)),
    anna.get(`/api/v1/reports/summary?${new URLSearchParams(hour()).toString()}`),
    anna.get(`/api/v1/tracks?${new URLSearchParams(hour()).toString()}`),
  ]);
  expect(rule.text).toContain('MINE-A rule');
  expect(report.text).toContain(mine.vehicle_id);
  expect(tracks.text.trimEnd().split('\n')).toHaveLength(3);
  expect(tracks.text).toContain('MINE-A said');
  expect((await dealer.get('/api/v1/notifications')).text).toContain(secret.notification_id);
});

describe('the trial of a rule reveals nothing of the other group', () => {
  const geofence = {
    name: 'wide',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [24.1, 56.9] },
    radius_m: 5_000,
  };
  it.each<[string, Route, () => object]>([
    ['a shape that is drawn', geofenceRoutes.preview, () => ({ geofence: geofence })],
    ['a geofence of its own', geofenceRoutes.preview, () => ({ geozone_id: mine.geozone_id })],
    ['a geofence of the other', geofenceRoutes.preview, () => ({ geozone_id: secret.geozone_id })],
    [
      'a shape for the group of the other',
      geofenceRoutes.preview,
      () => ({ geofence: { ...geofence, group_ids: [secret.group_id] } }),
    ],
    [
      'a rule for all',
      ruleRoutes.preview,
      () => ({ rule: { name: 'x', event_kind: 'sos', scope: { all: true } } }),
    ],
    [
      'a rule for the vehicle of the other',
      ruleRoutes.preview,
      () => ({ rule: { name: 'x', event_kind: 'sos', scope: { vehicle_ids: [secret.vehicle_id] } } }),
    ],
    ['a rule of the other', ruleRoutes.preview, () => ({ rule_id: secret.rule_id })],
  ])('%s', async (_, route, tried) => {
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const body = { ...hour(), ...tried() };
      const answer = await anna.post(route.path, body, { Accept: accept });
      expect(leaksBeyond(JSON.stringify(body), answer.text)).toEqual([]);
      if (JSON.stringify(body).includes(mark) || leaksIn(JSON.stringify(body)).length > 0) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
      } else expect(answer.text).toContain('"vehicles":1,');
    }
  });
});

const neededQueries: Record<string, object> = {
  attachIncidentSnapshot: { kind: 'map', time: '2025-11-20T12:00:00Z' },
};

describe('a refused change reveals nothing of the other group', () => {
  const writing = apiRoutes.filter(
    (route) => route.method !== 'GET' && route.params !== undefined && typeof route.access === 'object',
  );

  it.each(writing.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const body = neededBodies[route.id] ?? {};
      const query = neededQueries[route.id] ?? {};
      const path = pathOf(route, { params: secret, query });
      const answer = await anna.call(route.method, path, route.body === undefined ? undefined : body);
      expect([answer.status, answer.code]).toEqual([404, 'not_found']);
      expect(leaksIn(answer.text)).toEqual([]);
    },
  );

  it.each<[string, () => Promise<{ status: number; text: string }>]>([
    [
      'a terminal that is taken',
      () => anna.post(vehicleRoutes.create.path, { terminal_id: mark, name: 'x' }),
    ],
    [
      'an import of it',
      () =>
        anna.post(`${vehicleRoutes.import.path}?dry_run=1`, [
          { terminal_id: mark, name: 'x', group_ids: [mine.group_id] },
        ]),
    ],
    [
      'a snooze of its vehicle',
      () => anna.post(notificationRoutes.snooze.path, { vehicle_id: secret.vehicle_id, duration_s: 60 }),
    ],
    [
      'a snooze of its rule',
      () => anna.post(notificationRoutes.snooze.path, { rule_id: secret.rule_id, duration_s: 60 }),
    ],
    [
      'an order of video',
      () => anna.post(videoRoutes.createTask.path, { profile_id: secret.profile_id, channel: 1, ...hour() }),
    ],
  ])('%s', async (_, attempt) => {
    const { text } = await attempt();
    const shown = leaksIn(text).filter((it) => it !== mark && it !== secret.vehicle);
    expect(shown).toEqual([]);
    expect(text).not.toMatch(new RegExp(`${mark} (van|driver|yard|rule|snooze|cameras|front|note|said)`));
  });

  it('an archiving of many', async () => {
    const body = { vehicle_ids: [secret.vehicle_id] };
    const { text } = await anna.post(vehicleRoutes.archiveMany.path, body);
    expect(JSON.parse(text)).toEqual({ done: [], refused: [], not_found: [secret.vehicle_id] });
    expect(leaksBeyond(JSON.stringify(body), text)).toEqual([]);
  });

  it('acknowledgements of many', async () => {
    const body = { notification_ids: [mine.notification_id, secret.notification_id] };
    const { text } = await anna.post(notificationRoutes.ackMany.path, body);
    expect(leaksBeyond(JSON.stringify(body), text)).toEqual([]);
    const other = { notification_id: secret.notification_id, result: 'not_found', notification: null };
    expect(text).toContain(JSON.stringify(other));
  });
});

describe('the stream', () => {
  it('brought nothing of the other group while all of it was made and changed', async () => {
    const { vehicle, rule_id, geozone_id, snooze_id, notification_id } = secret;
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { driver: `${mark} other` } });
    await dealer.ask(ruleRoutes.patch, { params: { rule_id }, body: { severity: 'alarm' } });
    await dealer.ask(geofenceRoutes.patch, { params: { geozone_id }, body: { color: '#112233' } });
    await dealer.ask(notificationRoutes.ack, { params: { notification_id }, body: { note: mark } });
    await boris.ask(notificationRoutes.unsnooze, { params: { snooze_id } });
    await dealer.ask(userRoutes.patch, { params: { user_id: secret.user_id }, body: { name: mark } });
    // Comes after all of these, and is its own.
    const { vehicle_id } = mine;
    const position = { vehicle_id, time: new Date().toISOString(), lat: 1, lon: 2, alarms: ['sos'] };
    await dealer.ask(positionRoutes.post, { body: { positions: [position] } });
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: { driver: 'last' } });
    await stream.next('vehicle', (it) => 'driver' in it && it.driver === 'last');
    expect(stream.messages.map((it) => it.topic)).toContain('notification');
    for (const message of stream.messages) {
      // A rule of the depot is published as deleted to all users who do not see it: an id, and no more.
      if (JSON.stringify(message.data) === JSON.stringify({ rule_id, deleted: true })) continue;
      expect([message, leaksIn(JSON.stringify(message))]).toEqual([message, []]);
    }
  });

  it('the stream does not reveal a rule’s recipients to users who may not change it', async () => {
    const { rule_id } = mine;
    const body = {
      channels: ['desktop', 'webhook', 'email'] as ('desktop' | 'webhook' | 'email')[],
      webhook_url: 'https://hooks.example/KEY-OF-THE-DEPOT',
      email_to: ['chief@depot.example'],
    };
    await dealer.ask(ruleRoutes.patch, { params: { rule_id }, body });
    const { data } = await stream.next(
      'rule',
      (it) => it.rule_id === rule_id && 'channels' in it && it.channels.length === 3,
    );
    expect(data).toMatchObject({ webhook_url: null, email_to: [] });
    for (const path of [pathOf(ruleRoutes.list), pathOf(ruleRoutes.get, { params: { rule_id } })]) {
      expect((await anna.get(path)).text).not.toMatch(/KEY-OF-THE-DEPOT|chief@depot/);
    }
  });
});
