import { describe, expect, test } from 'vitest';
import { historyRoutes, pastMoment, type TrackOrder } from '../../../server/contract/history.ts';
import { trackFlags, unpackTracks } from '../../../server/contract/packedTracks.ts';
import { addCircle, addVehicle, openDepot } from '../../journey/depot.ts';
import { pathOf } from '../../support/caller.ts';
import type { Caller, TestHost } from '../../support/testHost.ts';

const password = 'a user of the depot';
const hour = 3_600_000;
const minute = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Two vans of two groups; Ann sees the first one. Van 1 drives north for ten minutes from the first hour on, then stands. */
async function openPast() {
  const depot = await openDepot();
  const { dealer, clock, host } = depot;
  const north = (await dealer.post('/api/v1/groups', { name: 'North' })).body.group_id as string;
  const south = (await dealer.post('/api/v1/groups', { name: 'South' })).body.group_id as string;
  const one = await addVehicle(dealer, '1', { name: 'Van 1', group_ids: [north] });
  const two = await addVehicle(dealer, '2', { name: 'Van 2', group_ids: [south] });
  await dealer.post('/api/v1/users', { login: 'ann', password, group_ids: [north], rights: {} });
  /** JWTs of before have expired by then. */
  const later = async (ms: number) => {
    clock.advance(ms);
    return { dealer: await host.login(), ann: await host.login('ann', password) };
  };
  return { ...depot, later, north, one, two, start: clock.now() };
}

async function drive(dealer: Caller, terminal_id: string, start: number, more: object = {}) {
  const positions = Array.from({ length: 61 }, (_, at) => ({
    ...{ terminal_id, time: iso(start + at * 10_000), lat: 52 + at * 0.001, lon: 13 },
    ...{ speed_kmh: at === 60 ? 0 : 40, ignition: true, ...more },
  }));
  expect((await dealer.post('/api/v1/positions', { positions })).status).toBe(200);
}

async function tracksOf(host: TestHost, caller: Caller, body: Partial<TrackOrder>, headers: object = {}) {
  const response = await fetch(`${host.url}${historyRoutes.tracks.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `JWT ${caller.jwt}`, ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return unpackTracks(new Uint8Array(await response.arrayBuffer()));
}

describe('tracks as packed columns', () => {
  test('a call gets the fixes of its vehicles, each with the last one before the period, and those of others not', async () => {
    const { host, later, one, two, start } = await openPast();
    const { dealer, ann } = await later(3 * hour);
    await drive(dealer, '1', start + hour, { altitude_m: 120, attributes: { fuel: 41.5 } });
    await drive(dealer, '2', start + hour);
    const period = { from: iso(start + hour + 5_000), to: iso(start + hour + 35_000) };
    const order = { vehicle_ids: [one, two], ...period };
    const tracks = await tracksOf(host, dealer, { ...order, values: ['altitude_m', 'fuel', 'constructor'] });
    expect(tracks.map((it) => it.vehicle_id)).toEqual([one, two]);
    const [first] = tracks;
    expect([...(first?.time_ms ?? [])].map((it) => (it - start - hour) / 1_000)).toEqual([0, 10, 20, 30]);
    expect(first?.lat[3]).toBeCloseTo(52.003, 6);
    expect([...(first?.speed_kmh ?? [])]).toEqual([40, 40, 40, 40]);
    expect(first?.flags[0]).toBe(trackFlags.ignition_known | trackFlags.ignition_on);
    expect(first?.values['altitude_m']?.[0]).toBe(120);
    expect(first?.values['fuel']?.[2]).toBe(41.5);
    expect(first?.values['constructor']?.[0]).toBeNaN();
    expect((await tracksOf(host, ann, order)).map((it) => it.vehicle_id)).toEqual([one]);
    const plain = await tracksOf(host, dealer, order, { 'Accept-Encoding': 'identity' });
    expect(plain.map((it) => it.time_ms.length)).toEqual([4, 4]);
  });

  test('the numbers that a terminal sent come by name, with those of positions without a fix, for who sees the vehicle', async () => {
    const { host, later, one, two, start } = await openPast();
    const { dealer, ann } = await later(4 * hour);
    const at = (minutes: number, more: object) => ({
      ...{ terminal_id: '1', time: iso(start + hour + minutes * minute), lat: 52, lon: 13, ...more },
    });
    const positions = [
      at(0, { attributes: { fuel: 40, door: false, driver_name: 'Ann' }, battery_pct: 80 }),
      at(1, { valid: false, attributes: { fuel: 39.5 } }),
      at(120, { attributes: { fuel: 39, door: true } }),
    ];
    expect((await dealer.post('/api/v1/positions', { positions })).status).toBe(200);
    const period = { from: iso(start + hour), to: iso(start + 4 * hour) };
    const valuesOf = async (caller: Caller, vehicle: string) => {
      const path = pathOf(historyRoutes.values, { params: { vehicle }, query: period });
      const response = await fetch(`${host.url}${path}`, { headers: { Authorization: `JWT ${caller.jwt}` } });
      if (response.status !== 200) return response.status;
      return unpackTracks(new Uint8Array(await response.arrayBuffer()))[0];
    };
    const found = await valuesOf(ann, one);
    if (typeof found !== 'object') throw new Error(`the call was answered ${found}`);
    const values = Object.entries(found.values).map(([name, column]) => [name, ...column]);
    expect(values).toEqual([
      ['battery_pct', 80, Number.NaN, Number.NaN],
      ['door', 0, Number.NaN, 1],
      ['fuel', 40, 39.5, 39],
    ]);
    expect([...found.flags].map((it) => (it & trackFlags.gap_before) > 0)).toEqual([false, false, true]);
    expect(await valuesOf(dealer, '1')).toMatchObject({ vehicle_id: one });
    expect(await valuesOf(ann, two)).toBe(404);
    const tooLong = { params: { vehicle: one }, query: { from: iso(start), to: iso(start + 49 * hour) } };
    expect((await dealer.get(pathOf(historyRoutes.values, tooLong))).status).toBe(400);
  });

  test('with a tolerance a straight drive is its ends, and a silence is a gap', async () => {
    const { host, later, one, start } = await openPast();
    const { dealer } = await later(9 * hour);
    await drive(dealer, '1', start + hour);
    await drive(dealer, '1', start + 4 * hour);
    const [track] = await tracksOf(host, dealer, {
      ...{ vehicle_ids: [one], from: iso(start), to: iso(start + 8 * hour), tolerance_m: 10 },
    });
    // Each drive begins, ends its movement, and stands.
    expect([...(track?.time_ms ?? [])].map((it) => (it - start) / minute)).toEqual(
      [60, 60 + 590 / 60, 70, 240, 240 + 590 / 60, 250].map((it) => expect.closeTo(it, 6) as number),
    );
    expect([...(track?.flags ?? [])].map((it) => (it & trackFlags.gap_before) > 0)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  test('a call for more vehicle-days than 400, or a period that ends before it begins, is refused', async () => {
    const { dealer, one, start } = await openPast();
    const refusal = async (from_ms: number, to_ms: number) =>
      (
        await dealer.post(historyRoutes.tracks.path, {
          vehicle_ids: [one],
          from: iso(from_ms),
          to: iso(to_ms),
        })
      ).body as unknown;
    expect(await refusal(start, start + 401 * 24 * hour)).toMatchObject({ code: 'validation_failed' });
    expect(await refusal(start, start - 1)).toMatchObject({ code: 'validation_failed' });
  });
});

describe('the fleet at a past instant', () => {
  test('vehicles, geofences and open alarms are as they were, for those who may see them', async () => {
    const { later, one, north, start, ...depot } = await openPast();
    const circle = await addCircle(depot.dealer, { lat: 52, lon: 13 }, 500);
    const before = await later(2 * hour);
    await drive(before.dealer, '1', start + hour);
    const sos = { terminal_id: '2', lat: 53, lon: 13, alarms: ['sos'] };
    await before.dealer.post('/api/v1/positions', { positions: [{ ...sos, time: iso(start + 2 * hour) }] });
    const after = await later(hour);
    const { items } = (await after.dealer.get('/api/v1/notifications')).body as {
      items: { notification_id: string; event_kind: string }[];
    };
    const raised = items.find((it) => it.event_kind === 'sos')?.notification_id ?? '';
    await after.dealer.post(`/api/v1/notifications/${raised}/ack`, {});
    await after.dealer.call('PATCH', `/api/v1/vehicles/${one}`, { name: 'Renamed' });
    await after.dealer.call('DELETE', `/api/v1/geozones/${circle}`);
    const { dealer, ann } = await later(hour);
    const momentOf = async (caller: Caller, at_ms: number, more: object = {}) => {
      const { status, body } = await caller.get(
        pathOf(historyRoutes.moment, { query: { at: iso(at_ms), ...more } }),
      );
      expect(status).toBe(200);
      return pastMoment.parse(body);
    };
    const driving = await momentOf(dealer, start + hour + 5 * minute + 4_000);
    expect(driving.vehicles.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'Van 1 moving',
      'Van 2 never',
    ]);
    expect(driving.vehicles[0]?.position).toMatchObject({ lat: 52.03, time: iso(start + hour + 5 * minute) });
    expect(driving.geofences.map((it) => it.geozone_id)).toEqual([circle]);
    const idle = await momentOf(dealer, start + hour + 10 * minute);
    expect(idle.vehicles[0]?.status).toBe('stopped');
    const past = await momentOf(dealer, start + 4 * hour);
    expect(past.vehicles.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'Renamed offline',
      'Van 2 offline',
    ]);
    expect(past.geofences).toEqual([]);
    const open = async (caller: Caller, at_ms: number) =>
      (await momentOf(caller, at_ms)).notifications.flatMap(({ event_kind }) =>
        event_kind === 'sos' ? event_kind : [],
      );
    expect(await open(dealer, start + 2 * hour - 1)).toEqual([]);
    expect(await open(dealer, start + 2 * hour + minute)).toEqual(['sos']);
    expect(await open(ann, start + 2 * hour + minute)).toEqual([]);
    expect(await open(dealer, start + 3 * hour + minute)).toEqual([]);
    expect((await momentOf(ann, start + 4 * hour)).vehicles.map((it) => it.vehicle_id)).toEqual([one]);
    expect(
      (await momentOf(dealer, start + 4 * hour, { group_id: north })).vehicles.map((it) => it.vehicle_id),
    ).toEqual([one]);
    expect((await momentOf(dealer, start - hour)).vehicles).toEqual([]);
  });
});
