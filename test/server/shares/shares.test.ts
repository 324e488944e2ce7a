import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { shareRoutes, shareTokenHeader, type NewShare, type Share } from '../../../server/contract/shares.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { tileAt } from '../../../server/maps/composeTile.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { makeMbtiles, streetAt } from '../../support/mapFiles.ts';
import { callerFor, startTestHost, wideLimits, type Caller, type TestHost } from '../../support/testHost.ts';

const hourMs = 3_600_000;
const place = { lat: 56.95, lon: 24.1 };
const clock = createFakeClock();
let folder: string;
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annaId: string;
let annasGroup: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-shares-'));
  host = await startTestHost({
    clock,
    limits: { ...wideLimits, unauthorized_calls: 200 },
    settings: { jwtTtlS: 86_400 },
    users: [
      { login: 'anna', rights: { vehicles: 'write' } },
      { login: 'boris', rights: { vehicles: 'read' } },
    ],
  });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  ({
    user_id: annaId,
    group_ids: [annasGroup = ''],
  } = await anna.ask(userRoutes.me));
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

let made = 0;
/** A vehicle of anna's group, at `place` unless it is said to be elsewhere. */
async function addVehicle(at: { lat: number; lon: number } | null = place): Promise<string> {
  made += 1;
  const terminal_id = `S${made}`;
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: { terminal_id, name: `Van ${made}`, plate: `AB-${made}`, group_ids: [annasGroup] },
  });
  if (at !== null) await moveTo(terminal_id, at);
  return vehicle_id;
}
const moveTo = (terminal_id: string, at: { lat: number; lon: number }) =>
  dealer.ask(positionRoutes.post, {
    body: {
      positions: [
        { terminal_id, time: new Date(clock.now()).toISOString(), ...at, speed_kmh: 42, course_deg: 90 },
      ],
    },
  });
const inHours = (hours: number) => new Date(clock.now() + hours * hourMs).toISOString();
const wantedOf = (more: Partial<NewShare> = {}) => ({ name: 'Acme', expires_at: inHours(4), ...more });
const shareIt = (vehicle: string, more: Partial<NewShare> = {}, by = anna) =>
  by.ask(shareRoutes.create, { params: { vehicle }, body: wantedOf(more) });
const by = (token: string) => ({ headers: { [shareTokenHeader]: token } });
const open = (token: string) => host.anybody.ask(shareRoutes.open, by(token));
const opened = (token: string) => host.anybody.outcome(shareRoutes.open, by(token));
const listed = async (vehicle: string, by = anna) =>
  (await by.ask(shareRoutes.list, { params: { vehicle } })).items.map((it: Share) => it.name);
/** Of the links to a vehicle, what they show now. */
const states = async (vehicle: string) =>
  (await dealer.ask(shareRoutes.list, { params: { vehicle } })).items.map((it: Share) => it.state);

/** One of anna's group, who may share its vehicles. */
const addUser = (login: string) =>
  dealer.ask(userRoutes.create, {
    body: {
      ...{ login, password: `a password of ${login}` },
      ...{ rights: { vehicles: 'write' }, group_ids: [annasGroup] },
    },
  });

function stored(): string {
  const db = new DatabaseSync(join(host.data, 'telemetry.db'), { readOnly: true });
  try {
    return JSON.stringify(db.prepare('SELECT record FROM shares').all());
  } finally {
    db.close();
  }
}

describe('a link to a vehicle', () => {
  it('a link shows the vehicle to somebody without a login, and no more of it than was chosen', async () => {
    const vehicle = await addVehicle();
    const { share, token, links } = await shareIt(vehicle, { shows: ['speed'] });
    expect(share).toMatchObject({
      vehicle_id: vehicle,
      user_id: annaId,
      name: 'Acme',
      shows: ['speed'],
      where: null,
    });
    expect(links).toEqual([`${host.url}/share#${token}`]);
    expect(await open(token)).toEqual({
      depot: 'Depot',
      vehicle: `Van ${made}`,
      plate: null,
      driver: null,
      withheld: false,
      status: 'moving',
      position: { time: new Date(clock.now()).toISOString(), ...place, speed_kmh: 42, course_deg: 90 },
      address: null,
      expires_at: share.expires_at,
    });
    const bare = await shareIt(vehicle, { shows: [] });
    expect((await open(bare.token)).position).toMatchObject({ ...place, speed_kmh: null });
    const full = await shareIt(vehicle, { shows: ['plate', 'driver', 'speed', 'address'] });
    expect(await open(full.token)).toMatchObject({ plate: `AB-${made}`, driver: null });
    // Before it has sent a position there is none to show.
    const silent = await shareIt(await addVehicle(null));
    expect(await open(silent.token)).toMatchObject({ withheld: false, status: 'never', position: null });
    expect(silent.share.state).toBe('no_position');
  });

  it('the token of a link is kept as a hash alone, and stands in no log and in no path', async () => {
    const { token, share } = await shareIt(await addVehicle());
    await open(token);
    expect(stored()).toContain(share.share_id);
    expect(stored()).not.toContain(token);
    const audit = await dealer.ask(auditRoutes.list, { query: { kind: 'share', entity_id: share.share_id } });
    expect(audit.items.map((it) => [it.action, it.entity_name, it.actor.login])).toEqual([
      ['created', 'Acme', 'anna'],
    ]);
    expect(JSON.stringify(audit.items)).not.toMatch(/[0-9a-f]{64}/);
    expect(JSON.stringify(audit.items)).not.toContain(token);
    expect(JSON.stringify(host.logged)).not.toContain(token);
    expect((await host.anybody.get(`/api/v1/shared/${token}`)).code).toBe('jwt_missing');
    for (const made of ['', 'made-up', 'x'.repeat(5_000)]) expect(await opened(made)).toBe('404 not_found');
    expect(await host.anybody.outcome(shareRoutes.open)).toBe('404 not_found');
  });

  it('a link bound to a side of a geofence withholds all of the place on the other side', async () => {
    const vehicle = await addVehicle();
    const terminal = `S${made}`;
    const body = {
      name: 'Yard',
      shape: 'circle' as const,
      geometry: { type: 'Point' as const, coordinates: [place.lon, place.lat] as [number, number] },
      radius_m: 500,
      group_ids: [annasGroup],
    };
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, { body });
    const inside = await shareIt(vehicle, { where: { geozone_id, side: 'inside' } });
    const outside = await shareIt(vehicle, { where: { geozone_id, side: 'outside' } });
    const nothing = { withheld: true, status: null, position: null, address: null };
    expect(await open(inside.token)).toMatchObject({ withheld: false, position: place });
    expect(await open(outside.token)).toMatchObject(nothing);
    expect(await states(vehicle)).toEqual(['shown', 'inside']);
    clock.advance(60_000);
    await moveTo(terminal, { lat: 56.99, lon: 24.1 });
    expect(await open(inside.token)).toMatchObject(nothing);
    expect(await states(vehicle)).toEqual(['outside', 'shown']);
    expect(await open(outside.token)).toMatchObject({ withheld: false, position: { lat: 56.99 } });

    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id } });
    expect([await opened(inside.token), await opened(outside.token)]).toEqual([
      '404 not_found',
      '404 not_found',
    ]);
    expect(await states(vehicle)).toEqual(['no_geofence', 'no_geofence']);
    const unknown = { where: { geozone_id, side: 'inside' as const } };
    expect(await anna.outcome(shareRoutes.create, { params: { vehicle }, body: wantedOf(unknown) })).toBe(
      '400 validation_failed',
    );
  });

  it('a link shows addresses and the streets of the map, and counts tiles apart from other calls', async () => {
    const path = makeMbtiles(join(folder, 'elm.mbtiles'), {
      tiles: [streetAt('Elm Street', place)],
      bounds: '24,56.5,25,57.5',
    });
    await dealer.ask(mapRoutes.add, { body: { path } });
    const { token } = await shareIt(await addVehicle());
    expect((await open(token)).address).toContain('Elm Street');
    const maps = await host.anybody.ask(shareRoutes.maps, by(token));
    expect(maps.items).toMatchObject([
      { kind: 'streets', name: 'streets', path: null, area: { west: 24, north: 57.5 } },
    ]);
    expect(JSON.stringify(maps.items)).not.toContain('elm');
    const { x, y } = tileAt(place.lat, place.lon, 14);
    const tile = (of: string) =>
      host.anybody.get(`/api/v1/shared/maps/streets/14/${x}/${y}?v=${maps.version}`, by(of).headers);
    const found = await tile(token);
    expect([found.status, found.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.mapbox-vector-tile',
    ]);
    expect(found.headers.get('ratelimit-limit')).toBe(String(wideLimits.tiles));
    expect(found.headers.get('vary')).toContain(shareTokenHeader);

    // Made up, each another one: they take of the few calls of a stranger, and end with them.
    const madeUp = [];
    for (let at = 0; at < 201; at += 1) madeUp.push(await tile(`made-up-${at}`));
    expect(madeUp[0]?.headers.get('ratelimit-limit')).toBe('200');
    expect([madeUp[0], madeUp.at(-1)].map((it) => it?.code)).toEqual(['not_found', 'rate_limited']);
    expect((await tile(token)).status).toBe(200);
    clock.advance(60_000);
  });
});

describe('the end of a link', () => {
  it('a link that was never given, has expired or was ended are answered the same', async () => {
    const vehicle = await addVehicle();
    const ended = await shareIt(vehicle, { name: 'ended' });
    const expiring = await shareIt(vehicle, { name: 'expiring', expires_at: inHours(1) });
    expect(await listed(vehicle)).toEqual(expect.arrayContaining(['ended', 'expiring']));
    const share_id = ended.share.share_id;
    expect(await anna.outcome(shareRoutes.end, { params: { share_id } })).toBe(204);
    expect(await anna.outcome(shareRoutes.end, { params: { share_id } })).toBe('404 not_found');
    expect(await listed(vehicle)).toEqual(['expiring']);
    clock.advance(hourMs);
    const answers = [];
    for (const token of ['never-given', ended.token, expiring.token]) {
      const { status, body } = await host.anybody.get('/api/v1/shared', by(token).headers);
      answers.push({ status, ...(body as object), request_id: '' });
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await listed(vehicle)).toEqual([]);
    await expect.poll(stored).not.toContain(expiring.share.share_id);
  });

  it('a link lasts 30 days at the most, and none begins in the past', async () => {
    const vehicle = await addVehicle();
    const at = (hours: number) =>
      anna.outcome(shareRoutes.create, {
        params: { vehicle },
        body: wantedOf({ expires_at: inHours(hours) }),
      });
    expect([await at(0), await at(30 * 24 + 1), await at(30 * 24)]).toEqual([
      '400 validation_failed',
      '400 validation_failed',
      201,
    ]);
  });

  it('a link shows nothing once who shared the vehicle may do so no longer', async () => {
    const vehicle = await addVehicle();
    const { token } = await shareIt(vehicle);
    const patch = (body: object) => dealer.ask(userRoutes.patch, { params: { user_id: annaId }, body });
    await patch({ rights: { vehicles: 'read' } });
    expect(await opened(token)).toBe('404 not_found');
    await patch({ rights: { vehicles: 'write' } });
    expect(await opened(token)).toBe(200);

    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'Elsewhere' } });
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { group_ids: [group_id] } });
    expect(await opened(token)).toBe('404 not_found');
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { group_ids: [annasGroup] } });
    expect(await opened(token)).toBe(200);

    await dealer.ask(vehicleRoutes.remove, { params: { vehicle } });
    expect(await opened(token)).toBe('404 not_found');
    expect(stored()).not.toContain(vehicle);
  });

  it('a link can be ended while it shows nothing, so that it does not come back', async () => {
    const vehicle = await addVehicle();
    const { share, token } = await shareIt(vehicle);
    const allow = (vehicles: 'read' | 'write') =>
      dealer.ask(userRoutes.patch, { params: { user_id: annaId }, body: { rights: { vehicles } } });
    await allow('read');
    expect(await opened(token)).toBe('404 not_found');
    expect(await states(vehicle)).toEqual(['no_access']);
    expect(await dealer.outcome(shareRoutes.end, { params: { share_id: share.share_id } })).toBe(204);
    await allow('write');
    expect(await opened(token)).toBe('404 not_found');
  });

  it('who created a link lists and ends it also without a vehicle to see, and a dealer does for anybody', async () => {
    const vehicle = await addVehicle();
    const { user_id } = await addUser('elena');
    const elena = await host.login('elena', 'a password of elena');
    const { jwt } = await elena.ask(apiTokenRoutes.create, {
      body: { name: 'Orders', expires_at: inHours(48), rights: { vehicles: 'write' } },
    });
    const program = callerFor(host.url, jwt);
    const [first, second] = [
      await shareIt(vehicle, { name: 'first' }, elena),
      await shareIt(vehicle, { name: 'second' }, elena),
    ];
    const given = async (by: Caller, query = {}) =>
      (await by.ask(shareRoutes.listGiven, { query })).items.map((it: Share) => `${it.name} ${it.state}`);
    expect(await given(elena)).toEqual(['first shown', 'second shown']);
    expect(await given(program)).toEqual([]);
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'Away' } });
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { group_ids: [group_id] } });
    expect(await given(elena)).toEqual(['first no_access', 'second no_access']);
    const end = (by: Caller, { share_id }: Share) => by.outcome(shareRoutes.end, { params: { share_id } });
    expect([await end(anna, first.share), await end(program, first.share)]).toEqual([
      '404 not_found',
      '404 not_found',
    ]);
    expect(await end(elena, first.share)).toBe(204);
    expect(await given(dealer, { user_id })).toEqual(['second no_access']);
    expect(await anna.outcome(shareRoutes.listGiven, { query: { user_id } })).toBe('404 not_found');
    expect(await end(dealer, second.share)).toBe(204);
    expect(await given(elena)).toEqual([]);
  });

  it('a link that is created while its vehicle is archived or purged does not outlive it', async () => {
    for (const purge of ['false', 'true'] as const) {
      const vehicle = await addVehicle();
      const params = { vehicle };
      const [, created] = await Promise.all([
        dealer.outcome(vehicleRoutes.remove, { params, query: { purge } }),
        anna.outcome(shareRoutes.create, { params, body: wantedOf() }),
      ]);
      expect([201, '404 not_found']).toContain(created);
      expect(stored()).not.toContain(vehicle);
    }
  });

  it('the links of an API token end with it, those of a user with the user', async () => {
    const vehicle = await addVehicle();
    const { token: program, jwt } = await anna.ask(apiTokenRoutes.create, {
      body: { name: 'Orders', expires_at: inHours(48), rights: { vehicles: 'write' } },
    });
    const { token } = await shareIt(vehicle, {}, callerFor(host.url, jwt));
    expect(await opened(token)).toBe(200);
    await anna.ask(apiTokenRoutes.revoke, { params: { token_id: program.token_id } });
    expect(await opened(token)).toBe('404 not_found');
    expect(stored()).not.toContain(vehicle);

    const carla = await addUser('carla');
    const hers = await shareIt(vehicle, {}, await host.login('carla', 'a password of carla'));
    await dealer.ask(userRoutes.remove, { params: { user_id: carla.user_id } });
    expect(await opened(hers.token)).toBe('404 not_found');
    expect(stored()).not.toContain(hers.share.share_id);
  });
});

describe('the limits of links', () => {
  it('who may not change vehicles, or does not see one, cannot share it, list or end its links', async () => {
    const vehicle = await addVehicle();
    const { share } = await shareIt(vehicle);
    const boris = await host.login('boris');
    const params = { vehicle };
    const ask = async (by: Caller) => [
      await by.outcome(shareRoutes.create, { params, body: wantedOf() }),
      await by.outcome(shareRoutes.list, { params }),
      await by.outcome(shareRoutes.end, { params: { share_id: share.share_id } }),
    ];
    expect(await ask(boris)).toEqual(['403 forbidden', '403 forbidden', '404 not_found']);
    const { user_id } = await boris.ask(userRoutes.me);
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: { rights: { vehicles: 'write' } } });
    expect(await ask(boris)).toEqual(['404 not_found', '404 not_found', '404 not_found']);
    expect(await ask(host.anybody)).toEqual(['401 jwt_missing', '401 jwt_missing', '401 jwt_missing']);
  });

  it('a vehicle has twenty links at the most', async () => {
    const vehicle = await addVehicle();
    for (let at = 0; at < 20; at += 1) await shareIt(vehicle, { name: `Customer ${at}` });
    expect(await anna.outcome(shareRoutes.create, { params: { vehicle }, body: wantedOf() })).toBe(
      '409 quota_exceeded',
    );
    expect(await listed(vehicle)).toHaveLength(20);
  });

  it('links that show nothing any more keep nobody from sharing the vehicle', async () => {
    const vehicle = await addVehicle();
    const { user_id } = await addUser('dora');
    const dora = await host.login('dora', 'a password of dora');
    for (let at = 0; at < 19; at += 1) await shareIt(vehicle, { name: `Order ${at}` }, dora);
    const kept = await shareIt(vehicle, { name: 'kept' });
    await dealer.ask(userRoutes.block, { params: { user_id } });
    expect(await states(vehicle)).toEqual([...Array<string>(19).fill('no_access'), 'shown']);
    const { token } = await shareIt(vehicle, { name: 'new' });
    expect([await opened(kept.token), await opened(token)]).toEqual([200, 200]);
    expect(stored()).not.toContain('Order 7');
  });

  it('whoever looks at links is held to the calls of strangers', async () => {
    const { token } = await shareIt(await addVehicle());
    const statuses = new Set<number | string>();
    for (let at = 0; at < 201; at += 1) statuses.add(await opened(token));
    expect([...statuses]).toEqual([200, '429 rate_limited']);
    clock.advance(60_000);
    expect(await opened(token)).toBe(200);
  });
});
