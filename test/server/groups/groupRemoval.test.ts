import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createGroups } from '../../../server/groups/groups.ts';
import { createCollection } from '../../../server/store/documents/collection.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const ghost = '00000000-0000-4000-8000-000000000000';

async function openGroups() {
  const clock = createFakeClock();
  const stores = await openStores(await temporaryFolder(), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  return createGroups(createCollection(stores.documents.groups, (it) => it.group_id, clock));
}

describe('the removal of a group', () => {
  it('the removal of a group takes the group last, and lets nothing into it meanwhile', async () => {
    const groups = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    const steps: unknown[] = [];
    await groups.remove(group_id, 1, {
      check: () => steps.push(['check', groups.exists(group_id)]),
      leave: async ({ name }) => {
        steps.push(['leave', name, groups.exists(group_id), groups.get(group_id), groups.all()]);
        await expect(groups.patch(group_id, { name: 'vans' }, null)).rejects.toThrow();
        // Its name is taken as long as the disk holds it.
        await expect(groups.add({ name: 'buses' })).rejects.toThrow();
      },
    });
    expect(steps).toEqual([
      ['check', true],
      ['leave', 'buses', false, undefined, []],
    ]);
    expect(groups.exists(group_id)).toBe(false);
    await expect(groups.add({ name: 'buses' })).resolves.toBeDefined();
  });

  it('the removal of a group that fails midway leaves the group, to be removed again', async () => {
    const groups = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    const leave = () => Promise.reject(new Error('the disk is full'));
    const check = () => undefined;
    await expect(groups.remove(group_id, null, { check, leave })).rejects.toThrow('the disk is full');
    expect(groups.exists(group_id)).toBe(true);
    await groups.remove(group_id, null, { check, leave: () => Promise.resolve() });
    expect(groups.exists(group_id)).toBe(false);
  });

  it('the removal of a group that is refused takes nothing from its members', async () => {
    const groups = await openGroups();
    const { group_id } = await groups.add({ name: 'buses' });
    let left = 0;
    const leave = () => Promise.resolve(void (left += 1));
    const check = () => {
      throw new Error('in use');
    };
    await expect(groups.remove(group_id, 7, { check: () => undefined, leave })).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(groups.remove(group_id, null, { check, leave })).rejects.toThrow('in use');
    expect(left).toBe(0);
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
    const stores = await openStores(host.data, createFakeClock(), pino({ level: 'silent' }));
    for (const [document, id] of [
      [stores.documents.users, anna.user_id],
      [stores.documents.vehicles, vehicle_id],
    ] as const) {
      await document.update((draft) => draft.items[id]?.group_ids.push(ghost));
    }
    await stores.close();
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
