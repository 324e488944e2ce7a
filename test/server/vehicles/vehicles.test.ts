import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes, type NewVehicle } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annasGroup: string;
let otherGroup: string;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
  otherGroup = (await dealer.ask(groupRoutes.create, { body: { name: 'others' } })).group_id;
});
afterAll(() => host.close());

const noId = '00000000-0000-4000-8000-000000000000';
type Wanted = Partial<NewVehicle> & { terminal_id: string };
const create = (body: Wanted, caller = dealer) =>
  caller.ask(vehicleRoutes.create, { body: { name: body.terminal_id, ...body } });
const tryCreate = (body: Wanted, caller = dealer) =>
  caller.outcome(vehicleRoutes.create, { body: { name: body.terminal_id, ...body } });
const get = (vehicle: string, caller = dealer) => caller.outcome(vehicleRoutes.get, { params: { vehicle } });
const patch = (vehicle: string, body: object, caller = dealer, headers: Record<string, string> = {}) =>
  caller.outcome(vehicleRoutes.patch, { params: { vehicle }, body, headers });
const send = (terminal_id: string, more: object = {}) =>
  dealer.ask(positionRoutes.post, {
    body: {
      positions: [{ terminal_id, time: new Date(clock.now()).toISOString(), lat: 56.9, lon: 24.1, ...more }],
    },
  });

describe('a vehicle', () => {
  it('a vehicle needs terminal ID and name alone, and is found by UUID and by terminal ID', async () => {
    const made = await create({ terminal_id: 'V1', name: 'van one' });
    expect(made).toMatchObject({
      terminal_id: 'V1',
      name: 'van one',
      plate: null,
      type: null,
      clock_offset_s: 0,
      group_ids: [],
      attributes: {},
      status: 'never',
      position: null,
      archived_at: null,
      version: 1,
    });
    for (const vehicle of [made.vehicle_id, made.vehicle_id.toUpperCase(), 'V1', 'v1', '000v1']) {
      expect(await dealer.ask(vehicleRoutes.get, { params: { vehicle } })).toEqual(made);
    }
  });

  it('a vehicle keeps all that it can have', async () => {
    const wanted = {
      terminal_id: 'full-1_A',
      name: 'full',
      plate: 'AB-1234',
      type: 'truck',
      color: '#1a2b3c',
      driver: 'Dina',
      phone: '+371 2000',
      vin: 'WDB9036621R859245',
      speed_limit_kmh: 90,
      clock_offset_s: -3600,
      group_ids: [otherGroup],
      attributes: { axles: 3, crane: true, depot: 'north', note: null },
    } as const;
    const made = await create({ ...wanted, group_ids: [otherGroup], attributes: { ...wanted.attributes } });
    expect(made).toMatchObject(wanted);
  });

  it('a vehicle takes attributes of 16,384 characters as JSON and no more', async () => {
    const room =
      16_384 -
      JSON.stringify({ a0: '', a1: '', a2: '', a3: '', a4: '', a5: '', a6: '', a7: '', a8: '' }).length;
    const filled = (chars: number) =>
      Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          `a${at}`,
          'x'.repeat(Math.max(0, Math.min(2_000, chars - at * 2_000))),
        ]),
      );
    const post = (terminal_id: string, chars: number) =>
      dealer.post('/api/v1/vehicles', { terminal_id, name: 'wide', attributes: filled(chars) });
    expect(await post('WIDE', room)).toMatchObject({ status: 201 });
    expect(await post('WIDER', room + 1)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'attributes' }] },
    });
  });

  it.each([
    ['x'.repeat(33), 'terminal_id'],
    ['a b', 'terminal_id'],
    ['ä', 'terminal_id'],
    ['000', 'terminal_id'],
    ['0123456789abcdef0123456789ABCDEF', 'terminal_id'],
    ['00000000-0000-4000-8000-000000000000', 'terminal_id'],
    ['import', 'terminal_id'],
    ['Latest', 'terminal_id'],
    ['..', 'terminal_id'],
  ])('a vehicle cannot have the terminal ID %s', async (terminal_id, path) => {
    const answer = await dealer.post('/api/v1/vehicles', { terminal_id, name: 'x' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('a vehicle has a terminal ID of its own: leading zeros and letter case make no other', async () => {
    await create({ terminal_id: '0042a' });
    for (const same of ['42a', '42A', '0042a', '0000042A']) {
      expect(await tryCreate({ terminal_id: same })).toBe('409 already_exists');
      expect(await patch('V1', { terminal_id: same })).toBe('409 already_exists');
    }
    expect(await tryCreate({ terminal_id: '420a' })).toBe(201);
    expect(await patch('42a', { terminal_id: '000042A' })).toBe(200);
  });

  it('a vehicle is made once when two ask at once', async () => {
    for (let at = 0; at < 20; at++) {
      const both = [tryCreate({ terminal_id: `7a${at}` }), tryCreate({ terminal_id: `07a${at}` })];
      expect((await Promise.all(both)).sort()).toEqual([201, '409 already_exists']);
    }
  });

  it('a vehicle is changed field by field, with its version', async () => {
    const { version } = await create({ terminal_id: 'P1', plate: 'OLD', attributes: { a: 1, b: 2 } });
    const body = { name: 'patched', plate: null, attributes: { b: null, c: 3 } };
    const changed = await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'P1' }, body });
    expect(changed).toMatchObject({
      name: 'patched',
      plate: null,
      attributes: { a: 1, c: 3 },
      version: version + 1,
    });
    const stale = { 'If-Match': `"${version}"` };
    expect(await patch('P1', { name: 'late' }, dealer, stale)).toBe('412 version_conflict');
    expect(await dealer.outcome(vehicleRoutes.remove, { params: { vehicle: 'P1' }, headers: stale })).toBe(
      '412 version_conflict',
    );
    for (const read of ['status', 'position', 'vehicle_id', 'archived_at']) {
      expect(await patch('P1', { [read]: null })).toBe('400 validation_failed');
    }
  });
});

describe('the list of vehicles', () => {
  it('the list of vehicles is filtered by group, words and status, and comes in pages', async () => {
    for (const at of [1, 2, 3, 4, 5]) {
      await create({
        terminal_id: `L${at}`,
        name: `list ${at % 2}`,
        driver: at === 3 ? 'Ünal' : null,
        group_ids: [annasGroup],
      });
    }
    await send('L1', { speed_kmh: 50 });
    const list = async (query: object) =>
      (await dealer.ask(vehicleRoutes.list, { query })).items.map((it) => it.terminal_id).sort();
    expect(await list({ group_id: annasGroup })).toEqual(['L1', 'L2', 'L3', 'L4', 'L5']);
    expect(await list({ q: 'LIST 1', group_id: annasGroup })).toEqual(['L1', 'L3', 'L5']);
    expect(await list({ q: 'ünal' })).toEqual(['L3']);
    expect(await list({ status: 'moving' })).toEqual(['L1']);
    expect(await dealer.outcome(vehicleRoutes.list, { query: { group_id: noId } })).toBe('404 not_found');
    expect(await anna.outcome(vehicleRoutes.list, { query: { group_id: otherGroup } })).toBe('404 not_found');
    const read: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await dealer.ask(vehicleRoutes.list, {
        query: { limit: 2, group_id: annasGroup, ...(cursor === undefined ? {} : { cursor }) },
      });
      read.push(...page.items.map((it) => it.terminal_id));
      cursor = page.next_cursor;
    }
    expect(read.sort()).toEqual(['L1', 'L2', 'L3', 'L4', 'L5']);
  });
});

describe('the status of a vehicle', () => {
  it('the status of a vehicle is never, moving, stopped, idle or offline, by its last message and the settings', async () => {
    await create({ terminal_id: 'S1' });
    const status = async () => (await dealer.ask(vehicleRoutes.get, { params: { vehicle: 'S1' } })).status;
    expect(await status()).toBe('never');
    await send('S1', { speed_kmh: 5 });
    expect(await status()).toBe('moving');
    clock.advance(1_000);
    await send('S1', { speed_kmh: 2.9, ignition: true });
    expect(await status()).toBe('stopped');
    clock.advance(300_000);
    await send('S1', { speed_kmh: 0, ignition: true });
    expect(await status()).toBe('idle');
    clock.advance(599_999);
    expect(await status()).toBe('idle');
    clock.advance(1);
    expect(await status()).toBe('offline');
  });
});

describe('a deleted vehicle', () => {
  it('a deleted vehicle is out of all lists, its terminal ID is free, and dealers still find it by its UUID', async () => {
    const { vehicle_id } = await create({ terminal_id: 'D1', group_ids: [annasGroup] });
    await send('D1');
    expect(await dealer.outcome(vehicleRoutes.remove, { params: { vehicle: 'D1' } })).toBe(204);
    expect(await get('D1')).toBe('404 not_found');
    const archived = await dealer.ask(vehicleRoutes.get, { params: { vehicle: vehicle_id } });
    expect(archived.archived_at).toBe(new Date(clock.now()).toISOString());
    expect(archived.position).not.toBeNull();
    expect((await dealer.ask(vehicleRoutes.list, { query: { q: 'D1' } })).items).toEqual([]);
    expect(await get(vehicle_id, anna)).toBe('404 not_found');
    const { group_id } = { group_id: annasGroup };
    expect((await dealer.ask(groupRoutes.get, { params: { group_id } })).vehicle_ids).not.toContain(
      vehicle_id,
    );

    const successor = await create({ terminal_id: '0d1' });
    expect(successor.vehicle_id).not.toBe(vehicle_id);
    expect(successor.position).toBeNull();
    expect((await dealer.ask(vehicleRoutes.get, { params: { vehicle: 'D1' } })).vehicle_id).toBe(
      successor.vehicle_id,
    );
  });

  it('a deleted vehicle is purged with its data when asked so, archived before or not', async () => {
    for (const archiveFirst of [true, false]) {
      const { vehicle_id } = await create({ terminal_id: 'D2' });
      await send('D2');
      const params = { vehicle: vehicle_id };
      if (archiveFirst) await dealer.ask(vehicleRoutes.remove, { params });
      await dealer.ask(vehicleRoutes.remove, { params, query: { purge: 'true' } });
      expect(await get(vehicle_id)).toBe('404 not_found');
      const again = await create({ terminal_id: 'D2' });
      expect(again.position).toBeNull();
      await dealer.ask(vehicleRoutes.remove, { params: { vehicle: 'D2' } });
    }
  });
});

describe('a user with vehicles:write', () => {
  it('a user with vehicles:write adds and changes vehicles of its groups, and puts none where it sees nothing', async () => {
    expect(await tryCreate({ terminal_id: 'U1', group_ids: [annasGroup] }, anna)).toBe(201);
    for (const group_ids of [[], [otherGroup], [annasGroup, otherGroup], [noId]]) {
      expect(await tryCreate({ terminal_id: 'U2', group_ids }, anna)).toBe('400 validation_failed');
      expect(await patch('U1', { group_ids }, anna)).toBe('400 validation_failed');
    }
    expect(await patch('U1', { name: 'anna’s' }, anna)).toBe(200);
    expect(await dealer.outcome(vehicleRoutes.remove, { params: { vehicle: 'U1' } })).toBe(204);
  });

  it('a user with vehicles:write does not learn of the groups that it does not see, and leaves the vehicle in them', async () => {
    const { vehicle_id } = await create({ terminal_id: 'U3', group_ids: [annasGroup, otherGroup] });
    const params = { vehicle: 'U3' };
    expect((await anna.ask(vehicleRoutes.get, { params })).group_ids).toEqual([annasGroup]);
    const { items } = await anna.ask(vehicleRoutes.list, { query: { limit: 1_000 } });
    expect(items.find((it) => it.vehicle_id === vehicle_id)?.group_ids).toEqual([annasGroup]);
    expect(await patch('U3', { group_ids: [annasGroup], name: 'shared' }, anna)).toBe(200);
    for (const group_ids of [[otherGroup, annasGroup], [otherGroup], []])
      expect(await patch('U3', { group_ids }, anna)).toBe('400 validation_failed');
    const kept = await dealer.ask(vehicleRoutes.get, { params });
    expect(kept.group_ids.toSorted()).toEqual([annasGroup, otherGroup].toSorted());
    expect(kept.name).toBe('shared');
  });

  it('a user with vehicles:write finds, changes and deletes no vehicle of others', async () => {
    const { vehicle_id } = await create({ terminal_id: 'U4', group_ids: [otherGroup] });
    for (const vehicle of ['U4', vehicle_id]) {
      expect(await get(vehicle, anna)).toBe('404 not_found');
      expect(await patch(vehicle, { name: 'mine' }, anna)).toBe('404 not_found');
      expect(await anna.outcome(vehicleRoutes.remove, { params: { vehicle } })).toBe('404 not_found');
    }
    expect(await get('U4')).toBe(200);
  });
});
