import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { makeDealer } from '../../server/app.ts';
import type { PipelineDeps } from '../../server/pipeline.ts';
import { DiskFull, StoreFailed } from '../../server/store/storeErrors.ts';
import type { Store } from '../../server/store/operations.ts';
import { listenOsmand } from '../../server/telemetry/intake/osmandListener.ts';
import { circle } from '../server/geofences/geofences.ts';
import { keepAll, openSampleStore, wholeTrack } from '../server/store/telemetry/sampleStore.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { dealerLogin, dealerPassword } from '../support/testHost.ts';
import { addVehicle, metresOfDegree, openDepot } from './depot.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from './pipelineFixture.ts';
import { createTerminal } from './terminal.ts';

const yard = { lat: 52.5, lon: 13.4 };

/** A terminal's way to the store and back, over a real socket. */
async function openIntake(store: Store, commit: PipelineDeps['store']['commit'] = (it) => store.commit(it)) {
  const clock = createFakeClock();
  const vehicle = vehicleNamed('7');
  const road = createPipelineFixture({
    store: { ...store, commit },
    vehicles: [vehicle],
    geofences: [circle(yard, 200)],
    rules: [ruleFor('geofence_enter')],
    clock,
  });
  const listener = await listenOsmand(0, '127.0.0.1', {
    accept: road.accept,
    speedUnit: () => 'kn',
    clock,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => listener.close());
  const terminal = createTerminal(`http://127.0.0.1:${listener.port}`, 2);
  onTestFinished(() => terminal.close());
  return {
    road,
    clock,
    vehicle,
    /** Sends a fix of this moment, so many metres north of the yard; `more` may make it larger. */
    send: (northM: number, more: Record<string, string | number> = {}) =>
      terminal.send({
        id: '7',
        lat: yard.lat + northM / metresOfDegree,
        lon: yard.lon,
        timestamp: clock.now(),
        ...more,
      }),
  };
}

test.each([new StoreFailed('broken'), new DiskFull('full'), new Error('anything')])(
  'a position that a store failing with %s did not take is not acknowledged, and leaves no trace in the engines',
  async (fault) => {
    const store = await openSampleStore();
    let fails = false;
    const { clock, vehicle, send } = await openIntake(store, (batch) =>
      fails ? Promise.reject(fault) : store.commit(batch),
    );
    expect(await send(1_000)).toBe(200);
    fails = true;
    clock.advance(10_000);
    expect(await send(0)).toBe(503);
    expect(await send(0)).toBe(503);
    expect(await wholeTrack(store, vehicle.vehicle_id)).toHaveLength(1);
    expect(await store.events({ limit: 10 })).toEqual([]);

    fails = false;
    expect(await send(0)).toBe(200);
    expect(await send(0)).toBe(200);
    expect(await wholeTrack(store, vehicle.vehicle_id)).toHaveLength(2);
    expect(await store.events({ limit: 10, kinds: ['geofence_enter'] })).toMatchObject([
      { kind: 'geofence_enter', time_ms: clock.now() },
    ]);
    expect(await store.recentNotifications(0)).toMatchObject([{ count: 1 }]);
  },
);

test('a store that dies after its commit, before it could say so, has its entry once', async () => {
  const store = await openSampleStore();
  let dies = false;
  const { clock, vehicle, send } = await openIntake(store, async (batch) => {
    const written = await store.commit(batch);
    if (dies) throw new StoreFailed('died');
    return written;
  });
  expect(await send(1_000)).toBe(200);
  clock.advance(10_000);
  dies = true;
  expect(await send(0)).toBe(503);
  dies = false;
  expect(await send(0)).toBe(200);
  clock.advance(10_000);
  expect(await send(10)).toBe(200);
  expect(await wholeTrack(store, vehicle.vehicle_id)).toHaveLength(3);
  expect(await store.events({ limit: 10, kinds: ['geofence_enter'] })).toHaveLength(1);
  expect(await store.recentNotifications(0)).toMatchObject([{ count: 1 }]);
});

test('a store that answers no question fails what it is asked for, and nothing later', async () => {
  const store = await openSampleStore();
  let fails = true;
  const { clock, vehicle, road } = await openIntake({
    ...store,
    positionsAt: (keys) => (fails ? Promise.reject(new StoreFailed('broken')) : store.positionsAt(keys)),
  });
  const origin = { protocol: 'test', address: null };
  const fix = (time_ms: number) => ({
    ...{ terminal_id: '7', time_ms, place: yard, altitude_m: null, speed_kmh: null, course_deg: null },
    ...{ accuracy_m: null, satellites: null, hdop: null, valid: true, ignition: null, odometer_m: null },
    ...{ battery_pct: null, alarms: [], attributes: {} },
  });
  expect(await road.accept([fix(clock.now())], origin)).toMatchObject([{ status: 'stored' }]);
  // An older one could be a repeat: that is asked of the store.
  expect(await road.accept([fix(clock.now() - 1)], origin)).toMatchObject([
    { status: 'failed', code: 'unavailable' },
  ]);
  fails = false;
  expect(await road.accept([fix(clock.now() - 1)], origin)).toMatchObject([{ status: 'stored' }]);
  expect(await wholeTrack(store, vehicle.vehicle_id)).toHaveLength(2);
});

test('a host that is closing takes no more, and finishes what it took', async () => {
  const store = await openSampleStore();
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let isBegun = false;
  const { road, vehicle, send } = await openIntake(store, async (batch) => {
    isBegun = true;
    await held;
    return store.commit(batch);
  });
  const taken = send(0);
  await expect.poll(() => isBegun).toBe(true);
  const closed = road.close();
  expect(await send(100, { alarm: 'sos' })).toBe(503);
  goOn();
  await closed;
  expect(await taken).toBe(200);
  expect(await wholeTrack(store, vehicle.vehicle_id)).toHaveLength(1);
});

test('a full disk is reported, loses nothing that was acknowledged, and freed space is used', async () => {
  const store = await openSampleStore({ maxPages: 150 });
  const { clock, vehicle, send } = await openIntake(store);
  const note = 'x'.repeat(1_900);
  const stored: number[] = [];
  let status = 200;
  for (let at = 0; status === 200 && at < 1_000; at++) {
    clock.advance(1_000);
    status = await send(1_000, { note, other: note });
    if (status === 200) stored.push(clock.now());
  }
  expect(status).toBe(503);
  expect(stored.length).toBeGreaterThan(10);
  expect((await wholeTrack(store, vehicle.vehicle_id)).map((row) => row.time_ms)).toEqual(stored);

  while ((await store.prune({ ...keepAll, positions_ms: Number.MAX_SAFE_INTEGER })).more);
  expect(await send(1_000, { note, other: note })).toBe(200);
  expect((await wholeTrack(store, vehicle.vehicle_id)).map((row) => row.time_ms)).toEqual([clock.now()]);
});

function succeeds(program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters).status === 0;
}

/** A disk of this many megabytes; null where this user may make none. */
async function smallDisk(megabytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-disk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (!succeeds('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) return null;
  onTestFinished(() => {
    succeeds('umount', '-l', folder);
  });
  return folder;
}

test('a host on a full disk answers 507 and 503, keeps its data, and continues when space is free', async ({
  skip,
}) => {
  const disk = await smallDisk(16);
  if (disk === null) {
    skip('this user may not mount a small disk');
    return;
  }
  const data = join(disk, 'data');
  await makeDealer(data, dealerLogin, dealerPassword);
  const { dealer, clock, terminal } = await openDepot({ data });
  await addVehicle(dealer, '7');
  const ballast = join(disk, 'ballast');
  /** Takes what is left, to the last page. */
  const fill = async () => {
    for (let size = 2 ** 22; size >= 1;) {
      try {
        await writeFile(ballast, Buffer.alloc(size), { flag: 'a' });
      } catch {
        size = Math.floor(size / 2);
      }
    }
  };

  const stored: number[] = [];
  const attributes = { note: 'x'.repeat(2_000) };
  const post = async (count: number) => {
    clock.advance(1_000);
    const times = Array.from({ length: count }, (_, at) => clock.now() - 900 + at);
    const positions = times.map((ms) => ({
      ...{ terminal_id: '7', time: new Date(ms).toISOString(), lat: 1, lon: 2, attributes },
    }));
    const answer = await dealer.post('/api/v1/positions', { positions });
    if (answer.status === 200) stored.push(...times);
    return answer;
  };
  expect((await post(100)).status).toBe(200);
  await fill();
  let answer = await post(500);
  for (let tries = 0; answer.status === 200 && tries < 20; tries++) answer = await post(500);
  expect(answer).toMatchObject({ status: 507, body: { code: 'disk_full' } });
  clock.advance(1_000);
  const big = 'x'.repeat(2_000);
  const fix = { id: '7', lat: 1, lon: 2, timestamp: clock.now(), a: big, b: big, c: big };
  let status = await terminal.send(fix);
  for (let tries = 0; status === 200 && tries < 200; tries++) {
    stored.push(fix.timestamp);
    fix.timestamp += 1;
    status = await terminal.send(fix);
  }
  expect(status).toBe(503);
  const times = async () => {
    const period = `from=${new Date(clock.now() - 3_600_000).toISOString()}&to=${new Date(clock.now() + 60_000).toISOString()}`;
    const { positions } = (await dealer.get(`/api/v1/vehicles/7/track?${period}`)).body;
    return (positions as { time: string }[]).map((it) => Date.parse(it.time));
  };
  expect(await times()).toEqual(stored);
  // What people set up is refused plainly as well.
  const vehicle = await dealer.post('/api/v1/vehicles', { terminal_id: '8', name: 'x'.repeat(100) });
  expect([201, 507]).toContain(vehicle.status);

  await rm(ballast);
  expect(await terminal.send(fix)).toBe(200);
  stored.push(fix.timestamp);
  expect((await post(10)).status).toBe(200);
  expect(await times()).toEqual(stored.toSorted((a, b) => a - b));
});
