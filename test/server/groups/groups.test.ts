import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { causeOf, said } from '../../../server/contract/causeTexts.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annaId: string;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  annaId = (await anna.ask(userRoutes.me)).user_id;
});
afterAll(() => host.close());

const noId = '00000000-0000-4000-8000-000000000000';
const create = (name: string) => dealer.ask(groupRoutes.create, { body: { name } });
const get = (group_id: string) => dealer.ask(groupRoutes.get, { params: { group_id } });
const vehicle = (terminal_id: string, group_ids: string[] = []) =>
  dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids } });

describe('a group', () => {
  it('a group is made, renamed with its version, and deleted', async () => {
    const { group_id } = await create('buses');
    const rename = async (name: string | null, version: number) => {
      const headers = { 'If-Match': `"${version}"` };
      const answer = await dealer.call('PATCH', `/api/v1/groups/${group_id}`, { name }, headers);
      return answer.code === undefined ? answer.status : `${answer.status} ${answer.code}`;
    };
    expect(await rename('city buses', 1)).toBe(200);
    expect(await rename('late', 1)).toBe('412 version_conflict');
    expect(await rename(null, 2)).toBe('400 validation_failed');
    expect(await get(group_id)).toMatchObject({
      name: 'city buses',
      version: 2,
      vehicle_ids: [],
      user_ids: [],
    });
    const params = { group_id };
    expect(await dealer.outcome(groupRoutes.remove, { params, headers: { 'If-Match': '"1"' } })).toBe(
      '412 version_conflict',
    );
    expect(await dealer.outcome(groupRoutes.remove, { params })).toBe(204);
    expect(await dealer.outcome(groupRoutes.get, { params })).toBe('404 not_found');
  });

  it('a group has a name that no other has, whatever its letter case', async () => {
    const { group_id } = await create('vans');
    expect(await dealer.outcome(groupRoutes.create, { body: { name: 'Vans' } })).toBe('409 already_exists');
    expect((await dealer.post(groupRoutes.create.path, { name: 'VANS' })).body).toMatchObject(
      said(causeOf('group.name_taken', { name: 'VANS' })),
    );
    const params = { group_id: (await create('lorries')).group_id };
    expect(await dealer.outcome(groupRoutes.patch, { params, body: { name: 'VANS' } })).toBe(
      '409 already_exists',
    );
    expect(await dealer.outcome(groupRoutes.patch, { params: { group_id }, body: { name: 'VANS' } })).toBe(
      200,
    );
  });

  it('a group holds vehicles, and a vehicle may be in many', async () => {
    const [one, two] = [await create('one'), await create('two')];
    const { vehicle_id } = await vehicle('G1');
    for (const { group_id } of [one, two]) {
      // By terminal ID as by UUID, and twice does no harm.
      expect(await dealer.outcome(groupRoutes.addVehicle, { params: { group_id, vehicle: 'G1' } })).toBe(204);
      expect(
        await dealer.outcome(groupRoutes.addVehicle, { params: { group_id, vehicle: vehicle_id } }),
      ).toBe(204);
      expect((await get(group_id)).vehicle_ids).toEqual([vehicle_id]);
    }
    const removed = { params: { group_id: one.group_id, vehicle: 'G1' } };
    expect(await dealer.outcome(groupRoutes.removeVehicle, removed)).toBe(204);
    expect(await dealer.outcome(groupRoutes.removeVehicle, removed)).toBe(204);
    const { group_ids } = await dealer.ask(vehicleRoutes.get, { params: { vehicle: 'G1' } });
    expect(group_ids).toEqual([two.group_id]);
  });

  it('a group gives its users access to its vehicles, at once, and takes it again', async () => {
    const { group_id } = await create('access');
    await vehicle('G2', [group_id]);
    const seen = () => anna.outcome(vehicleRoutes.get, { params: { vehicle: 'G2' } });
    expect(await seen()).toBe('404 not_found');
    await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id: annaId } });
    expect(await seen()).toBe(200);
    expect((await get(group_id)).user_ids).toEqual([annaId]);
    await dealer.ask(groupRoutes.removeUser, { params: { group_id, user_id: annaId } });
    expect(await seen()).toBe('404 not_found');
  });

  it('a group that is deleted leaves its vehicles and users, without it', async () => {
    const { group_id } = await create('passing');
    const { vehicle_id } = await vehicle('G3', [group_id]);
    await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id: annaId } });
    const body = { name: 'passing', event_kind: 'sos' as const, scope: { group_ids: [group_id] } };
    const { rule_id } = await dealer.ask(ruleRoutes.create, { body });
    await dealer.ask(groupRoutes.remove, { params: { group_id } });
    expect((await dealer.ask(vehicleRoutes.get, { params: { vehicle: vehicle_id } })).group_ids).toEqual([]);
    expect((await anna.ask(userRoutes.me)).group_ids).not.toContain(group_id);
    const rule = await dealer.ask(ruleRoutes.get, { params: { rule_id } });
    expect(rule).toMatchObject({
      enabled: false,
      disabled_reason: expect.stringContaining('passing') as string,
    });
  });

  it('a group that a geofence holds for cannot be deleted: the fence would hold for all', async () => {
    const { group_id } = await create('fenced');
    const geometry = { type: 'Point' as const, coordinates: [24, 57] as [number, number] };
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
      body: { name: 'yard', shape: 'circle', geometry, radius_m: 100, group_ids: [group_id] },
    });
    expect(await dealer.outcome(groupRoutes.remove, { params: { group_id } })).toBe('409 in_use');
    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id } });
    expect(await dealer.outcome(groupRoutes.remove, { params: { group_id } })).toBe(204);
  });

  it('a group’s vehicles must exist', async () => {
    const { group_id } = await create('empty');
    const missing = [
      dealer.outcome(groupRoutes.addVehicle, { params: { group_id, vehicle: 'nobody' } }),
      dealer.outcome(groupRoutes.addVehicle, { params: { group_id: noId, vehicle: 'G1' } }),
      dealer.outcome(groupRoutes.addUser, { params: { group_id, user_id: noId } }),
      dealer.outcome(groupRoutes.addUser, { params: { group_id: noId, user_id: annaId } }),
      dealer.outcome(groupRoutes.remove, { params: { group_id: noId } }),
    ];
    expect(new Set(await Promise.all(missing))).toEqual(new Set(['404 not_found']));
  });
});

describe('a user', () => {
  it('a user sees its own groups alone, with the vehicles in them and of the users itself', async () => {
    const { group_ids } = await anna.ask(userRoutes.me);
    const [own = ''] = group_ids;
    const { vehicle_id } = await vehicle('G4', [own]);
    await dealer.ask(userRoutes.patch, {
      params: { user_id: (await dealer.ask(userRoutes.me)).user_id },
      body: { group_ids: [own] },
    });
    expect((await get(own)).user_ids).toHaveLength(2);
    const { items } = await anna.ask(groupRoutes.list);
    expect(items).toMatchObject([{ group_id: own, vehicle_ids: [vehicle_id], user_ids: [annaId] }]);
    const others = (await dealer.ask(groupRoutes.list)).items.filter((it) => it.group_id !== own);
    expect(others.length).toBeGreaterThan(0);
    for (const { group_id } of others) {
      expect(await anna.outcome(groupRoutes.get, { params: { group_id } })).toBe('404 not_found');
    }
  });
});
