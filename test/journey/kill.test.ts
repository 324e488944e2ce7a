import { expect, test } from 'vitest';
import { event, type Event } from '../../server/contract/events.ts';
import { notification } from '../../server/contract/notifications.ts';
import { track } from '../../server/contract/positions.ts';
import { addCircle, metresOfDegree, wholeList } from './depot.ts';
import { startKillableHost } from './killableHost.ts';
import { createRetryingFleet, type PlannedFix } from './retryingFleet.ts';

const kills = 20;
const vehicles = 20;
const yard = { lat: 52.5, lon: 13.4 };
const radiusM = 500;
/** Fixes lie so close that all of the test's fit between what is late and what is in the future. */
const stepMs = 100;

/** Some fixes outside, always to the north, some inside; each vehicle at its own pace. */
function planOf(vehicle: number, start_ms: number): (at: number) => PlannedFix {
  const lap = 5 + vehicle;
  return (at) => {
    const isInside = at % lap < lap / 3;
    const northM = isInside ? (at * 37) % 400 : 800 + ((at * 53) % 400);
    return {
      time_ms: start_ms + at * stepMs,
      lat: yard.lat + northM / metresOfDegree,
      lon: yard.lon,
      sos: at % 11 === vehicle % 11,
    };
  };
}

type Published = Pick<Event, 'kind' | 'time'>;

/** What a track must have raised: a look at each fix, and at the one before. */
function expectedEvents(fixes: readonly { time: string; lat: number; alarms: string[] }[]): Published[] {
  const isInside = (fix: { lat: number }) => Math.abs(fix.lat - yard.lat) * metresOfDegree < radiusM;
  return fixes.flatMap((fix, at): Published[] => {
    const before = fixes[at - 1];
    const crossed = before !== undefined && isInside(before) !== isInside(fix);
    return [
      ...(fix.alarms.includes('sos') ? [{ kind: 'sos', time: fix.time } as const] : []),
      ...(crossed
        ? [{ kind: isInside(fix) ? 'geofence_enter' : 'geofence_exit', time: fix.time } as const]
        : []),
    ];
  });
}

const inOrder = (list: readonly Published[]) =>
  list.map(({ kind, time }) => `${time} ${kind}`).sort((a, b) => (a < b ? -1 : 1));
const random = (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1));

test('twenty kills lose no acknowledged position and no entry that it caused, and double none', async () => {
  const terminals = Array.from({ length: vehicles }, (_, at) => `kill-${at}`);
  const host = await startKillableHost(terminals);
  await addCircle(await host.dealer(), yard, radiusM);

  const start_ms = Date.now() - 60_000;
  const plans = new Map(terminals.map((id, at) => [id, planOf(at, start_ms)]));
  const fleet = createRetryingFleet(plans, () => Math.random() < 0.7);
  let { intakeUrl } = await host.ready();
  let killed = 0;
  const kill = async () => {
    await host.kill();
    killed += 1;
    host.restart();
  };
  while (killed < kills) {
    await fleet.talkTo(intakeUrl, random(1, 500));
    await kill();
    await fleet.hush();
    if (killed % 5 === 0) {
      // Some die before they have taken up their work.
      await new Promise((resolve) => setTimeout(resolve, random(50, 500)));
      await kill();
    }
    ({ intakeUrl } = await host.ready());
  }
  await fleet.talkTo(intakeUrl, 100);
  await fleet.hush();

  const dealer = await host.dealer();
  expect((await dealer.get('/api/v1/status')).body.store.recoveries).toEqual([]);
  const end_ms = start_ms + 24 * 3_600_000;
  const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(end_ms).toISOString()}`;
  // Trips are reported as well, and not looked at here.
  const kinds = 'geofence_enter,geofence_exit,sos';
  const allEvents = await wholeList(dealer, `/api/v1/events?kind=${kinds}`, event);
  const allNotifications = await wholeList(dealer, '/api/v1/notifications', notification);
  let [acknowledged, crossings] = [0, 0];
  for (const [id, sent] of fleet.sent) {
    const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${id}/track?${period}`)).body);
    const stored = positions.map((it) => Date.parse(it.time));
    expect(stored).toEqual([...new Set(stored)].sort((a, b) => a - b));
    expect([...sent.acknowledged.keys()].filter((time_ms) => !stored.includes(time_ms))).toEqual([]);
    const strange = stored.filter(
      (time_ms) => !sent.acknowledged.has(time_ms) && !sent.unanswered.has(time_ms),
    );
    expect(strange).toEqual([]);
    const planned = stored.map((time_ms) => sent.acknowledged.get(time_ms) ?? sent.unanswered.get(time_ms));
    expect(positions.map(({ lat, lon }) => ({ lat, lon }))).toEqual(
      planned.map((it) => ({ lat: it?.lat, lon: it?.lon })),
    );

    const vehicleId = positions[0]?.vehicle_id;
    const published = allEvents.filter((it) => it.vehicle_id === vehicleId);
    const expected = expectedEvents(positions);
    expect(inOrder(published)).toEqual(inOrder(expected));
    // All within the cool-down: one row for the entries, one for the alarms, and each event counted on it once.
    for (const kind of ['geofence_enter', 'sos'] as const) {
      const counts = allNotifications.filter((it) => it.vehicle_id === vehicleId && it.event_kind === kind);
      expect(counts.map((it) => it.count)).toEqual([expected.filter((it) => it.kind === kind).length]);
    }
    acknowledged += sent.acknowledged.size;
    crossings += expected.length;
  }
  expect(acknowledged).toBeGreaterThan(kills * 20);
  expect(crossings).toBeGreaterThan(kills * 10);
  await host.end();
}, 240_000);
