import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventRoutes } from '../../../server/contract/events.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { openStream } from '../../support/streamReader.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let mine: Seen;
let foreign: Seen;

/** A vehicle with all that hangs on it. */
interface Seen {
  group_id: string;
  vehicle_id: string;
  terminal_id: string;
  geozone_id: string;
  rule_id: string;
  event_id: string;
  notification_id: string;
  profile_id: string;
}

beforeAll(async () => {
  const annasRights = {
    vehicles: 'write',
    geofences: 'write',
    notifications: 'write',
    video: 'write',
  } as const;
  host = await startTestHost({ clock, users: [{ login: 'anna', rights: annasRights }, { login: 'boris' }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  mine = await make('MINE1', await groupOf(anna));
  foreign = await make('OTHER1', await groupOf(await host.login('boris')));
});
afterAll(() => host.close());

const groupOf = async (caller: Caller) => (await caller.ask(userRoutes.me)).group_ids[0] ?? '';
const now = () => new Date(clock.now()).toISOString();
const day = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };

async function make(terminal_id: string, group_id: string): Promise<Seen> {
  const body = { terminal_id, name: terminal_id, group_ids: [group_id] };
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
  const geometry = { type: 'Point' as const, coordinates: [24.1, 56.9] as [number, number] };
  const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
    body: { name: `yard of ${terminal_id}`, shape: 'circle', geometry, radius_m: 100, group_ids: [group_id] },
  });
  const { rule_id } = await dealer.ask(ruleRoutes.create, {
    body: { name: `sos of ${terminal_id}`, event_kind: 'sos', scope: { vehicle_ids: [vehicle_id] } },
  });
  const fix = { vehicle_id, time: now(), lat: 56.9, lon: 24.1, alarms: ['sos'] };
  await dealer.ask(positionRoutes.post, { body: { positions: [fix] } });
  const { items } = await dealer.ask(notificationRoutes.list, { query: { vehicle: vehicle_id } });
  const found = items.find((it) => it.rule_id === rule_id);
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  return {
    ...{ group_id, vehicle_id, terminal_id, geozone_id, rule_id, profile_id },
    event_id: found?.event_ids[0] ?? '',
    notification_id: found?.notification_id ?? '',
  };
}

describe('a user sees of its groups', () => {
  it('the vehicles, their positions and tracks', async () => {
    const vehicles = await anna.ask(vehicleRoutes.list);
    expect(vehicles.items.map((it) => it.vehicle_id)).toEqual([mine.vehicle_id]);
    expect(await anna.ask(positionRoutes.latest)).toMatchObject({
      positions: [{ vehicle_id: mine.vehicle_id }],
    });
    const drawn = await anna.ask(positionRoutes.latest, { query: { format: 'geojson' } });
    expect(drawn).toMatchObject({ features: [{ properties: { vehicle_id: mine.vehicle_id } }] });
    const params = { vehicle: mine.terminal_id };
    expect(await anna.outcome(positionRoutes.track, { params, query: day })).toBe(200);
  });

  it('the events and notifications, and acknowledges them', async () => {
    const { items: events } = await anna.ask(eventRoutes.list);
    expect(new Set(events.map((it) => it.vehicle_id))).toEqual(new Set([mine.vehicle_id]));
    const { items } = await anna.ask(notificationRoutes.list);
    expect(new Set(items.map((it) => it.vehicle_id))).toEqual(new Set([mine.vehicle_id]));
    const params = { notification_id: mine.notification_id };
    expect(await anna.outcome(notificationRoutes.ack, { params, body: {} })).toBe(200);
  });

  it('the geofences, and those that hold for all', async () => {
    const geometry = { type: 'Point' as const, coordinates: [24, 57] as [number, number] };
    const everywhere = await dealer.ask(geofenceRoutes.create, {
      body: { name: 'for all', shape: 'circle', geometry, radius_m: 50 },
    });
    const { items } = await anna.ask(geofenceRoutes.list);
    expect(items.map((it) => it.geozone_id).sort()).toEqual([everywhere.geozone_id, mine.geozone_id].sort());
    // It reads the one for all, and changes it for no vehicle of others.
    const params = { geozone_id: everywhere.geozone_id };
    expect(await anna.outcome(geofenceRoutes.get, { params })).toBe(200);
    expect(await anna.outcome(geofenceRoutes.remove, { params })).toBe('403 forbidden');
  });

  it('the rules of the depot for its vehicles and its own, and the video profiles', async () => {
    const { items } = await anna.ask(ruleRoutes.list);
    expect(items.map((it) => it.rule_id)).toContain(mine.rule_id);
    expect(items.map((it) => it.rule_id)).not.toContain(foreign.rule_id);
    const profiles = await anna.get(videoRoutes.profiles.path);
    expect(profiles.text).toContain(mine.profile_id);
    expect(profiles.text).not.toContain(foreign.profile_id);
  });
});

describe('an item in a group of the user and in others as well', () => {
  it('an item in a group of the user and in others as well names the groups of the user alone, in answers, files and on the stream', async () => {
    const group_ids = [mine.group_id, foreign.group_id];
    const stream = await openStream(host.url, anna, { query: 'topics=vehicle,geofence' });
    const body = { terminal_id: 'SHARED', name: 'shared', group_ids };
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
    const geometry = { type: 'Point' as const, coordinates: [25, 57] as [number, number] };
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
      body: { name: 'shared yard', shape: 'circle', geometry, radius_m: 100, group_ids },
    });
    const published = [
      await stream.next('vehicle', (it) => it.vehicle_id === vehicle_id),
      await stream.next('geofence', (it) => it.geozone_id === geozone_id),
    ];
    stream.close();
    const read = [
      await anna.ask(vehicleRoutes.get, { params: { vehicle: vehicle_id } }),
      await anna.ask(geofenceRoutes.get, { params: { geozone_id } }),
      (await anna.ask(geofenceRoutes.list)).items.find((it) => it.geozone_id === geozone_id),
    ];
    for (const it of [...published.map(({ data }) => data), ...read])
      expect(it).toMatchObject({ group_ids: [mine.group_id] });
    for (const format of ['geojson', 'kml']) {
      const { text } = await anna.get(`${geofenceRoutes.export.path}?format=${format}&ids=${geozone_id}`);
      expect(text).toContain(mine.group_id);
      expect(text).not.toContain(foreign.group_id);
    }
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id } });
  });
});

describe('an item outside the groups of a user is answered as missing', () => {
  const seen = (it: Seen): [string, Promise<unknown>][] => {
    const vehicles = [it.vehicle_id, it.terminal_id];
    return [
      ...vehicles.flatMap((vehicle): [string, Promise<unknown>][] => [
        ['vehicle', anna.outcome(vehicleRoutes.get, { params: { vehicle } })],
        ['track', anna.outcome(positionRoutes.track, { params: { vehicle }, query: day })],
      ]),
      ['group', anna.outcome(groupRoutes.get, { params: { group_id: it.group_id } })],
      ['geofence', anna.outcome(geofenceRoutes.get, { params: { geozone_id: it.geozone_id } })],
      ['rule', anna.outcome(ruleRoutes.get, { params: { rule_id: it.rule_id } })],
      ['event', anna.outcome(eventRoutes.get, { params: { event_id: it.event_id } })],
      ...vehicles.map((vehicle): [string, Promise<unknown>] => [
        'commands',
        anna.outcome(terminalCommandRoutes.list, { params: { vehicle } }),
      ]),
      ['reach', anna.outcome(terminalCommandRoutes.reach, { params: { vehicle: it.vehicle_id } })],
      ['profile', anna.outcome(videoRoutes.profiles, { query: { terminal_id: it.terminal_id } })],
    ];
  };

  it('items inside the groups are found', async () => {
    for (const [what, outcome] of seen(mine)) expect([what, await outcome]).toEqual([what, 200]);
  });

  it('an item outside the groups is missing by every way to request one', async () => {
    for (const [what, outcome] of seen(foreign))
      expect([what, await outcome]).toEqual([what, '404 not_found']);
  });

  it('the answer is the same byte for byte, but for the id of the request', async () => {
    const texts = [
      foreign.vehicle_id,
      foreign.terminal_id,
      'nobody',
      '00000000-0000-4000-8000-000000000000',
    ].map(async (vehicle) =>
      (await anna.get(`/api/v1/vehicles/${vehicle}`)).text.replace(/"request_id":"[^"]*"/, ''),
    );
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it('an item outside the groups is missing for changes too', async () => {
    const { vehicle_id: vehicle, geozone_id, rule_id, notification_id, profile_id } = foreign;
    const outcomes = {
      vehicle: anna.outcome(vehicleRoutes.patch, { params: { vehicle }, body: { name: 'mine' } }),
      command: anna.outcome(terminalCommandRoutes.send, {
        params: { vehicle },
        body: { kind: 'text', text: 'mine' },
      }),
      geofence: anna.outcome(geofenceRoutes.patch, { params: { geozone_id }, body: { name: 'mine' } }),
      'no fence': anna.outcome(geofenceRoutes.remove, { params: { geozone_id } }),
      rule: anna.outcome(ruleRoutes.patch, { params: { rule_id }, body: { name: 'mine' } }),
      'no rule': anna.outcome(ruleRoutes.remove, { params: { rule_id } }),
      ack: anna.outcome(notificationRoutes.ack, { params: { notification_id }, body: {} }),
      task: anna.outcome(videoRoutes.createTask, {
        body: { profile_id, channel: 1, from: now(), to: day.to },
      }),
    };
    for (const [what, outcome] of Object.entries(outcomes))
      expect([what, await outcome]).toEqual([what, '404 not_found']);
    const { results } = await anna.ask(notificationRoutes.ackMany, {
      body: { notification_ids: [notification_id] },
    });
    expect(results).toEqual([{ notification_id, result: 'not_found', notification: null }]);
  });

  it('an item outside the groups cannot be named in rules, in geofences, or as a filter', async () => {
    const rule = (scope: object) =>
      anna.post(ruleRoutes.create.path, { name: 'x', event_kind: 'sos', scope });
    expect((await rule({ vehicle_ids: [foreign.vehicle_id] })).status).toBe(400);
    expect((await rule({ group_ids: [foreign.group_id] })).status).toBe(400);
    const geofences = {
      name: 'x',
      event_kind: 'geofence_enter',
      scope: { all: true },
      geozone_ids: [foreign.geozone_id],
    };
    expect((await anna.post(ruleRoutes.create.path, geofences)).status).toBe(400);
    const geometry = { type: 'Point', coordinates: [24, 57] };
    const geofence = { name: 'x', shape: 'circle', geometry, radius_m: 9, group_ids: [foreign.group_id] };
    expect((await anna.post(geofenceRoutes.create.path, geofence)).status).toBe(400);
    for (const list of [eventRoutes.list, notificationRoutes.list]) {
      expect(await anna.outcome(list, { query: { vehicle: foreign.terminal_id } })).toBe('404 not_found');
    }
    expect((await anna.ask(eventRoutes.list, { query: { ids: foreign.event_id } })).items).toEqual([]);
    const query = { group_id: foreign.group_id };
    expect(await anna.outcome(vehicleRoutes.list, { query })).toBe('404 not_found');
  });
});

describe('for dealers alone', () => {
  it('dealers alone may read positions, unknown terminals, users and the status, and hand in positions', async () => {
    const routes = [positionRoutes.rejected, positionRoutes.unknownTerminals, userRoutes.list];
    for (const route of routes) expect(await anna.outcome(route)).toBe('403 forbidden');
    const positions = [{ terminal_id: mine.terminal_id, time: now(), lat: 1, lon: 1 }];
    expect(await anna.outcome(positionRoutes.post, { body: { positions } })).toBe('403 forbidden');
    expect(await anna.outcome(videoRoutes.getProfile, { params: { profile_id: mine.profile_id } })).toBe(
      '403 forbidden',
    );
  });
});

describe('a vehicle that leaves the groups of a user', () => {
  it('a vehicle that leaves the groups of a user takes all that hangs on it along', async () => {
    const { group_id, vehicle_id } = mine;
    await dealer.ask(groupRoutes.removeVehicle, { params: { group_id, vehicle: vehicle_id } });
    expect((await anna.ask(vehicleRoutes.list)).items).toEqual([]);
    expect(await anna.ask(positionRoutes.latest)).toEqual({ positions: [] });
    expect((await anna.ask(eventRoutes.list)).items).toEqual([]);
    expect((await anna.ask(notificationRoutes.list)).items).toEqual([]);
    expect((await anna.ask(groupRoutes.list)).items).toMatchObject([{ vehicle_ids: [] }]);
    expect(await anna.outcome(eventRoutes.get, { params: { event_id: mine.event_id } })).toBe(
      '404 not_found',
    );
    await dealer.ask(groupRoutes.addVehicle, { params: { group_id, vehicle: vehicle_id } });
    expect((await anna.ask(vehicleRoutes.list)).items).toHaveLength(1);
  });
});
