import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventRoutes } from '../../../server/contract/events.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream, type StreamReader } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annasGroup: string;
let annasVan: string;
let otherVan: string;
beforeAll(async () => {
  host = await startTestHost({
    clock,
    users: [
      { login: 'anna' },
      { login: 'clara', rights: { notifications: 'write' } },
      { login: 'dana' },
      { login: 'boris', rights: { vehicles: 'none', geofences: 'none', notifications: 'none' } },
    ],
  });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
  annasVan = await createVehicle('ANNA', [annasGroup]);
  otherVan = await createVehicle('OTHER');
  await send('ANNA', 'OTHER');
});
afterAll(() => host.close());

const open = new Set<StreamReader>();
afterEach(() => {
  for (const stream of open) stream.close();
  open.clear();
});
async function listen(caller: Caller, query?: string): Promise<StreamReader> {
  const stream = await openStream(host.url, caller, query === undefined ? {} : { query });
  open.add(stream);
  return stream;
}

async function createVehicle(terminal_id: string, group_ids: string[] = []): Promise<string> {
  const body = { terminal_id, name: terminal_id, group_ids };
  return (await dealer.ask(vehicleRoutes.create, { body })).vehicle_id;
}

/** Hands in one new position of each of these terminals, all in one batch. */
async function send(...terminals: (string | { terminal_id: string; alarms: string[] })[]): Promise<void> {
  clock.advance(1_000);
  const positions = terminals.map((it) => ({
    ...(typeof it === 'string' ? { terminal_id: it } : it),
    time: new Date(clock.now()).toISOString(),
    lat: 56.9,
    lon: 24.1,
  }));
  await dealer.ask(positionRoutes.post, { body: { positions } });
}

/** Makes a change that everybody hears of, and waits until this stream has heard of it. */
async function geofence(name: string) {
  const geometry = { type: 'Point' as const, coordinates: [24, 57] as [number, number] };
  return dealer.ask(geofenceRoutes.create, { body: { name, shape: 'circle', geometry, radius_m: 50 } });
}
async function settle(...streams: StreamReader[]): Promise<void> {
  const { geozone_id } = await geofence('settled');
  await Promise.all(streams.map((it) => it.next('geofence', (data) => data.geozone_id === geozone_id)));
}
const byTerminal = (a: { terminal_id: string }, b: { terminal_id: string }) =>
  a.terminal_id < b.terminal_id ? -1 : 1;
const topicsOf = (stream: StreamReader) => [...new Set(stream.messages.map((it) => it.topic))].sort();

describe('a new stream', () => {
  it('a new stream begins with a snapshot and the newest position of every vehicle that the caller sees', async () => {
    const [all, annas] = [await listen(dealer), await listen(anna)];
    const ofAll = await all.next('position');
    expect(all.messages[0]).toMatchObject({
      topic: 'snapshot',
      data: { server_time: new Date(clock.now()).toISOString(), vehicles: 2 },
    });
    expect(ofAll.data.positions.map((it) => it.vehicle_id).sort()).toEqual([annasVan, otherVan].sort());
    expect({ positions: ofAll.data.positions.sort(byTerminal) }).toEqual(
      await dealer.ask(positionRoutes.latest),
    );
    expect((await annas.next('position')).data).toEqual(await anna.ask(positionRoutes.latest));
    expect(annas.messages[0]).toMatchObject({ data: { vehicles: 1 } });
  });

  it('a new stream begins so also while positions pour in', async () => {
    let isOver = false;
    const pouring = [1, 2, 3].map(async () => {
      while (!isOver) await send('ANNA', 'OTHER');
    });
    const first: unknown[] = [];
    // A session has eight streams.
    for (let round = 0; round < 4; round += 1) {
      const streams = await Promise.all(Array.from({ length: 8 }, () => listen(dealer)));
      await Promise.all(streams.map((it) => it.next('position')));
      first.push(...streams.map((it) => it.messages[0]?.topic));
      for (const stream of streams) stream.close();
    }
    isOver = true;
    await Promise.all(pouring);
    expect(new Set(first)).toEqual(new Set(['snapshot']));
  });

  it('a new stream is refused as every call is, without a genuine JWT', async () => {
    await expect(openStream(host.url, { jwt: 'x' })).rejects.toThrow('jwt_invalid');
  });
});

describe('streams of one user', () => {
  it('streams of one user are at most 24; one more is refused with 429 too_many_streams, and other calls go on', async () => {
    const callers = await Promise.all(Array.from({ length: 4 }, () => host.login('clara')));
    const [first] = callers;
    const streams: StreamReader[] = [];
    for (const caller of callers.slice(0, 3))
      for (let at = 0; at < 8; at += 1) streams.push(await listen(caller));
    const response = await fetch(`${host.url}/api/v1/stream`, {
      headers: { Authorization: `JWT ${callers[3]?.jwt ?? ''}` },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await response.json()).toMatchObject({
      code: 'too_many_streams',
      detail: 'Your user has 24 streams open; 24 are the most for one user. Next try in 10 s.',
    });
    expect((await callers[3]?.get('/api/v1/me'))?.status).toBe(200);
    // The oldest of its own session gives way to one that comes back.
    if (first === undefined) throw new Error('nobody is logged in');
    const again = await listen(first);
    await streams[0]?.ended;
    await settle(again, ...streams.slice(1));
  });
});

describe('positions', () => {
  it('positions come in one message for one batch, as REST shows them, without an id', async () => {
    const [all, annas] = [await listen(dealer), await listen(anna)];
    await send('ANNA', 'OTHER');
    const isNew = ({ positions }: { positions: { time: string }[] }) =>
      positions[0]?.time === new Date(clock.now()).toISOString();
    const ofAll = await all.next('position', isNew);
    const latest = await dealer.ask(positionRoutes.latest);
    expect({ positions: ofAll.data.positions.sort(byTerminal) }).toEqual(latest);
    expect(ofAll.id).toBeNull();
    const ofAnna = await annas.next('position', isNew);
    expect(ofAnna.data.positions.map((it) => it.terminal_id)).toEqual(['ANNA']);
  });
});

describe('a late track', () => {
  it('a late track is published to those who see its vehicle, with the times of what was stored', async () => {
    const [all, annas] = [await listen(dealer), await listen(anna)];
    const at = (minutes: number) => new Date(clock.now() - minutes * 60_000).toISOString();
    const position = (terminal_id: string, minutes: number) => ({
      ...{ terminal_id, time: at(minutes), lat: 56.9, lon: 24.1 },
    });
    const [from, to] = [at(90), at(30)];
    const positions = [
      position('ANNA', 30),
      position('ANNA', 90),
      position('OTHER', 60),
      position('ANNA', 0),
    ];
    await dealer.ask(positionRoutes.post, { body: { positions } });
    clock.advance(1_000);
    const ofAnna = { vehicle_id: annasVan, from, to };
    expect((await annas.next('late_track')).data).toEqual(ofAnna);
    const heard = [await all.next('late_track'), await all.next('late_track')];
    expect(heard.map((it) => it.data.vehicle_id).sort()).toEqual([annasVan, otherVan].sort());
    expect(annas.messages.filter((it) => it.topic === 'late_track')).toHaveLength(1);
  });
});

describe('changes', () => {
  it('changes of a geofence that is hidden or deleted give its id only to users who could see it, replayed too', async () => {
    const dana = await host.login('dana');
    const streams = { anna: await listen(anna), dana: await listen(dana), dealer: await listen(dealer) };
    const lastIds = { anna: streams.anna.lastId(), dana: streams.dana.lastId() };
    const body = {
      ...{ name: 'hidden', shape: 'circle' as const, radius_m: 50 },
      geometry: { type: 'Point' as const, coordinates: [24.2, 56.9] as [number, number] },
      group_ids: [annasGroup],
    };
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, { body });
    const params = { geozone_id };
    await dealer.ask(geofenceRoutes.patch, { params, body: { name: 'renamed' } });
    const third = await dealer.ask(groupRoutes.create, { body: { name: 'of nobody' } });
    await dealer.ask(geofenceRoutes.patch, { params, body: { group_ids: [third.group_id] } });
    await dealer.ask(geofenceRoutes.remove, { params });
    const end = await dealer.ask(geofenceRoutes.create, { body: { ...body, name: 'end', group_ids: [] } });
    const publishedTo = async (stream: StreamReader) => {
      const published: unknown[] = [];
      for (;;) {
        const { data } = await stream.next('geofence');
        if (data.geozone_id === end.geozone_id) return published;
        published.push('deleted' in data ? 'deleted' : data.name);
        expect(data.geozone_id).toBe(geozone_id);
      }
    };
    expect(await publishedTo(streams.dealer)).toEqual(['hidden', 'renamed', 'renamed', 'deleted']);
    expect(await publishedTo(streams.anna)).toEqual(['hidden', 'renamed', 'deleted']);
    expect(await publishedTo(streams.dana)).toEqual([]);
    for (const [caller, lastId, published] of [
      [anna, lastIds.anna, ['deleted']],
      [dana, lastIds.dana, []],
    ] as const) {
      const stream = await openStream(host.url, caller, { lastId });
      open.add(stream);
      expect(await publishedTo(stream)).toEqual(published);
    }
    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id: end.geozone_id } });
    // The next test must not meet this change on its own stream.
    expect((await streams.dealer.next('geofence')).data).toEqual({
      geozone_id: end.geozone_id,
      deleted: true,
    });
  });

  it('changes of vehicles, geofences and rules come as REST shows them, with rising ids, and end with deleted', async () => {
    const stream = await listen(dealer);
    const vehicle_id = await createVehicle('V9');
    const vehicle = { params: { vehicle: vehicle_id } };
    expect((await stream.next('vehicle')).data).toEqual(await dealer.ask(vehicleRoutes.get, vehicle));
    const renamed = await dealer.ask(vehicleRoutes.patch, { ...vehicle, body: { name: 'renamed' } });
    expect((await stream.next('vehicle')).data).toEqual(renamed);
    await dealer.ask(vehicleRoutes.remove, vehicle);
    expect((await stream.next('vehicle')).data).toEqual({ vehicle_id, deleted: true });

    const { geozone_id } = await geofence('followed');
    const geofenceParams = { params: { geozone_id } };
    expect((await stream.next('geofence')).data).toEqual(
      await dealer.ask(geofenceRoutes.get, geofenceParams),
    );
    await dealer.ask(geofenceRoutes.remove, geofenceParams);
    expect((await stream.next('geofence')).data).toEqual({ geozone_id, deleted: true });

    const body = { name: 'followed', event_kind: 'sos', scope: { all: true } } as const;
    const rule = await dealer.ask(ruleRoutes.create, { body });
    expect((await stream.next('rule')).data).toEqual(rule);
    await dealer.ask(ruleRoutes.remove, { params: { rule_id: rule.rule_id } });
    expect((await stream.next('rule')).data).toEqual({ rule_id: rule.rule_id, deleted: true });

    const ids = stream.messages.flatMap((it) => (it.id === null ? [] : [it.id]));
    expect(new Set(ids.map((id) => id.split('.')[0])).size).toBe(1);
    const numbers = ids.map((id) => Number(id.split('.')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('changes of events, notifications and tasks come as REST shows them', async () => {
    const stream = await listen(dealer);
    await send({ terminal_id: 'ANNA', alarms: ['sos'] });
    const event = await stream.next('event');
    expect(event.data).toEqual(
      await dealer.ask(eventRoutes.get, { params: { event_id: event.data.event_id } }),
    );
    const { data: notification } = await stream.next('notification');
    expect(notification).toMatchObject({ vehicle_id: annasVan, state: 'open', event_kind: 'sos' });
    const { notification_id } = notification;
    const acknowledged = await dealer.ask(notificationRoutes.ack, {
      params: { notification_id },
      body: { note: 'seen' },
    });
    expect((await stream.next('notification')).data).toEqual(acknowledged);

    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id: annasVan, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
    });
    const [from, to] = [clock.now() - 1_000, clock.now() + 60_000].map((ms) => new Date(ms).toISOString());
    const task = await dealer.ask(videoRoutes.createTask, {
      body: { profile_id, channel: 1, from: from ?? '', to: to ?? '' },
    });
    expect((await stream.next('task')).data).toMatchObject({ task_id: task.task_id, status: 'queued' });
    const { task_id } = task;
    const cancelled = await dealer.ask(videoRoutes.removeTask, { params: { task_id } });
    const published = await stream.next('task', (it) => 'status' in it && it.status === 'cancelled');
    expect(published.data).toEqual(cancelled);
  });

  it('changes reach only users who may see them', async () => {
    const boris = await host.login('boris');
    const [annas, noRights] = [await listen(anna), await listen(boris)];
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'OTHER' }, body: { driver: 'Fred' } });
    await send({ terminal_id: 'OTHER', alarms: ['sos'] });
    const body = { name: 'of others', event_kind: 'sos' as const, scope: { all: true as const } };
    const clara = await host.login('clara');
    const { rule_id } = await clara.ask(ruleRoutes.create, { body });
    await clara.ask(ruleRoutes.remove, { params: { rule_id } });
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'ANNA' }, body: { driver: 'Eva' } });
    const published = await annas.next('vehicle');
    expect(published.data).toMatchObject({ vehicle_id: annasVan, driver: 'Eva' });
    await settle(annas);
    for (const { topic, data } of annas.messages) {
      const text = JSON.stringify(data);
      for (const foreign of [otherVan, rule_id]) {
        expect([topic, text.includes(foreign)]).toEqual([topic, false]);
      }
    }
    expect(topicsOf(annas)).not.toContain('event');
    expect(topicsOf(annas)).not.toContain('notification');
    expect(topicsOf(noRights)).toEqual(['snapshot']);
  });

  it('changes of groups arrive as vehicles: one that leaves a user’s groups is deleted for it, one that comes is new', async () => {
    const [all, annas] = [await listen(dealer), await listen(anna)];
    const params = { group_id: annasGroup, vehicle: 'ANNA' };
    await annas.next('position');
    await dealer.ask(groupRoutes.removeVehicle, { params });
    expect((await annas.next('vehicle')).data).toEqual({ vehicle_id: annasVan, deleted: true });
    expect((await all.next('vehicle')).data).toMatchObject({ vehicle_id: annasVan, group_ids: [] });
    await send('ANNA');
    await dealer.ask(groupRoutes.addVehicle, { params });
    expect((await annas.next('vehicle')).data).toMatchObject({ vehicle_id: annasVan, name: 'ANNA' });
    expect(annas.messages.filter((it) => it.topic === 'position')).toHaveLength(1);
  });
});

describe('the list of unknown terminals', () => {
  it('the list of unknown terminals is published to dealers alone', async () => {
    const [all, annas] = [await listen(dealer), await listen(anna)];
    await fetch(`${host.intakeUrl}/?id=stranger&lat=1&lon=2`, { headers: { 'User-Agent': 'terminal' } });
    clock.advance(1_000);
    expect((await all.next('unknown_terminal')).data).toMatchObject({
      terminal_id: 'stranger',
      messages: 1,
      lat: 1,
      lon: 2,
    });
    await settle(annas);
    expect(topicsOf(annas)).not.toContain('unknown_terminal');
  });
});

describe('?topics=', () => {
  it('?topics= chooses what is sent, beside snapshot and heartbeat', async () => {
    const stream = await listen(dealer, 'topics=vehicle,geofence');
    await send({ terminal_id: 'ANNA', alarms: ['sos'] });
    await createVehicle('V10');
    await settle(stream);
    clock.advance(15_000);
    await stream.next('heartbeat');
    expect(topicsOf(stream)).toEqual(['geofence', 'heartbeat', 'snapshot', 'vehicle']);
    expect(stream.messages[0]).toMatchObject({ data: { vehicles: 0 } });
  });

  it('?topics= may stand several times', async () => {
    const stream = await listen(dealer, 'topics=event&topics=geofence');
    await settle(stream);
    expect(topicsOf(stream)).toEqual(['geofence', 'snapshot']);
  });
});

describe('?quiet=', () => {
  it('?quiet= chooses between notifications of the quiet list and the others', async () => {
    const body = {
      name: 'Quiet SOS',
      event_kind: 'sos' as const,
      scope: { all: true as const },
      quiet: true,
    };
    const { rule_id } = await dealer.ask(ruleRoutes.create, { body });
    const [quiet, loud, all] = [
      await listen(dealer, 'quiet=true'),
      await listen(dealer, 'quiet=false'),
      await listen(dealer),
    ];
    const other = await createVehicle('QUIET');
    await send({ terminal_id: 'QUIET', alarms: ['sos'] });
    await settle(quiet, loud, all);
    const seen = (stream: StreamReader) =>
      stream.messages.flatMap(({ topic, data }) =>
        topic === 'notification' && 'rule_name' in data && data.vehicle_id === other ? [data.quiet] : [],
      );
    expect([seen(quiet), seen(loud), seen(all).sort()]).toEqual([[true], [false], [false, true]]);
    await dealer.ask(ruleRoutes.remove, { params: { rule_id } });
  });
});

describe('a heartbeat', () => {
  it('a heartbeat comes every 15 seconds to every listener', async () => {
    const streams = [await listen(dealer), await listen(anna)];
    for (let beat = 1; beat <= 3; beat += 1) {
      clock.advance(15_000);
      for (const stream of streams) {
        const { data } = await stream.next('heartbeat');
        expect(data.server_time).toBe(new Date(clock.now()).toISOString());
      }
    }
  });
});
