import { pino } from 'pino';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { newVehicle, vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createGroups } from '../../../server/groups/groups.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import { vehicle } from '../store/entities/depotBench.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const dealer = { user: { role: 'dealer' } } as Viewer;
const ghost = '00000000-0000-4000-8000-000000000000';

async function openGroups() {
  const clock = createFakeClock();
  const stores = await openStores(await temporaryFolder(), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  return { collections: stores.collections, groups: createGroups(stores.collections.groups) };
}

describe('the removal of a group', () => {
  it('the removal of a group is one act with what leaves it', async () => {
    const { collections, groups } = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    const [van] = await collections.vehicles.add([vehicle('van', { group_ids: [group_id] })]);
    const steps: unknown[] = [];
    collections.vehicles.onChange(() => steps.push(['vehicle left', groups.exists(group_id)]));
    await groups.remove(group_id, 1, ({ name }) => {
      steps.push(['leave', name, groups.exists(group_id)]);
      collections.vehicles.staged.change('van', (old) => ({ ...old, group_ids: [] }));
    });
    expect(van?.group_ids).toEqual([group_id]);
    expect(steps).toEqual([
      ['leave', 'buses', true],
      ['vehicle left', false],
    ]);
    await expect(groups.add({ name: 'buses' })).resolves.toBeDefined();
  });

  it('the removal of a group that is refused leaves the group and its members as they are', async () => {
    const { collections, groups } = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    await collections.vehicles.add([vehicle('van', { group_ids: [group_id] })]);
    const leaves = () => collections.vehicles.staged.change('van', (old) => ({ ...old, group_ids: [] }));
    await expect(groups.remove(group_id, 7, leaves)).rejects.toMatchObject({ code: 'version_conflict' });
    const refusing = groups.remove(group_id, null, () => {
      leaves();
      throw new Error('in use');
    });
    await expect(refusing).rejects.toThrow('in use');
    expect(groups.exists(group_id)).toBe(true);
    expect(collections.vehicles.get('van')).toMatchObject({ group_ids: [group_id], version: 1 });
  });

  it('a group that something still names stays', async () => {
    const { collections, groups } = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    await collections.vehicles.add([vehicle('van', { group_ids: [group_id] })]);
    await expect(groups.remove(group_id, null, () => undefined)).rejects.toMatchObject({ reason: 'in_use' });
    expect(groups.exists(group_id)).toBe(true);
  });

  it('a vehicle that is put into a group which goes at the same time is refused, and in no group', async () => {
    const { collections, groups } = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    const vehicles = createVehicles({
      collection: collections.vehicles,
      groupExists: (id) => groups.exists(id),
      clock: createFakeClock(),
    });
    const [removed, added] = await Promise.allSettled([
      groups.remove(group_id, null, () => undefined),
      vehicles.add([newVehicle.parse({ terminal_id: '7', name: '7', group_ids: [group_id] })], dealer),
    ]);
    expect([removed.status, added.status]).toEqual(['fulfilled', 'rejected']);
    expect(added).toMatchObject({ reason: { code: 'validation_failed' } });
    expect(vehicles.all()).toEqual([]);
  });
});

describe('members of groups', () => {
  let host: TestHost;
  let dealer: Caller;
  let blind: Caller;
  beforeAll(async () => {
    host = await startTestHost({
      users: [{ login: 'anna' }, { login: 'blind', rights: { vehicles: 'none' } }],
    });
    [dealer, blind] = [await host.login(), await host.login('blind')];
  });
  afterAll(() => host.close());

  it('members of groups stay editable with a group that is gone, and it can be taken away', async () => {
    const anna = await (await host.login('anna')).ask(userRoutes.me);
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
      body: { terminal_id: 'V1', name: 'V1' },
    });
    await host.stop();
    // As 0.1.0 could leave it when it was killed.
    const db = openDatabase(join(host.data, 'telemetry.db'), { readOnly: false });
    for (const [kind, id] of [
      ['user', anna.user_id],
      ['vehicle', vehicle_id],
    ] as const) {
      db.run('INSERT INTO memberships VALUES (?, ?, ?, 0, NULL, 9)', [kind, id, ghost]);
    }
    db.close();
    host = await startTestHost({ data: host.data });
    [dealer, blind] = [await host.login(), await host.login('blind')];

    const user = { params: { user_id: anna.user_id } };
    const named = await dealer.ask(userRoutes.patch, { ...user, body: { name: 'Anna' } });
    expect(named.group_ids).toContain(ghost);
    const van = { params: { vehicle: 'V1' } };
    expect((await dealer.ask(vehicleRoutes.patch, { ...van, body: { name: 'Van' } })).group_ids).toEqual([
      ghost,
    ]);
    expect(await dealer.outcome(userRoutes.patch, { ...user, body: { group_ids: [] } })).toBe(200);
    expect(await dealer.outcome(vehicleRoutes.patch, { ...van, body: { group_ids: [] } })).toBe(200);
    for (const patch of [
      dealer.outcome(userRoutes.patch, { ...user, body: { group_ids: [ghost] } }),
      dealer.outcome(vehicleRoutes.patch, { ...van, body: { group_ids: [ghost] } }),
    ]) {
      expect(await patch).toBe('400 validation_failed');
    }
  });

  it('members of groups are shown by group, vehicles only to users who may read vehicles', async () => {
    const { group_ids, user_id } = await blind.ask(userRoutes.me);
    const [group_id = ''] = group_ids;
    const body = { terminal_id: 'V2', name: 'V2', group_ids };
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
    const { items } = await dealer.ask(groupRoutes.list);
    expect(items.find((it) => it.group_id === group_id)).toMatchObject({
      vehicle_ids: [vehicle_id],
      user_ids: [user_id],
    });
    expect((await blind.ask(groupRoutes.list)).items).toMatchObject([
      { group_id, vehicle_ids: [], user_ids: [user_id] },
    ]);
    expect((await blind.ask(groupRoutes.get, { params: { group_id } })).vehicle_ids).toEqual([]);
  });
});
