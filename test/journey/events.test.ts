import { expect, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { notification } from '../../server/contract/notifications.ts';
import {
  addCircle,
  addVehicle,
  metresOfDegree,
  openDepot,
  reopenDepot,
  wholeList,
  type Depot,
} from './depot.ts';

const second = 1_000;
const minute = 60 * second;
const iso = (ms: number) => new Date(ms).toISOString();
const yard = { lat: 10, lon: 20 };

/** Sends one live fix, so many metres north of the yard's middle. */
async function drive({ clock, terminal }: Depot, northM: number, more: Record<string, string | number> = {}) {
  const place = { lat: yard.lat + northM / metresOfDegree, lon: yard.lon };
  const status = await terminal.send({ id: '7', ...place, timestamp: clock.now() / second, ...more });
  expect(status).toBe(200);
  return iso(clock.now());
}

/** Without those of trips, which most of these drives are as well. */
const events = ({ dealer }: Depot) =>
  wholeList(dealer, '/api/v1/events?kind=geofence_enter,geofence_exit,overspeed,sos', event).then((list) =>
    list.reverse(),
  );
const notifications = ({ dealer }: Depot) => wholeList(dealer, '/api/v1/notifications', notification);
/** km/h in the protocol's knots. */
const knots = (kmh: number) => kmh / 1.852;

test('an unknown terminal gets its vehicle and drives into a geofence: the event, the notification, then all listeners', async () => {
  const depot = await openDepot();
  const { dealer, clock, terminal, listen } = depot;
  expect(await terminal.send({ id: '7', lat: 10, lon: 20 })).toBe(404);
  const vehicle_id = await addVehicle(dealer, '7');
  const geozone_id = await addCircle(dealer, yard, 200);
  const stream = await listen();

  clock.advance(minute);
  // Too near to be a trip, which would be reported as well.
  await drive(depot, 240);
  clock.advance(minute);
  const time = await drive(depot, 50);
  await stream.until((heard) => heard.some((it) => it.topic === 'notification'));

  const [entered] = await events(depot);
  expect(await events(depot)).toHaveLength(1);
  expect(entered).toMatchObject({ kind: 'geofence_enter', vehicle_id, geozone_id, time, late: false });
  expect(entered?.details.fixes).toHaveLength(1);
  const [published] = await notifications(depot);
  expect(published).toMatchObject({
    event_kind: 'geofence_enter',
    vehicle_id,
    geozone_id,
    state: 'open',
    severity: 'warning',
    count: 1,
    event_ids: [entered?.event_id],
    first_time: time,
    ongoing_until: time,
  });
  // The set-up's own changes are published when they are stored, which may be after the stream began.
  const setUp = ['heartbeat', 'vehicle', 'geofence'];
  expect(stream.heard.map((it) => it.topic).filter((topic) => !setUp.includes(topic))).toEqual([
    ...['snapshot', 'position', 'position'],
    ...['event', 'notification'],
  ]);
  expect(stream.of('event')).toEqual([entered]);
  expect(stream.of('notification')).toEqual([published]);

  // A client that resumes from before the entry receives what it missed, and no more.
  const late = await listen({ lastId: stream.heard[0]?.id ?? '' });
  await late.until((heard) => heard.some((it) => it.topic === 'notification'));
  expect(late.of('event')).toEqual([entered]);
  expect(late.of('notification')).toEqual([published]);
  expect(late.lastId()).toBe(stream.lastId());
});

test('a vehicle that is first seen inside a geofence raises nothing; leaving it does', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '7');
  await addCircle(depot.dealer, yard, 200);
  depot.clock.advance(minute);
  await drive(depot, 0);
  expect(await events(depot)).toEqual([]);
  depot.clock.advance(minute);
  await drive(depot, 500);
  expect(await events(depot)).toMatchObject([{ kind: 'geofence_exit', details: { duration_s: 60 } }]);
});

test('a vehicle that jitters on the border has left only beyond the hysteresis', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '7');
  await addCircle(depot.dealer, yard, 200, { hysteresis_m: 20 });
  for (const northM of [300, 190, 210, 195, 219, 190, 221, 205, 199]) {
    depot.clock.advance(10 * second);
    await drive(depot, northM);
  }
  expect((await events(depot)).map((it) => it.kind)).toEqual([
    ...['geofence_enter', 'geofence_exit'],
    'geofence_enter',
  ]);
});

test('a fence that is passed between two fixes is entered and left in between', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '7');
  await addCircle(depot.dealer, yard, 100);
  await drive(depot, -1_000);
  const start = depot.clock.now();
  depot.clock.advance(200 * second);
  await drive(depot, 1_000);
  const [entered, left] = await events(depot);
  expect([entered?.kind, left?.kind]).toEqual(['geofence_enter', 'geofence_exit']);
  const at = (one: typeof entered) => Math.round((Date.parse(one?.time ?? '') - start) / second);
  expect([at(entered), at(left)]).toEqual([90, 110]);
  // Longer ago than five minutes says nothing of the way.
  depot.clock.advance(301 * second);
  await drive(depot, -1_000);
  expect(await events(depot)).toHaveLength(2);
});

test('an overspeed episode is reported while it goes on and again when it is over, on one row', async () => {
  const depot = await openDepot();
  const { clock, listen } = depot;
  await addVehicle(depot.dealer, '7', { speed_limit_kmh: 80 });
  const stream = await listen({ topics: 'event,notification' });
  const speeds = [70, 82, 90, 95, 100, 96, 82, 70, 60, 60];
  for (const [at, kmh] of speeds.entries()) {
    clock.advance(5 * second);
    await drive(depot, at * 100, { speed: knots(kmh) });
    const { length } = await events(depot);
    // Above 83 from the third fix on, for 10 s at the fifth.
    expect(length).toBe(at < 4 ? 0 : 1);
    if (at === 6) expect(await notifications(depot)).toMatchObject([{ ongoing_until: null, count: 1 }]);
  }
  const [episode] = await events(depot);
  expect(episode).toMatchObject({
    kind: 'overspeed',
    details: {
      measured: expect.closeTo(100, 6),
      threshold: 80,
      unit: 'km/h',
      limit_source: 'vehicle',
      duration_s: 25,
      ended_at: iso(clock.now() - 10 * second),
    },
  });
  const [row] = await notifications(depot);
  expect(row).toMatchObject({
    count: 1,
    ongoing_until: episode?.details.ended_at,
    event_ids: [episode?.event_id],
  });
  await stream.until(() => stream.of('notification').at(-1)?.ongoing_until !== null);
  expect(new Set(stream.of('event').map((it) => it.event_id)).size).toBe(1);
  expect(stream.of('event').at(-1)).toEqual(episode);
  expect(stream.of('notification')[0]).toMatchObject({ ongoing_until: null, state: 'open' });
  expect(stream.of('notification').at(-1)).toEqual(row);
});

test('repeats within the cool-down are counted on the open row; after an acknowledgement a new one opens', async () => {
  const depot = await openDepot();
  const { dealer, clock, listen } = depot;
  await addVehicle(dealer, '7');
  await addCircle(dealer, yard, 200);
  await drive(depot, 1_000);
  const stream = await listen({ topics: 'notification' });
  const enterAgain = async () => {
    clock.advance(minute);
    await drive(depot, 0);
    clock.advance(minute);
    await drive(depot, 1_000);
  };
  for (let time = 0; time < 3; time++) await enterAgain();
  const [row] = await notifications(depot);
  expect(row).toMatchObject({ count: 3, state: 'open' });
  expect(row?.event_ids).toHaveLength(3);

  const answer = await dealer.post(`/api/v1/notifications/${row?.notification_id ?? ''}/ack`, {
    note: 'seen',
  });
  expect(answer.status).toBe(200);
  await stream.until(() => stream.of('notification').at(-1)?.state === 'acknowledged');
  expect(stream.of('notification').at(-1)).toEqual(answer.body);
  expect(answer.body).toMatchObject({ ack: { note: 'seen', at: iso(clock.now()) }, count: 3 });

  await enterAgain();
  clock.advance(10 * minute);
  await enterAgain();
  const rows = (await notifications(depot)).filter((it) => it.event_kind === 'geofence_enter');
  expect(rows.map(({ state, count }) => `${state} ${count}`)).toEqual(['open 1', 'open 1', 'acknowledged 3']);
});

test('late data is history: it is in the track, and moves nothing but the emergency alarm', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  await addVehicle(dealer, '7', { speed_limit_kmh: 50 });
  await addCircle(dealer, yard, 200);
  await drive(depot, 1_000);
  const old_s = clock.now() / second - 3_600;
  for (let at = 0; at < 30; at++) {
    await drive(depot, at === 15 ? 0 : 1_000, { timestamp: old_s + at, speed: knots(120) });
  }
  expect(await events(depot)).toEqual([]);
  await drive(depot, 900, { timestamp: old_s + 60, alarm: 'sos' });
  expect(await events(depot)).toMatchObject([{ kind: 'sos', late: true, time: iso((old_s + 60) * second) }]);
  expect(await notifications(depot)).toMatchObject([{ event_kind: 'sos', late: true }]);
  const track = await dealer.get(
    `/api/v1/vehicles/7/track?from=${iso(old_s * second)}&to=${iso(clock.now())}`,
  );
  expect(track.body.positions).toHaveLength(32);
  // Out of order, though not late: the newest evaluated fix is newer.
  clock.advance(minute);
  await drive(depot, 0, { timestamp: clock.now() / second - 61 });
  expect(await events(depot)).toHaveLength(1);
  clock.advance(second);
  await drive(depot, 0);
  expect((await events(depot)).map((it) => it.kind)).toContain('geofence_enter');
});

test('a restart changes nothing: no second entry, the episode ends, the cool-down goes on', async () => {
  const before = await openDepot();
  const { clock } = before;
  await addVehicle(before.dealer, '7', { speed_limit_kmh: 80 });
  await addCircle(before.dealer, yard, 5_000);
  await drive(before, 6_000);
  for (const kmh of [50, 100, 100, 100]) {
    clock.advance(10 * second);
    await drive(before, 1_000, { speed: knots(kmh) });
  }
  const published = await notifications(before);
  expect(published.map((it) => it.event_kind).sort()).toEqual(['geofence_enter', 'overspeed']);
  const listener = await before.listen();
  const lastId = listener.lastId() ?? '';
  await before.host.stop();

  clock.advance(10 * second);
  const after = await reopenDepot(before);
  await drive(after, 500, { speed: knots(101) });
  expect(await events(after)).toHaveLength(2);
  for (let at = 0; at < 3; at++) {
    clock.advance(10 * second);
    await drive(after, 0, { speed: knots(40) });
  }
  const [, episode] = await events(after);
  expect(await events(after)).toHaveLength(2);
  expect(episode).toMatchObject({
    kind: 'overspeed',
    details: { measured: expect.closeTo(101, 6), ended_at: iso(clock.now() - 20 * second) },
  });
  // Out and in again, within five minutes of the entry that another process reported.
  clock.advance(10 * second);
  await drive(after, 6_000);
  clock.advance(10 * second);
  await drive(after, 0);
  const rows = await notifications(after);
  expect(rows).toHaveLength(2);
  expect(rows.find((it) => it.event_kind === 'geofence_enter')).toMatchObject({ count: 2, state: 'open' });
  expect(rows.find((it) => it.event_kind === 'overspeed')).toMatchObject({
    count: 1,
    ongoing_until: episode?.details.ended_at,
  });

  const missed = await after.listen({ lastId, topics: 'event,notification' });
  await missed.until(() => missed.of('notification').length === 2 && missed.of('event').length === 3);
  expect(missed.heard.map((it) => it.topic)).not.toContain('reset');
});
