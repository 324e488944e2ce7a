import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { eventRoutes } from '../../../server/contract/events.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

/**
 * A vehicle of two groups drives into a yard of the one. Boris sees both; Anna sees the vehicle, not the yard; Clara is
 * in the yard's group, but may read neither geofences nor video.
 */
let host: TestHost;
let dealer: Caller;
let boris: Caller;
let anna: Caller;
let clara: Caller;
let vehicle_id: string;
/** The yard, Boris's own rule, and the video task that an event names. */
let geozone_id: string;
let rule_id: string;
let task_id: string;
let streams: { name: string; caller: Caller; published: string; replayed: string }[];

const iso = (ms: number) => new Date(ms).toISOString();
const start_ms = Date.now() - 120_000;
const period = { from: iso(start_ms - 600_000), to: iso(start_ms + 3_600_000) };
const circle = (lat: number) => ({
  shape: 'circle' as const,
  geometry: { type: 'Point' as const, coordinates: [24.1, lat] as [number, number] },
  radius_m: 100,
});

beforeAll(async () => {
  const rights = { notifications: 'write', geofences: 'write', video: 'write' } as const;
  host = await startTestHost({
    users: [
      { login: 'boris', rights },
      { login: 'anna', rights },
      { login: 'clara', rights: { notifications: 'write', geofences: 'none' } },
    ],
  });
  dealer = await host.login();
  const [borisGroup, annaGroup] = [await groupOf('boris'), await groupOf('anna')];
  const { user_id } = await (await host.login('clara')).ask(userRoutes.me);
  await dealer.ask(userRoutes.patch, { params: { user_id }, body: { group_ids: [borisGroup] } });
  [boris, anna, clara] = [await host.login('boris'), await host.login('anna'), await host.login('clara')];

  ({ vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: { terminal_id: 'SHARED', name: 'shared', group_ids: [borisGroup, annaGroup] },
  }));
  ({ geozone_id } = await dealer.ask(geofenceRoutes.create, {
    body: { name: 'secret yard', ...circle(56.9), speed_limit_kmh: 20, group_ids: [borisGroup] },
  }));
  ({ rule_id } = await boris.ask(ruleRoutes.create, {
    body: {
      name: 'too fast',
      event_kind: 'overspeed',
      scope: { all: true },
      params: { limit_kmh: 30, tolerance_kmh: 0, min_duration_s: 0 },
      cooldown_s: 0,
    },
  }));
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });

  const open = await Promise.all(
    Object.entries({ dealer, boris, anna, clara }).map(async ([name, caller]) => ({
      name,
      caller,
      stream: await openStream(host.url, caller, { query: 'topics=event,notification,task' }),
    })),
  );
  const beginnings = open.map(({ stream }) => stream.lastId());
  for (const [at, lat] of [56.95, 56.9, 56.9, 56.95].entries()) {
    const fix = { vehicle_id, time: iso(start_ms + at * 10_000), lat, lon: 24.1, speed_kmh: 70 };
    await dealer.ask(positionRoutes.post, { body: { positions: [fix] } });
  }
  const order = { profile_id, channel: 1, from: iso(start_ms), to: iso(start_ms + 2_000) };
  ({ task_id } = await dealer.ask(videoRoutes.createTask, { body: order }));
  streams = [];
  for (const [at, { name, caller, stream }] of open.entries()) {
    await stream.next('event', (it) => it.kind === 'video_done');
    stream.close();
    const again = await openStream(host.url, caller, {
      query: 'topics=event,notification,task',
      lastId: beginnings[at],
    });
    await again.next('event', (it) => it.kind === 'video_done');
    again.close();
    const [published, replayed] = [JSON.stringify(stream.messages), JSON.stringify(again.messages)];
    streams.push({ name, caller, published, replayed });
  }
});
afterAll(() => host.close());

async function groupOf(login: string): Promise<string> {
  return (await (await host.login(login)).ask(userRoutes.me)).group_ids[0] ?? '';
}

/** All that a user reads of what happened, by what was asked. */
async function readAll(caller: Caller): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  const get = async (path: string) => {
    const { status, text } = await caller.get(path);
    if (status === 200) read[path] = text;
  };
  await get(eventRoutes.list.path);
  const { items: events } = await caller.ask(eventRoutes.list);
  for (const { event_id } of events) await get(`${eventRoutes.list.path}/${event_id}`);
  await get(notificationRoutes.list.path);
  const { items } = await caller.ask(notificationRoutes.list);
  for (const { notification_id } of items) {
    await get(pathOf(notificationRoutes.get, { params: { notification_id } }));
    await get(pathOf(notificationRoutes.why, { params: { notification_id } }));
  }
  const notification_ids = items.map((it) => it.notification_id);
  const acked = await caller.post(notificationRoutes.ackMany.path, { notification_ids });
  read['ack'] = acked.text;
  await get(ruleRoutes.list.path);
  for (const kind of ['trips', 'stops', 'geofence-visits']) {
    for (const format of ['json', 'csv'])
      await get(pathOf({ path: `/api/v1/reports/${kind}` }, { query: { ...period, format } }));
  }
  const { items: rules } = await caller.ask(ruleRoutes.list);
  for (const rule of rules) {
    const body = { ...period, rule_id: rule.rule_id };
    read[`preview of ${rule.name}`] = (await caller.post(ruleRoutes.preview.path, body)).text;
  }
  await get(videoRoutes.tasks.path);
  return read;
}

async function evidence(caller: Caller): Promise<string> {
  const response = await fetch(`${host.url}${pathOf(videoRoutes.evidence, { query: { tasks: task_id } })}`, {
    headers: { Authorization: `JWT ${caller.jwt}` },
  });
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()), { lazyEntries: true });
  let text = '';
  for await (const entry of zip.eachEntry()) {
    if (!/^events|summary/.test(entry.fileName)) continue;
    for await (const chunk of await zip.openReadStreamPromise(entry)) text += String(chunk);
  }
  return text;
}

const holding = (read: Record<string, string>, secret: string) =>
  Object.keys(read).filter((what) => read[what]?.includes(secret) === true);

describe('the id and the name of a geofence of another group', () => {
  it('the id and the name of a geofence of another group are in no answer to a user who sees the vehicle that entered it', async () => {
    const [dealers, annas] = [await readAll(dealer), await readAll(anna)];
    for (const what of [
      eventRoutes.list.path,
      notificationRoutes.list.path,
      'ack',
      'preview of Geofence entered',
    ])
      expect(dealers[what]).toContain(geozone_id);
    expect(holding(annas, geozone_id)).toEqual([]);
    expect(holding(annas, 'secret yard')).toEqual([]);
  });

  it('the id and the name of a geofence of another group are null in events and notifications that stay visible with all else', async () => {
    const kinds = async (caller: Caller) => (await caller.ask(eventRoutes.list)).items.map((it) => it.kind);
    expect(await kinds(anna)).toEqual(await kinds(dealer));
    const { items } = await anna.ask(eventRoutes.list, { query: { kind: 'geofence_enter' } });
    expect(items).toMatchObject([{ vehicle_id, geozone_id: null, lat: 56.9 }]);
    const { items: published } = await anna.ask(notificationRoutes.list);
    expect(published.find((it) => it.event_kind === 'geofence_enter')).toMatchObject({ geozone_id: null });
  });

  it('the id and the name of a geofence of another group are neither published nor replayed by the stream', () => {
    for (const { name, published, replayed } of streams) {
      const sees = name === 'dealer' || name === 'boris';
      expect([name, published.includes(geozone_id), replayed.includes(geozone_id)]).toEqual([
        name,
        sees,
        sees,
      ]);
    }
  });

  it('the id and the name of a geofence of another group are in no file of an evidence export', async () => {
    for (const [caller, sees] of [
      [boris, true],
      [anna, false],
    ] as const) {
      const text = await evidence(caller);
      expect(text).toContain('geofence_enter');
      expect([text.includes(geozone_id), text.includes('secret yard')]).toEqual([sees, sees]);
    }
  });

  it('the id and the name of a geofence of another group are not revealed to a user of its group who may not read geofences', async () => {
    const claras = await readAll(clara);
    expect(claras[eventRoutes.list.path]).toContain('geofence_enter');
    expect(holding(claras, geozone_id)).toEqual([]);
    expect(holding(claras, 'secret yard')).toEqual([]);
  });

  it('the id and the name of a geofence of another group are revealed to dealers alone once the geofence is deleted', async () => {
    const enter = { name: 'gone', ...circle(56.8) };
    const gone = await dealer.ask(geofenceRoutes.create, { body: enter });
    for (const [at, lat] of [56.85, 56.8].entries()) {
      const fix = { vehicle_id, time: iso(start_ms + 60_000 + at * 10_000), lat, lon: 24.1 };
      await dealer.ask(positionRoutes.post, { body: { positions: [fix] } });
    }
    const named = async (caller: Caller) =>
      (await caller.ask(eventRoutes.list)).items.some((it) => it.geozone_id === gone.geozone_id);
    expect([await named(dealer), await named(anna)]).toEqual([true, true]);
    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id: gone.geozone_id } });
    expect([await named(dealer), await named(anna)]).toEqual([true, false]);
  });
});

describe('the id of a rule of another user', () => {
  it('the id of a rule of another user is in no event and no notification that it made', async () => {
    expect(holding(await readAll(boris), rule_id)).toContain(eventRoutes.list.path);
    expect(holding(await readAll(anna), rule_id)).toEqual([]);
    const { items } = await anna.ask(notificationRoutes.list);
    expect(items.find((it) => it.rule_name === 'too fast')).toMatchObject({ rule_id: null });
    for (const { name, published, replayed } of streams) {
      const sees = name === 'dealer' || name === 'boris';
      expect([name, published.includes(rule_id), replayed.includes(rule_id)]).toEqual([name, sees, sees]);
    }
  });
});

describe('the id of a video task', () => {
  it('the id of a video task is in no event for a user who may not see video', async () => {
    expect(holding(await readAll(anna), task_id)).toContain(eventRoutes.list.path);
    const claras = await readAll(clara);
    expect(claras[eventRoutes.list.path]).toContain('video_done');
    expect(holding(claras, task_id)).toEqual([]);
    const { published = '', replayed = '' } = streams.find((it) => it.name === 'clara') ?? {};
    expect([published.includes(task_id), replayed.includes(task_id)]).toEqual([false, false]);
  });
});
