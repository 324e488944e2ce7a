import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { assignmentRoutes, driverRoutes, type NewDriver } from '../../../server/contract/drivers.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let reader: Caller;
let annasGroup: string;
let otherGroup: string;
beforeAll(async () => {
  host = await startTestHost({
    clock,
    users: [
      { login: 'anna', rights: { vehicles: 'write' } },
      { login: 'reader', rights: { vehicles: 'read' } },
    ],
  });
  [dealer, anna, reader] = [await host.login(), await host.login('anna'), await host.login('reader')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
  otherGroup = (await dealer.ask(groupRoutes.create, { body: { name: 'others' } })).group_id;
});
afterAll(() => host.close());

const iso = (ms: number) => new Date(ms).toISOString();
const hour = 3_600_000;
const add = (name: string, more: Partial<NewDriver> = {}, caller = dealer) =>
  caller.ask(driverRoutes.create, { body: { name, ...more } });
const tryAdd = (name: string, more: Partial<NewDriver> = {}, caller = dealer) =>
  caller.outcome(driverRoutes.create, { body: { name, ...more } });
const patch = (driver_id: string, body: object, caller = dealer, headers: Record<string, string> = {}) =>
  caller.outcome(driverRoutes.patch, { params: { driver_id }, body, headers });
const card = (number: string, from: string | null = null, to: string | null = null) => ({ number, from, to });
const aVehicle = (name: string, group_ids: string[] = []) =>
  dealer.ask(vehicleRoutes.create, { body: { terminal_id: name, name, group_ids } });

describe('a driver', () => {
  it('a driver needs a name alone, and keeps phone, licence, cards, external ID and note', async () => {
    expect(await add('J. Lind')).toMatchObject({
      name: 'J. Lind',
      phone: null,
      cards: [],
      archived_at: null,
    });
    const whole = {
      ...{ name: 'M. Okafor', phone: '+44 20 7946 0102', note: 'Nights only' },
      ...{ licence_number: 'OKAFO 857', licence_expires: '2029-06-30', external_id: 'P-17' },
      cards: [card('01-00 00 1A 2B')],
      group_ids: [annasGroup],
    };
    const made = await dealer.ask(driverRoutes.create, { body: whole });
    expect(made).toMatchObject(whole);
    expect(await dealer.ask(driverRoutes.get, { params: { driver_id: made.driver_id } })).toEqual(made);
  });

  it.each([
    ['name', { name: ' ' }],
    ['licence_expires', { licence_expires: '2029-02-31' }],
    ['cards.0.number', { cards: [card('--')] }],
    ['cards.0.from', { cards: [card('7', iso(hour), iso(0))] }],
    ['group_ids.0', { group_ids: ['00000000-0000-4000-8000-000000000000'] }],
  ])('a driver with a wrong %s is refused', async (path, body) => {
    const { body: problem } = await dealer.post(driverRoutes.create.path, { name: 'Wrong', ...body });
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('a driver is found by name, phone, licence, external ID and card', async () => {
    await add('Zoë Ünal', {
      phone: '555-7',
      licence_number: 'UN 9',
      external_id: 'X-9',
      cards: [card('AB:CD')],
    });
    for (const q of ['unal', '5557', 'un9', 'x-9', 'ab:cd']) {
      const { items } = await dealer.ask(driverRoutes.list, { query: { q } });
      expect([q, items.map((it) => it.name)]).toEqual([q, ['Zoë Ünal']]);
    }
  });

  it('a driver is seen by the users of the same groups, and put only into groups of their own', async () => {
    const theirs = await add('Other', { group_ids: [otherGroup] });
    const both = await add('Both', { group_ids: [annasGroup, otherGroup] });
    expect(await anna.outcome(driverRoutes.get, { params: { driver_id: theirs.driver_id } })).toBe(
      '404 not_found',
    );
    expect(await anna.ask(driverRoutes.get, { params: { driver_id: both.driver_id } })).toMatchObject({
      group_ids: [annasGroup],
    });
    expect(await tryAdd('Mine', {}, anna)).toBe('400 validation_failed');
    expect(await tryAdd('Mine', { group_ids: [otherGroup] }, anna)).toBe('400 validation_failed');
    expect(await patch(both.driver_id, { phone: '1' }, anna)).toBe(200);
    expect(await dealer.ask(driverRoutes.get, { params: { driver_id: both.driver_id } })).toMatchObject({
      group_ids: [annasGroup, otherGroup],
      phone: '1',
    });
    expect(await anna.outcome(driverRoutes.remove, { params: { driver_id: both.driver_id } })).toBe(
      '403 forbidden',
    );
    expect(await tryAdd('Mine', { group_ids: [annasGroup] }, reader)).toBe('403 forbidden');
  });

  it('a driver is changed by those who know its version, and a key gives the first answer again', async () => {
    const headers = { 'Idempotency-Key': 'driver-1' };
    const call = { body: { name: 'Once' }, headers };
    const first = await dealer.ask(driverRoutes.create, call);
    expect(await dealer.ask(driverRoutes.create, call)).toEqual(first);
    expect(await patch(first.driver_id, { note: 'a' }, dealer, { 'If-Match': '"1"' })).toBe(200);
    expect(await patch(first.driver_id, { note: 'b' }, dealer, { 'If-Match': '"1"' })).toBe(
      '412 version_conflict',
    );
  });

  it('a card belongs to one driver at a time, however it is written', async () => {
    const first = await add('First', { cards: [card('00-17-ab')] });
    expect(await tryAdd('Second', { cards: [card('17AB')] })).toBe('409 already_exists');
    expect(await tryAdd('Has it for an hour', { cards: [card('17AB', iso(0), iso(hour))] })).toBe(201);
    expect(await tryAdd('In the same hour', { cards: [card('17AB', iso(0), iso(hour))] })).toBe(
      '409 already_exists',
    );
    await patch(first.driver_id, { cards: [card('0017AB', null, iso(2 * hour))] });
    expect(await tryAdd('Second', { cards: [card('17AB')] })).toBe(201);
    expect(await patch(first.driver_id, { cards: [card('17AB')] })).toBe('409 already_exists');
  });

  it('a refusal does not name the driver of another group who has the card', async () => {
    await add('Hidden', { cards: [card('secret-1')], group_ids: [otherGroup] });
    const body = { name: 'Mine', cards: [card('SECRET1')], group_ids: [annasGroup] };
    const { status, text } = await anna.post(driverRoutes.create.path, body);
    expect([status, text.includes('Hidden')]).toEqual([409, false]);
  });

  it('a driver who is archived leaves the lists, gives the card free and ends the assignments', async () => {
    const { vehicle_id } = await aVehicle('ARCH');
    const { driver_id } = await add('Leaver', { cards: [card('L1')], external_id: 'L-1' });
    const assign = (from: number) =>
      dealer.ask(assignmentRoutes.create, { body: { driver_id, vehicle_id, from: iso(from) } });
    await assign(clock.now() - hour);
    await assign(clock.now() + hour);
    expect(await dealer.outcome(driverRoutes.remove, { params: { driver_id } })).toBe(204);
    const now = iso(clock.now());
    expect((await dealer.ask(driverRoutes.list, { query: { q: 'Leaver' } })).items).toEqual([]);
    expect(await dealer.ask(driverRoutes.get, { params: { driver_id } })).toMatchObject({
      archived_at: now,
      cards: [card('L1', null, now)],
    });
    const { items } = await dealer.ask(assignmentRoutes.list, { query: { driver_id } });
    expect(items.map((it) => it.to)).toEqual([now]);
    expect(await tryAdd('Comes back', { cards: [card('L1')], external_id: 'L-1' })).toBe(201);
    expect(
      await dealer.outcome(driverRoutes.remove, { params: { driver_id }, query: { purge: 'true' } }),
    ).toBe(204);
    expect(await dealer.outcome(driverRoutes.get, { params: { driver_id } })).toBe('404 not_found');
    expect((await dealer.ask(assignmentRoutes.list, { query: { vehicle: vehicle_id } })).items).toEqual([]);
  });

  it('a driver stays when a group goes, and changes stand in the audit log', async () => {
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'short-lived' } });
    const { driver_id } = await add('Stays', { group_ids: [group_id] });
    expect(await dealer.outcome(groupRoutes.remove, { params: { group_id } })).toBe(204);
    expect(await dealer.ask(driverRoutes.get, { params: { driver_id } })).toMatchObject({ group_ids: [] });
    const { items } = await dealer.ask(auditRoutes.list, { query: { kind: 'driver', entity_id: driver_id } });
    expect(items.map((it) => [it.action, it.entity_name])).toEqual([
      ['changed', 'Stays'],
      ['created', 'Stays'],
    ]);
  });
});

describe('an assignment', () => {
  it('an assignment is of a driver and a vehicle that the caller sees, from a time to a later one', async () => {
    const [mine, other] = [await aVehicle('AS-1', [annasGroup]), await aVehicle('AS-2', [otherGroup])];
    const { driver_id } = await add('Assigned', { group_ids: [annasGroup] });
    const foreign = await add('Foreign', { group_ids: [otherGroup] });
    const from = iso(clock.now());
    const body = { driver_id, vehicle_id: mine.vehicle_id, from, note: 'Night shift' };
    const made = await anna.ask(assignmentRoutes.create, { body });
    expect(made).toMatchObject({ ...body, to: null, version: 1 });
    const outcome = (more: object) => anna.outcome(assignmentRoutes.create, { body: { ...body, ...more } });
    expect(await outcome({ vehicle_id: other.vehicle_id })).toBe('404 not_found');
    expect(await outcome({ driver_id: foreign.driver_id })).toBe('404 not_found');
    expect(await outcome({ to: from })).toBe('400 validation_failed');
    const params = { assignment_id: made.assignment_id };
    const to = iso(clock.now() + hour);
    expect(await anna.ask(assignmentRoutes.patch, { params, body: { to } })).toMatchObject({
      to,
      version: 2,
    });
    expect(await reader.outcome(assignmentRoutes.get, { params })).toBe('404 not_found');
    const hidden = await dealer.ask(assignmentRoutes.create, {
      body: { driver_id: foreign.driver_id, vehicle_id: mine.vehicle_id, from },
    });
    const listed = await anna.ask(assignmentRoutes.list, { query: { vehicle: 'AS-1' } });
    expect(listed.items.map((it) => it.assignment_id)).not.toContain(hidden.assignment_id);
    expect(await anna.outcome(assignmentRoutes.remove, { params })).toBe(204);
  });

  it('an assignment of a driver to two vehicles at once is accepted', async () => {
    const vehicles = [await aVehicle('TWO-1'), await aVehicle('TWO-2')];
    const { driver_id } = await add('Two at once');
    for (const { vehicle_id } of vehicles)
      await dealer.ask(assignmentRoutes.create, {
        body: { driver_id, vehicle_id, from: iso(clock.now()) },
      });
    const { items } = await dealer.ask(assignmentRoutes.list, { query: { driver_id } });
    expect(items).toHaveLength(2);
  });

  it('an assignment is listed by the period that it touches', async () => {
    const { vehicle_id } = await aVehicle('PERIOD');
    const { driver_id } = await add('Shift worker');
    for (const [from, to] of [
      [1, 2],
      [2, 3],
      [3, null],
    ] as const)
      await dealer.ask(assignmentRoutes.create, {
        body: { driver_id, vehicle_id, from: iso(from * hour), to: to === null ? null : iso(to * hour) },
      });
    const query = { driver_id, from: iso(2 * hour), to: iso(3 * hour) };
    const { items } = await dealer.ask(assignmentRoutes.list, { query });
    expect(items.map((it) => it.from)).toEqual([iso(2 * hour)]);
    const all = await dealer.ask(assignmentRoutes.list, { query: { driver_id } });
    expect(all.items.map((it) => it.from)).toEqual([3, 2, 1].map((at) => iso(at * hour)));
  });

  it('an assignment goes with its vehicle when that is deleted with its data', async () => {
    const { vehicle_id } = await aVehicle('GONE');
    const { driver_id } = await add('Left behind');
    const { assignment_id } = await dealer.ask(assignmentRoutes.create, {
      body: { driver_id, vehicle_id, from: iso(clock.now() - hour) },
    });
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id }, query: { purge: 'true' } });
    expect(await dealer.outcome(assignmentRoutes.get, { params: { assignment_id } })).toBe('404 not_found');
  });
});

it('the stream shows drivers and assignments to those who see them', async () => {
  const stream = await openStream(host.url, anna);
  const { vehicle_id } = await aVehicle('STREAM', [annasGroup]);
  await add('Unseen', { group_ids: [otherGroup] });
  const { driver_id } = await add('Seen', { group_ids: [annasGroup] });
  expect((await stream.next('driver')).data).toMatchObject({ driver_id, name: 'Seen' });
  const { assignment_id } = await dealer.ask(assignmentRoutes.create, {
    body: { driver_id, vehicle_id, from: iso(clock.now()) },
  });
  expect((await stream.next('assignment')).data).toMatchObject({ assignment_id, driver_id });
  await dealer.ask(driverRoutes.remove, { params: { driver_id } });
  expect((await stream.next('driver', (it) => 'deleted' in it)).data).toEqual({ driver_id, deleted: true });
  stream.close();
});
