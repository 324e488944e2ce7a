import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

// The lists of vehicles and of newest positions keep what they wrote before. Each test asks both before and after.

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annas: string;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annas = ''] = (await anna.ask(userRoutes.me)).group_ids;
  for (const terminal_id of ['V1', 'V2', 'V3']) {
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids: [annas] } });
    await report(terminal_id, 10);
  }
});
afterAll(() => host.close());

async function report(terminal_id: string, lat: number): Promise<void> {
  clock.advance(1_000);
  const time = new Date(clock.now()).toISOString();
  const body = { positions: [{ terminal_id, time, lat, lon: 20, speed_kmh: 50 }] };
  await dealer.ask(positionRoutes.post, { body });
}

async function listed(caller: Caller) {
  const { items } = await caller.ask(vehicleRoutes.list);
  const latest = await caller.ask(positionRoutes.latest);
  if (!('positions' in latest)) throw new Error('is not the list of positions');
  // The two lists never disagree.
  expect(latest.positions).toEqual(items.flatMap((it) => it.position ?? []));
  return items;
}

describe.each([
  ['a dealer', () => dealer],
  ['a user', () => anna],
])('%s is shown at once', (_, caller) => {
  const find = async (terminal_id: string) =>
    (await listed(caller())).find((it) => it.terminal_id === terminal_id);

  it('a new position', async () => {
    for (const lat of [11, 12, 13]) {
      await report('V1', lat);
      expect((await find('V1'))?.position?.lat).toBe(lat);
    }
  });

  it('a new name, and the new order of the list', async () => {
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'V1' }, body: { name: 'Zoë 🚚' } });
    expect((await listed(caller())).map((it) => it.name)).toEqual(['V2', 'V3', 'Zoë 🚚']);
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'V1' }, body: { name: 'V1' } });
    expect((await listed(caller())).map((it) => it.name)).toEqual(['V1', 'V2', 'V3']);
  });

  it('a new terminal, in the position too', async () => {
    expect((await find('V2'))?.position?.terminal_id).toBe('V2');
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'V2' }, body: { terminal_id: 'V2b' } });
    expect((await find('V2b'))?.position?.terminal_id).toBe('V2b');
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'V2b' }, body: { terminal_id: 'V2' } });
    expect((await find('V2'))?.position?.terminal_id).toBe('V2');
  });

  it('the silence of a vehicle is published, though nothing was written', async () => {
    await report('V3', 14);
    expect((await find('V3'))?.status).toBe('moving');
    clock.advance(599_000);
    expect((await find('V3'))?.status).toBe('moving');
    clock.advance(1_000);
    expect((await find('V3'))?.status).toBe('offline');
  });

  it('a vehicle that is new, and one that is archived', async () => {
    const body = { terminal_id: 'V0', name: 'V0', group_ids: [annas] };
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
    expect((await listed(caller())).map((it) => it.name)).toEqual(['V0', 'V1', 'V2', 'V3']);
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
    expect((await listed(caller())).map((it) => it.name)).toEqual(['V1', 'V2', 'V3']);
  });
});

describe('a vehicle that moves to another group', () => {
  it('a vehicle that moves to another group is gone from the lists of users who saw it, and there for users who see it now', async () => {
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'others' } });
    const names = async () => (await listed(anna)).map((it) => it.name);
    expect(await names()).toEqual(['V1', 'V2', 'V3']);
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'V1' }, body: { group_ids: [group_id] } });
    expect(await names()).toEqual(['V2', 'V3']);
    await dealer.ask(groupRoutes.removeVehicle, { params: { group_id: annas, vehicle: 'V2' } });
    expect(await names()).toEqual(['V3']);
    await dealer.ask(groupRoutes.addVehicle, { params: { group_id: annas, vehicle: 'V1' } });
    expect(await names()).toEqual(['V1', 'V3']);
    expect((await listed(dealer)).map((it) => it.name)).toEqual(['V1', 'V2', 'V3']);
  });

  it('a vehicle that moves to another group comes along when its user is given the group, and goes with it', async () => {
    const { items } = await dealer.ask(groupRoutes.list);
    const group_id = items.find((it) => it.name === 'others')?.group_id ?? '';
    const { user_id } = await anna.ask(userRoutes.me);
    await dealer.ask(groupRoutes.removeVehicle, { params: { group_id: annas, vehicle: 'V1' } });
    const names = async () => (await listed(anna)).map((it) => it.name);
    expect(await names()).toEqual(['V3']);
    await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id } });
    expect(await names()).toEqual(['V1', 'V3']);
    await dealer.ask(groupRoutes.removeUser, { params: { group_id, user_id } });
    expect(await names()).toEqual(['V3']);
  });
});
