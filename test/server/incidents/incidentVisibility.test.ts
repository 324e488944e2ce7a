import { expect, it, onTestFinished } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { openStream } from '../../support/streamReader.ts';
import type { Caller } from '../../support/testHost.ts';
import { startIncidentDepot } from './incidentDepot.ts';

async function startDepot() {
  const depot = await startIncidentDepot();
  onTestFinished(() => depot.host.close());
  const follow = async (who: Caller, lastId?: string) => {
    const stream = await openStream(depot.host.url, who, { query: 'topics=incident', lastId });
    onTestFinished(() => stream.close());
    return stream;
  };
  const pressed = async (terminal: string) => {
    const vehicle_id = await depot.addVehicle(terminal);
    await depot.press(terminal);
    const [incident] = await depot.incidentsOf(vehicle_id);
    if (incident === undefined) throw new Error('the SOS opened no incident');
    const params = { incident_id: incident.incident_id };
    // It is written once more when its driver is looked up.
    const driver = async () => (await depot.dealer.ask(incidentRoutes.get, { params })).driver;
    await expect.poll(driver).toMatchObject({ name: `Driver ${terminal}` });
    return { vehicle_id, params };
  };
  const close = (params: { incident_id: string }) =>
    depot.dealer.ask(incidentRoutes.close, { params, body: { reason: 'Test' } });
  return { ...depot, follow, pressed, close };
}

it('an incident that is not closed keeps its vehicle in service, and nobody loses it', async () => {
  const { dealer, anna, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  const archive = { params: { vehicle: vehicle_id } };
  await expect(dealer.ask(vehicleRoutes.remove, archive)).rejects.toThrow(
    'Incidents of this vehicle that must be closed first: 1.',
  );
  expect(await dealer.outcome(vehicleRoutes.remove, archive)).toBe('409 in_use');
  expect(await dealer.ask(vehicleRoutes.get, archive)).toMatchObject({ archived_at: null });
  expect(await anna.ask(incidentRoutes.get, { params })).toMatchObject({ status: 'open' });
  await close(params);
  expect(await dealer.outcome(vehicleRoutes.remove, archive)).toBe(204);
});

it.each(['deleted', 'blocked', 'without the right', 'out of the group'] as const)(
  'what a user owned who is %s is nobody’s, and stands in the timeline and the audit log',
  async (how) => {
    const { dealer, anna, reader, follow, pressed, close } = await startDepot();
    const { params } = await pressed('7');
    const [{ params: closed }, me] = [await pressed('8'), await anna.ask(userRoutes.me)];
    const own = { owner_id: me.user_id };
    for (const it of [params, closed]) await anna.ask(incidentRoutes.patch, { params: it, body: own });
    await close(closed);
    const stream = await follow(reader);

    const user = { user_id: me.user_id };
    if (how === 'deleted') await dealer.ask(userRoutes.remove, { params: user });
    else if (how === 'blocked') await dealer.ask(userRoutes.block, { params: user });
    else {
      const rights = { ...me.rights, notifications: 'read' as const };
      const body = how === 'without the right' ? { rights } : { group_ids: [] };
      await dealer.ask(userRoutes.patch, { params: user, body });
    }
    expect((await stream.next('incident')).data).toMatchObject({
      ...{ ...params, owner_id: null, owner_name: null },
      last_entry: { action: 'assigned', from: 'anna', to: null },
    });
    const { items } = await dealer.ask(incidentRoutes.list, { query: { owner: 'nobody' } });
    expect(items.map((it) => it.incident_id)).toEqual([params.incident_id]);
    const log = await dealer.ask(auditRoutes.list, {
      query: { kind: 'incident', entity_id: params.incident_id, limit: 1 },
    });
    expect(log.items[0]).toMatchObject({ before: { owner: 'anna' }, after: { owner: null } });

    expect(await dealer.ask(incidentRoutes.get, { params: closed })).toMatchObject(own);
    expect(await dealer.ask(incidentRoutes.reopen, { params: closed })).toMatchObject({ owner_id: null });
  },
);

it('a user keeps what it owns when something else of it is changed', async () => {
  const { dealer, anna, pressed, group_id } = await startDepot();
  const { params } = await pressed('7');
  const { user_id } = await anna.ask(userRoutes.me);
  await anna.ask(incidentRoutes.patch, { params, body: { owner_id: user_id } });
  const other = await dealer.ask(groupRoutes.create, { body: { name: 'Night' } });
  for (const body of [{ name: 'Anna Novak' }, { group_ids: [group_id, other.group_id] }])
    await dealer.ask(userRoutes.patch, { params: { user_id }, body });
  expect(await dealer.ask(incidentRoutes.get, { params })).toMatchObject({ owner_id: user_id });
});

it('of many vehicles that are archived, those with incidents that are not closed stay, each with that reason', async () => {
  const { dealer, anna, addVehicle, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  const free = await addVehicle('8');
  const body = { vehicle_ids: [vehicle_id, free] };
  expect(await dealer.ask(vehicleRoutes.archiveMany, { body })).toMatchObject({
    ...{ done: [free], not_found: [] },
    refused: [
      {
        ...{ code: 'in_use', vehicle_ids: [vehicle_id] },
        detail: 'Incidents of this vehicle that must be closed first: 1.',
      },
    ],
  });
  expect(await anna.ask(incidentRoutes.get, { params })).toMatchObject({ status: 'open' });
  await close(params);
  expect(await dealer.ask(vehicleRoutes.archiveMany, { body })).toMatchObject({ done: body.vehicle_ids });
  expect(await anna.outcome(incidentRoutes.get, { params })).toBe('404 not_found');
});

it('an incident that is opened while its vehicle is archived or deleted is refused, or keeps the vehicle', async () => {
  const { dealer, anna, addVehicle } = await startDepot();
  for (const purge of ['false', 'true'] as const) {
    const vehicle_id = await addVehicle(`1${purge}`);
    const [removed, created] = await Promise.all([
      dealer.outcome(vehicleRoutes.remove, { params: { vehicle: vehicle_id }, query: { purge } }),
      anna.outcome(incidentRoutes.create, { body: { title: 'Flat tyre', vehicle_id } }),
    ]);
    if (created === 201 && purge === 'false') expect(removed).toBe('409 in_use');
    else expect([201, '404 not_found']).toContain(created);
    const all = (await dealer.ask(incidentRoutes.list)).items;
    expect(all.filter((it) => it.vehicle_id === vehicle_id)).toHaveLength(removed === 204 ? 0 : 1);
  }
});

it('an incident that is reopened while its vehicle is archived stays closed, or keeps the vehicle', async () => {
  const { dealer, anna, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  await close(params);
  const outcomes = await Promise.all([
    dealer.outcome(vehicleRoutes.remove, { params: { vehicle: vehicle_id } }),
    anna.outcome(incidentRoutes.reopen, { params, body: {} }),
  ]);
  const { status } = await dealer.ask(incidentRoutes.get, { params });
  expect([
    [204, '404 not_found', 'closed'],
    ['409 in_use', 200, 'open'],
  ]).toContainEqual([...outcomes, status]);
});

it('streams say of the incidents of an archived vehicle that they are gone to those alone who see them no more', async () => {
  const { dealer, anna, boris, reader, follow, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  await close(params);
  const streams = await Promise.all([anna, reader, dealer, boris].map((it) => follow(it)));
  const [annas, readers, dealers, borises] = streams;
  const lastId = annas?.lastId();

  await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
  const gone = { ...params, deleted: true };
  for (const it of [annas, readers]) expect((await it?.next('incident'))?.data).toEqual(gone);
  expect(await anna.outcome(incidentRoutes.get, { params })).toBe('404 not_found');
  expect(await dealer.ask(incidentRoutes.get, { params })).toMatchObject({ status: 'closed' });
  // Who was away then is sent it, too.
  expect((await (await follow(anna, lastId)).next('incident')).data).toEqual(gone);

  // What comes next is the first that the others are sent.
  const body = { title: 'Gate', lat: 56.9, lon: 24.1 };
  const { incident_id } = await boris.ask(incidentRoutes.create, { body });
  for (const it of [dealers, borises])
    expect((await it?.next('incident'))?.data).toMatchObject({ incident_id });
});

it('an open incident of another vehicle shows at once no more of the archived one than may be seen', async () => {
  const { dealer, anna, follow, pressed, alarmsOf, ...depot } = await startDepot();
  await dealer.ask(ruleRoutes.create, {
    body: { name: 'Cut', event_kind: 'power_cut', severity: 'warning', scope: { all: true } },
  });
  const { params } = await pressed('7');
  const incident = await dealer.ask(incidentRoutes.get, { params });
  const vehicle = await depot.addVehicle('8');
  await depot.press('8', 'powerCut');
  const [alarm] = await alarmsOf(vehicle);
  if (alarm === undefined) throw new Error('there is no alarm');
  const { notification_id } = alarm;
  await dealer.ask(incidentRoutes.attachAlarm, { params: { ...params, notification_id } });
  const own = incident.notification_ids;
  const attached = await anna.ask(incidentRoutes.get, { params });
  expect(attached.notification_ids).toEqual([...own, notification_id]);
  const stream = await follow(anna);
  await dealer.ask(vehicleRoutes.remove, { params: { vehicle } });
  expect((await stream.next('incident')).data).toMatchObject({ ...params, notification_ids: own });
});

it('an open incident appears at once to those in whose group its vehicle is put, and goes from those of the old one', async () => {
  const { dealer, anna, boris, group_id: annas, follow, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  const later = await pressed('8');
  const boriss = (await boris.ask(userRoutes.me)).group_ids;
  const [ofAnna, ofBoris] = [await follow(anna), await follow(boris)];
  const lastId = ofBoris.lastId();
  const patch = (body: object) => dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body });
  await patch({ plate: 'AL 77' });
  await patch({ group_ids: boriss });
  for (const it of [ofBoris, await follow(boris, lastId)])
    expect((await it.next('incident')).data).toMatchObject({ ...params, title: 'SOS', status: 'open' });
  expect((await ofAnna.next('incident')).data).toEqual({ ...params, deleted: true });

  await dealer.ask(vehicleRoutes.changeGroups, {
    body: { action: 'add', group_id: annas, vehicle_ids: [vehicle_id] },
  });
  for (const it of [ofAnna, ofBoris]) expect((await it.next('incident')).data).toMatchObject(params);
  await dealer.ask(groupRoutes.removeVehicle, { params: { vehicle: vehicle_id, group_id: annas } });
  expect((await ofAnna.next('incident')).data).toEqual({ ...params, deleted: true });
  await close(later.params);
  expect((await ofAnna.next('incident')).data).toMatchObject({ ...later.params, status: 'closed' });
});

it('closed incidents appear at once to those in whose group their vehicle is put, and go from those of the old one', async () => {
  const { dealer, anna, boris, group_id: annas, follow, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  await close(params);
  const boriss = (await boris.ask(userRoutes.me)).group_ids;
  const [ofAnna, ofBoris, ofDealer] = [await follow(anna), await follow(boris), await follow(dealer)];
  const lastIds = [ofAnna.lastId(), ofBoris.lastId()];
  const change = { params: { vehicle: vehicle_id }, body: { group_ids: boriss } };
  await dealer.ask(vehicleRoutes.patch, change);
  const closed = { ...params, status: 'closed' };
  const gone = { ...params, deleted: true };
  for (const it of [ofBoris, await follow(boris, lastIds[1]), ofDealer])
    expect((await it.next('incident')).data).toMatchObject(closed);
  for (const it of [ofAnna, await follow(anna, lastIds[0])])
    expect((await it.next('incident')).data).toEqual(gone);

  const member = { params: { vehicle: vehicle_id, group_id: annas } };
  await dealer.ask(groupRoutes.addVehicle, member);
  expect((await ofAnna.next('incident')).data).toMatchObject(closed);
  await dealer.ask(groupRoutes.removeVehicle, member);
  expect((await ofAnna.next('incident')).data).toEqual(gone);
});

it('closed incidents of a vehicle that is restored come back with it to those who see it', async () => {
  const { dealer, anna, boris, follow, pressed, close } = await startDepot();
  const { vehicle_id, params } = await pressed('7');
  await close(params);
  await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
  const [ofAnna, ofBoris] = [await follow(anna), await follow(boris)];
  const lastId = ofAnna.lastId();
  // A change of its groups meanwhile is nothing to those who do not see it.
  await dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: { plate: 'AL 77' } });
  await dealer.ask(vehicleRoutes.restoreMany, { body: { vehicle_ids: [vehicle_id] } });
  for (const it of [ofAnna, await follow(anna, lastId)])
    expect((await it.next('incident')).data).toMatchObject({ ...params, status: 'closed' });
  expect(await anna.ask(incidentRoutes.get, { params })).toMatchObject({ vehicle_id });
  const own = await boris.ask(incidentRoutes.create, { body: { title: 'Gate', lat: 56.9, lon: 24.1 } });
  expect((await ofBoris.next('incident')).data).toMatchObject({ incident_id: own.incident_id });
});
