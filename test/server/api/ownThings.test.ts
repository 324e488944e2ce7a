import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { rightNames, type Rights } from '../../../server/contract/rights.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { seedWorld, type World } from './world.ts';

// What the table of rights in the contract cannot say: whose things they are.

const everything = Object.fromEntries(rightNames.map((name) => [name, 'write'])) as Rights;
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let colleague: Caller;
let world: World;
let others: string;
beforeAll(async () => {
  host = await startTestHost({
    users: [
      { login: 'anna', rights: everything },
      { login: 'colleague', rights: everything },
      { login: 'no video', rights: { notifications: 'write' } },
    ],
  });
  [dealer, anna, colleague] = [await host.login(), await host.login('anna'), await host.login('colleague')];
  world = await seedWorld({ dealer, owner: anna, mark: 'V1', now: Date.now });
  const { user_id, group_ids } = await colleague.ask(userRoutes.me);
  [others = ''] = group_ids;
  await dealer.ask(groupRoutes.addUser, { params: { group_id: world.group_id, user_id } });
});
afterAll(() => host.close());

const sos = { name: 'sos', event_kind: 'sos' as const, scope: { all: true as const } };
const circle = {
  name: 'circle',
  shape: 'circle' as const,
  geometry: { type: 'Point' as const, coordinates: [24, 57] as [number, number] },
  radius_m: 50,
};

describe('a rule', () => {
  it('a rule is changed, deleted, tried and snoozed by whose it is, and by dealers', async () => {
    const { rule_id } = await anna.ask(ruleRoutes.create, { body: sos });
    const params = { rule_id };
    const attempts = (caller: Caller) => [
      () => caller.outcome(ruleRoutes.get, { params }),
      () => caller.outcome(ruleRoutes.patch, { params, body: { name: 'x' } }),
      () => caller.outcome(ruleRoutes.test, { params }),
      () => caller.outcome(notificationRoutes.snooze, { body: { rule_id, duration_s: 60 } }),
      () => caller.outcome(ruleRoutes.remove, { params }),
    ];
    // A colleague who sees the same vehicles does not see it.
    for (const attempt of attempts(colleague)) expect(await attempt()).toBe('404 not_found');
    const outcomes = [];
    for (const attempt of attempts(anna)) outcomes.push(await attempt());
    expect(outcomes).toEqual([200, 200, 200, 201, 204]);
    params.rule_id = (await anna.ask(ruleRoutes.create, { body: sos })).rule_id;
    const patched = await dealer.outcome(ruleRoutes.patch, { params, body: { name: 'x' } });
    expect([patched, await dealer.outcome(ruleRoutes.remove, { params })]).toEqual([200, 204]);
  });

  it('a rule of the depot is read by all whose vehicles it names, and changed by dealers alone', async () => {
    const { rule_id } = world;
    const params = { rule_id };
    expect(await anna.outcome(ruleRoutes.get, { params })).toBe(200);
    expect(await anna.outcome(ruleRoutes.patch, { params, body: { name: 'x' } })).toBe('403 forbidden');
    expect(await anna.outcome(ruleRoutes.remove, { params })).toBe('403 forbidden');
    expect(await anna.outcome(ruleRoutes.test, { params })).toBe('403 forbidden');
    const snooze = { body: { rule_id, duration_s: 60 } };
    expect(await anna.outcome(notificationRoutes.snooze, snooze)).toBe('403 forbidden');
  });

  it('a rule has the host call an address only if a dealer says so', async () => {
    const body = { ...sos, channels: ['webhook' as const], webhook_url: 'https://hooks.example/1' };
    expect(await anna.outcome(ruleRoutes.create, { body })).toBe('400 validation_failed');
    expect(await dealer.outcome(ruleRoutes.create, { body })).toBe(201);
  });

  it('a rule requests video only for users who may request it', async () => {
    const body = { ...sos, video: { before_s: 5, after_s: 5 } };
    const noVideo = await host.login('no video');
    expect(await noVideo.outcome(ruleRoutes.create, { body })).toBe('400 validation_failed');
    expect(await anna.outcome(ruleRoutes.create, { body })).toBe(201);
  });
});

describe('a snooze', () => {
  it('a snooze of a vehicle is shared by all users who see the vehicle', async () => {
    const { vehicle_id } = world;
    const body = { vehicle_id, duration_s: 60 };
    const { snooze_id } = await anna.ask(notificationRoutes.snooze, { body });
    const { items } = await colleague.ask(notificationRoutes.snoozes);
    expect(items.map((it) => it.snooze_id)).toContain(snooze_id);
    const noVideo = await host.login('no video');
    expect(await noVideo.outcome(notificationRoutes.unsnooze, { params: { snooze_id } })).toBe(
      '404 not_found',
    );
    expect(await colleague.outcome(notificationRoutes.unsnooze, { params: { snooze_id } })).toBe(204);
    expect(await anna.outcome(notificationRoutes.unsnooze, { params: { snooze_id } })).toBe('404 not_found');
  });

  it('a snooze of a rule of the depot is ended by dealers alone', async () => {
    const { rule_id } = world;
    const { snooze_id } = await dealer.ask(notificationRoutes.snooze, { body: { rule_id, duration_s: 60 } });
    const params = { snooze_id };
    expect(await anna.outcome(notificationRoutes.unsnooze, { params })).toBe('403 forbidden');
    expect(await dealer.outcome(notificationRoutes.unsnooze, { params })).toBe(204);
  });
});

describe('a geofence', () => {
  it('a geofence of a user holds for its own groups, and never for all', async () => {
    const create = (group_ids: string[]) =>
      anna.outcome(geofenceRoutes.create, { body: { ...circle, group_ids } });
    expect(await create([world.group_id])).toBe(201);
    expect(await create([])).toBe('400 validation_failed');
    expect(await create([others])).toBe('400 validation_failed');
    expect(await create([world.group_id, others])).toBe('400 validation_failed');
  });

  it('a geofence that also holds for others is readable, and changed only by users who see all its vehicles', async () => {
    const body = { ...circle, group_ids: [world.group_id, others] };
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, { body });
    const params = { geozone_id };
    expect(await anna.outcome(geofenceRoutes.get, { params })).toBe(200);
    const mine = { group_ids: [world.group_id] };
    expect(await anna.outcome(geofenceRoutes.patch, { params, body: mine })).toBe('403 forbidden');
    expect(await anna.outcome(geofenceRoutes.remove, { params })).toBe('403 forbidden');
    expect(await colleague.outcome(geofenceRoutes.remove, { params })).toBe(204);
  });
});

describe('a vehicle', () => {
  const create = (caller: Caller, terminal_id: string, group_ids: string[]) =>
    caller.outcome(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids } });

  it('a vehicle of a user is made in its own groups, not beyond them and not out of its sight', async () => {
    expect(await create(anna, 'W1', [world.group_id])).toBe(201);
    expect(await create(anna, 'W2', [])).toBe('400 validation_failed');
    expect(await create(anna, 'W2', [others])).toBe('400 validation_failed');
    const move = (group_ids: string[]) =>
      anna.outcome(vehicleRoutes.patch, { params: { vehicle: 'W1' }, body: { group_ids } });
    expect(await move([])).toBe('400 validation_failed');
    expect(await move([others])).toBe('400 validation_failed');
    expect(await move([world.group_id])).toBe(200);
  });

  it('a vehicle keeps the groups of others when a user changes it, and is archived only by users who see them all', async () => {
    expect(await create(dealer, 'W3', [world.group_id, others])).toBe(201);
    const params = { vehicle: 'W3' };
    const body = { group_ids: [world.group_id], color: '#112233' };
    expect((await anna.ask(vehicleRoutes.patch, { params, body })).group_ids).toEqual([world.group_id]);
    const { color, group_ids } = await dealer.ask(vehicleRoutes.get, { params });
    expect(color).toBe('#112233');
    expect(group_ids.toSorted()).toEqual([world.group_id, others].toSorted());
    expect(await anna.outcome(vehicleRoutes.remove, { params })).toBe('403 forbidden');
    const purge = { purge: 'true' as const };
    expect(await colleague.outcome(vehicleRoutes.remove, { params, query: purge })).toBe('403 forbidden');
    expect(await colleague.outcome(vehicleRoutes.remove, { params })).toBe(204);
    // Its data is kept for dealers, who find it by its UUID.
    expect(await colleague.outcome(vehicleRoutes.get, { params })).toBe('404 not_found');
  });
});

describe('the last dealer', () => {
  it('the last dealer is neither blocked, nor demoted, nor deleted, while another one can be', async () => {
    const { user_id } = await dealer.ask(userRoutes.me);
    const params = { user_id };
    const attempts = [
      () => dealer.outcome(userRoutes.block, { params }),
      () => dealer.outcome(userRoutes.patch, { params, body: { role: 'user' } }),
      // The role of a user is what a role is when nothing is said.
      () => dealer.outcome(userRoutes.patch, { params, body: { role: null } }),
      () => dealer.outcome(userRoutes.remove, { params }),
    ];
    for (const attempt of attempts) expect(await attempt()).toBe('409 in_use');
    const body = { login: 'second', password: 'long enough 1', role: 'dealer' as const };
    const second = await dealer.ask(userRoutes.create, { body });
    expect(await dealer.outcome(userRoutes.block, { params: { user_id: second.user_id } })).toBe(200);
    // A blocked one does not count.
    for (const attempt of attempts) expect(await attempt()).toBe('409 in_use');
  });
});

describe('a merge patch', () => {
  it('a merge patch puts a field back by null, keeps what it leaves out, and merges what has fields of its own', async () => {
    const created = await dealer.ask(userRoutes.create, {
      body: {
        login: 'patched',
        password: 'long enough 1',
        name: 'Somebody',
        email: 'a@b.example',
        rights: { video: 'write', reports: 'none' },
      },
    });
    const params = { user_id: created.user_id };
    const body = { name: null, rights: { reports: null } };
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await dealer.ask(userRoutes.patch, { params, body, headers });
    expect(patched).toMatchObject({ name: null, email: 'a@b.example', version: 2 });
    expect(patched.rights).toMatchObject({ video: 'write', reports: 'read' });
    // What a user cannot be without cannot be taken away.
    const path = `/api/v1/users/${created.user_id}`;
    expect((await dealer.call('PATCH', path, { login: null })).code).toBe('validation_failed');
  });
});
