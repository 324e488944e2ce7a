import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream, type Message } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annasGroup: string;
beforeAll(async () => {
  host = await startTestHost({
    clock,
    users: [{ login: 'anna', rights: { video: 'read' } }],
    settings: { jwtTtlS: 86_400 },
  });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
});
afterAll(() => host.close());

let made = 0;
const geometry = { type: 'Point' as const, coordinates: [24.1, 56.9] as [number, number] };
const addVehicle = (group_ids: string[]) => {
  made += 1;
  return dealer.ask(vehicleRoutes.create, {
    body: { terminal_id: `R${made}`, name: `van ${made}`, group_ids },
  });
};
const addGeofence = (group_ids: string[] = []) =>
  dealer.ask(geofenceRoutes.create, {
    body: { name: 'yard', shape: 'circle', geometry, radius_m: 50, group_ids },
  });

/** What a client makes of the messages: each resource in the form that it heard of last, without those that are gone. */
type Known = Map<string, object>;
const idFields = [
  ...(['notification_id', 'event_id', 'geozone_id', 'rule_id', 'vehicle_id'] as const),
  ...(['group_id', 'user_id', 'profile_id'] as const),
];
const kept = ['vehicle', 'geofence', 'rule', 'event', 'notification', 'group', 'user', 'profile'];
function resourceOf({ topic, data }: Message): { key: string; gone: boolean } | null {
  if (!kept.includes(topic)) return null;
  const fields = new Map<string, unknown>(Object.entries(data));
  const field = idFields.find((name) => name.startsWith(topic === 'geofence' ? 'geozone' : topic)) ?? '';
  return { key: `${topic} ${String(fields.get(field))}`, gone: fields.get('deleted') === true };
}
function learn(known: Known, message: Message): void {
  const resource = resourceOf(message);
  if (resource === null) return;
  if (resource.gone) known.delete(resource.key);
  else known.set(resource.key, message.data);
}

async function readLists(caller: Caller): Promise<Known> {
  const [vehicles, geofences, rules, notifications, groups, profiles, me] = await Promise.all([
    caller.ask(vehicleRoutes.list, { query: { limit: 1_000 } }),
    caller.ask(geofenceRoutes.list, { query: { limit: 1_000 } }),
    caller.ask(ruleRoutes.list, { query: { limit: 1_000 } }),
    caller.ask(notificationRoutes.list, { query: { limit: 1_000 } }),
    caller.ask(groupRoutes.list, { query: { limit: 1_000 } }),
    caller.ask(videoRoutes.profiles, { query: { limit: 1_000 } }),
    caller.ask(userRoutes.me),
  ]);
  const users = me.role === 'dealer' ? (await caller.ask(userRoutes.list)).items : [me];
  if (!('items' in profiles)) throw new TypeError('one profile came for a list');
  return new Map<string, object>([
    // Positions and status move without a message of the vehicle.
    ...vehicles.items.map((it): [string, object] => [`vehicle ${it.vehicle_id}`, it]),
    ...geofences.items.map((it): [string, object] => [`geofence ${it.geozone_id}`, it]),
    ...rules.items.map((it): [string, object] => [`rule ${it.rule_id}`, it]),
    ...notifications.items.map((it): [string, object] => [`notification ${it.notification_id}`, it]),
    ...groups.items.map(({ vehicle_ids: _, user_ids: __, ...it }): [string, object] => [
      `group ${it.group_id}`,
      it,
    ]),
    ...profiles.items.map((it): [string, object] => [`profile ${it.profile_id}`, it]),
    ...users.map((it): [string, object] => [`user ${it.user_id}`, it]),
  ]);
}

/**
 * Without what no message contains: a vehicle's newest position and status, events, which stand in no list here, and
 * notifications of vehicles that came, went or were purged with all that hung on them.
 */
function comparable(known: Known, unsteady: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    [...known]
      .filter(([key]) => !key.startsWith('event'))
      .filter(
        ([key, it]) =>
          !key.startsWith('notification') || !('vehicle_id' in it && unsteady.has(String(it.vehicle_id))),
      )
      .map(([key, resource]) => [key, { ...resource, position: null, status: null }]),
  );
}

const step = fc.record({
  what: fc.constantFrom(
    'add',
    'rename',
    'regroup',
    'delete',
    'restore',
    'alarm',
    'alarm',
    'fence',
    'unfence',
    'rule',
    'unrule',
    'group',
    'ungroup',
    'cameras',
    'name',
  ),
  which: fc.nat(20),
  /** The client hangs up after this step, or listens again. */
  client: fc.constantFrom('stays', 'stays', 'leaves', 'comes back', 'leaves and comes back'),
});

/** A run of changes on resources of its own; `unsteady` are the vehicles whose groups changed or that are gone. */
function createRun(unsteady: Set<string>) {
  const vehicles: string[] = [];
  const archived: string[] = [];
  const geofences: string[] = [];
  const rules: string[] = [];
  const groups: string[] = [];
  const withCameras = new Set<string>();
  const pick = (list: string[], which: number) => list[which % list.length] ?? '';
  return async ({ what, which }: { what: string; which: number }): Promise<void> => {
    clock.advance(1_000);
    const params = { vehicle: pick(vehicles, which) };
    if (what === 'add') vehicles.push((await addVehicle(which % 3 === 0 ? [] : [annasGroup])).vehicle_id);
    else if (what === 'fence')
      geofences.push((await addGeofence(which % 2 === 0 ? [] : [annasGroup])).geozone_id);
    else if (what === 'rule') {
      const body = { name: `rule ${which}`, event_kind: 'sos' as const, scope: { all: true as const } };
      rules.push((await dealer.ask(ruleRoutes.create, { body })).rule_id);
    } else if (what === 'group') {
      made += 1;
      groups.push((await dealer.ask(groupRoutes.create, { body: { name: `group ${made}` } })).group_id);
    } else if (what === 'ungroup' && groups.length > 0) {
      await dealer.ask(groupRoutes.remove, { params: { group_id: groups.shift() ?? '' } });
    } else if (what === 'name') {
      const { user_id } = await anna.ask(userRoutes.me);
      await dealer.ask(userRoutes.patch, { params: { user_id }, body: { name: `Anna ${which}` } });
    } else if (what === 'unfence' && geofences.length > 0) {
      await dealer.ask(geofenceRoutes.remove, { params: { geozone_id: geofences.shift() ?? '' } });
    } else if (what === 'unrule' && rules.length > 0) {
      await dealer.ask(ruleRoutes.remove, { params: { rule_id: rules.shift() ?? '' } });
    } else if (what === 'restore' && archived.length > 0) {
      const body = { vehicle_ids: archived.splice(0) };
      await dealer.ask(vehicleRoutes.restoreMany, { body });
      vehicles.push(...body.vehicle_ids);
    } else if (vehicles.length > 0) {
      if (what === 'rename')
        await dealer.ask(vehicleRoutes.patch, { params, body: { name: `renamed ${which}` } });
      if (what === 'regroup') {
        unsteady.add(params.vehicle);
        await dealer.ask(vehicleRoutes.patch, {
          params,
          body: { group_ids: which % 2 === 0 ? [] : [annasGroup] },
        });
      }
      if (what === 'cameras' && !withCameras.has(params.vehicle)) {
        withCameras.add(params.vehicle);
        const channels = [{ channel: 1, name: `camera ${which}` }];
        await dealer.ask(videoRoutes.createProfile, {
          body: { vehicle_id: params.vehicle, kind: 'simulated', channels },
        });
      }
      if (what === 'delete') {
        const vehicle = vehicles.shift() ?? '';
        unsteady.add(vehicle);
        const purge = which % 2 === 0 ? 'true' : 'false';
        // The alarms of a vehicle have opened an incident, which keeps it in service.
        const query = { vehicle, status: ['open' as const], limit: 1_000 };
        const { items } = await dealer.ask(incidentRoutes.list, { query });
        for (const { incident_id } of purge === 'true' ? [] : items)
          await dealer.ask(incidentRoutes.close, { params: { incident_id }, body: { reason: 'Test' } });
        await dealer.ask(vehicleRoutes.remove, { params: { vehicle }, query: { purge } });
        if (purge === 'false') archived.push(vehicle);
      }
      if (what === 'alarm' && vehicles.length > 0) {
        const time = new Date(clock.now()).toISOString();
        const position = { vehicle_id: pick(vehicles, which), time, lat: 1, lon: 1, alarms: ['sos'] };
        await dealer.ask(positionRoutes.post, { body: { positions: [position] } });
      }
    }
  };
}

/** Rules that are left would make each alarm of the next run a notification more. */
const tidyUp = Array.from({ length: 6 }, () => ({ what: 'unrule', which: 0, client: 'stays' }));

const sequenceOf = (id: string) => Number(id.split('.')[1]);

/** A client that hangs up and comes back with the id of its last message. */
async function createClient(caller: Caller) {
  const known = await readLists(caller);
  let lastId: string | undefined;
  let stream = await openStream(host.url, caller);

  function takeIn(): void {
    const replayed = new Set<string>();
    let before = lastId;
    for (const message of stream.messages.splice(0)) {
      expect(message.topic).not.toBe('reset');
      learn(known, message);
      if (message.id === null) continue;
      if (before !== undefined) expect(sequenceOf(message.id)).toBeGreaterThanOrEqual(sequenceOf(before));
      before = message.id;
      lastId = message.id;
      replayed.add(message.id);
    }
  }
  return {
    known,
    leave(): void {
      takeIn();
      stream.close();
    },
    async comeBack(): Promise<void> {
      takeIn();
      stream.close();
      stream = await openStream(host.url, caller, { lastId });
    },
    /** Listens once more, until what was last of all has come. */
    async catchUp(): Promise<void> {
      await this.comeBack();
      const { geozone_id } = await addGeofence();
      await stream.next('geofence', (it) => it.geozone_id === geozone_id);
      takeIn();
      stream.close();
    },
  };
}

describe('a client that hangs up at any time and comes back with Last-Event-ID', () => {
  it.each(['a dealer', 'a user'])(
    'a client that hangs up at any time and comes back with Last-Event-ID knows in the end what %s reads in the lists',
    async (who) => {
      const caller = who === 'a dealer' ? dealer : anna;
      const unsteady = new Set<string>();
      // With a vehicle to look at, a user sees the rules that hold for all.
      await addVehicle([annasGroup]);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
          const client = await createClient(caller);
          const run = createRun(unsteady);
          for (const { client: does, ...change } of [...steps, ...tidyUp]) {
            if (does === 'leaves') client.leave();
            await run(change);
            if (does.includes('comes back')) await client.comeBack();
          }
          await client.catchUp();
          expect(comparable(client.known, unsteady)).toEqual(comparable(await readLists(caller), unsteady));
        }),
        { numRuns: 12 },
      );
    },
  );

  it('a client that hangs up at any time and comes back with Last-Event-ID hears of a resource once, in its present form, however often it changed', async () => {
    const stream = await openStream(host.url, dealer);
    const { vehicle_id } = await addVehicle([]);
    await stream.next('vehicle');
    const lastId = stream.lastId();
    for (const name of ['first', 'second', 'third']) {
      await dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: { name } });
      await stream.next('vehicle');
    }
    stream.close();
    const again = await openStream(host.url, dealer, { lastId });
    const { data, id } = await again.next('vehicle');
    expect(data).toEqual(await dealer.ask(vehicleRoutes.get, { params: { vehicle: vehicle_id } }));
    expect(sequenceOf(id ?? '')).toBe(sequenceOf(lastId ?? '') + 3);
    expect(again.messages.filter((it) => it.topic === 'vehicle')).toHaveLength(1);
    again.close();
  });

  it('a client that hangs up at any time and comes back with Last-Event-ID misses nothing over a restart of the host', async () => {
    const stream = await openStream(host.url, dealer);
    const lastId = stream.lastId();
    stream.close();
    const { geozone_id } = await addGeofence();
    await host.stop();
    host = await startTestHost({ clock, data: host.data, settings: { jwtTtlS: 86_400 } });
    [dealer, anna] = [await host.login(), await host.login('anna')];
    const again = await openStream(host.url, dealer, { lastId });
    expect((await again.next('geofence')).data).toMatchObject({ geozone_id });
    again.close();
  });
});

describe('a Last-Event-ID that this host cannot follow is answered reset and a snapshot', () => {
  const expectReset = async (caller: Caller, lastId: string | undefined) => {
    const stream = await openStream(host.url, caller, { lastId });
    expect(stream.messages.map((it) => it.topic).slice(0, 2)).toEqual(['reset', 'snapshot']);
    expect(stream.lastId()).toBeDefined();
    stream.close();
  };

  it.each(['nonsense', '0123456789abcdef.1', '.', '1', 'a.b.c'])('%s', (lastId) =>
    expectReset(dealer, lastId),
  );

  it('a Last-Event-ID from ahead, of a database that was put back, restarts the stream', async () => {
    const stream = await openStream(host.url, dealer);
    const [epoch = ''] = stream.lastId()?.split('.') ?? [];
    stream.close();
    await expectReset(dealer, `${epoch}.999999`);
    await expectReset(dealer, `${epoch}.-1`);
    await expectReset(dealer, `${epoch}.1.5`);
  });

  it('a Last-Event-ID from before the caller’s rights or groups changed restarts the stream, since the view is another one', async () => {
    const stream = await openStream(host.url, anna);
    const lastId = stream.lastId();
    stream.close();
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'more' } });
    const { user_id } = await anna.ask(userRoutes.me);
    await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id } });
    await expectReset(anna, lastId);
  });

  it('a Last-Event-ID of another user restarts the stream', async () => {
    const stream = await openStream(host.url, dealer);
    await expectReset(anna, stream.lastId());
    stream.close();
  });

  it('a Last-Event-ID from before a week ago restarts the stream, as its changes are deleted', async () => {
    const stream = await openStream(host.url, dealer);
    const lastId = stream.lastId();
    stream.close();
    await addGeofence();
    clock.advance(7 * 86_400_000);
    dealer = await host.login();
    await addGeofence();
    // The daily tidying works at its own pace.
    while (!host.logged.some((line) => line['msg'] === 'old data was deleted')) {
      clock.advance(86_400_000);
      await new Promise(setImmediate);
    }
    dealer = await host.login();
    await expectReset(dealer, lastId);
  });
});
