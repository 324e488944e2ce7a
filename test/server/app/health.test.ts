import { afterEach, beforeEach, expect, it } from 'vitest';
import { authRoutes } from '../../../server/contract/auth.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { DiskFull, StoreFailed } from '../../../server/store/storeErrors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { callerFor, startTestHost, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
/** The host looks at itself every 5 s. */
const lookMs = 5_000;
const plenty = { free: 500e9, total: 1_000e9 };

let host: TestHost;
let dealer: Awaited<ReturnType<TestHost['login']>>;
let fault: Error | null = null;
let space = plenty;

const options = {
  clock,
  writeFault: () => fault,
  readSpace: () => Promise.resolve(space),
  users: [{ login: 'reader' }],
};

beforeEach(async () => {
  [fault, space] = [null, plenty];
  host = await startTestHost(options);
  dealer = await host.login();
});
afterEach(() => host.close());

const anybody = () => host.anybody.get(healthRoutes.health.path);
const reasons = async (caller = dealer) =>
  (await caller.get(healthRoutes.health.path)).body.reasons as { code: string; detail: string | null }[];
const codes = async () => (await reasons()).map((it) => it.code);

async function fillDisk(): Promise<void> {
  fault = new DiskFull('The disk that holds the data folder is full.');
  const refused = await dealer.post(vehicleRoutes.create.path, { terminal_id: 'any', name: 'Any' });
  expect(refused).toMatchObject({ status: 507, code: 'disk_full' });
}

async function makeSpace(): Promise<void> {
  fault = null;
  await expect
    .poll(async () => {
      clock.advance(lookMs);
      return (await anybody()).status;
    })
    .toBe(200);
}

it('the health is ok while nothing troubles the host, and says no more without a JWT', async () => {
  expect(await anybody()).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(Object.keys((await anybody()).body as object)).toEqual(['status']);
  expect((await dealer.get(healthRoutes.health.path)).body).toEqual({
    status: 'ok',
    version: expect.any(String) as string,
    reasons: [],
  });
});

it('the health with a JWT that is not valid is refused', async () => {
  const refused = await host.anybody.get(healthRoutes.health.path, { Authorization: 'JWT none' });
  expect(refused).toMatchObject({ status: 401, code: 'jwt_invalid' });
});

it('a full disk is failing, with 503, for everybody; only dealers read what of this machine is full', async () => {
  await fillDisk();
  const answer = await anybody();
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ status: 'failing' });
  expect(await reasons()).toMatchObject([{ code: 'disk_full', detail: expect.any(String) as string }]);
  expect(await reasons(await host.login('reader'))).toMatchObject([{ code: 'disk_full', detail: null }]);
  await makeSpace();
  expect(await reasons()).toEqual([]);
});

it('on a full disk people log in and read, and their sessions are stored when there is space', async () => {
  await dealer.ask(vehicleRoutes.create, { body: { terminal_id: '7', name: 'Van 7' } });
  await fillDisk();
  const late = await host.login();
  expect((await late.ask(vehicleRoutes.list)).items).toMatchObject([{ name: 'Van 7' }]);
  expect(await late.outcome(authRoutes.refresh, { headers: { 'Authorization-Refresh': late.jwt } })).toBe(
    200,
  );
  await makeSpace();
  // The sessions are tried again in their own time.
  clock.advance(lookMs);
  await host.stop();
  host = await startTestHost({ ...options, data: host.data });
  expect(await callerFor(host.url, late.jwt).outcome(userRoutes.me)).toBe(200);
});

it('who logs out on a full disk stays logged out, also after a restart once there was space', async () => {
  const leaving = await host.login();
  await fillDisk();
  expect(await leaving.outcome(authRoutes.logout)).toBe(204);
  expect(await leaving.outcome(userRoutes.me)).toBe('401 session_revoked');
  await makeSpace();
  clock.advance(lookMs);
  await host.stop();
  host = await startTestHost({ ...options, data: host.data });
  expect(await callerFor(host.url, leaving.jwt).outcome(userRoutes.me)).toBe('401 session_revoked');
});

it('a store that fails is failing until a write succeeds again', async () => {
  fault = new StoreFailed('The writer of the telemetry store has died.');
  await dealer.post(vehicleRoutes.create.path, { terminal_id: 'any', name: 'Any' });
  expect(await codes()).toEqual(['store_failed']);
  await makeSpace();
  expect(await codes()).toEqual([]);
});

it('a disk with less than its reserve is degraded, and one with next to nothing is failing before a write fails', async () => {
  space = { ...plenty, free: 5e9 };
  await expect.poll(lookedAt).toEqual(['disk_low']);
  expect((await anybody()).status).toBe(200);
  expect((await reasons())[0]?.detail).toContain('5.0 GB are free');
  space = { ...plenty, free: 1_000_000 };
  await expect.poll(lookedAt).toEqual(['disk_full', 'disk_low']);
  expect((await anybody()).status).toBe(503);
  space = plenty;
  await expect.poll(lookedAt).toEqual([]);

  function lookedAt() {
    clock.advance(lookMs);
    return codes();
  }
});

it('a stream bears how the host does in its snapshot, and each change of it', async () => {
  const before = await openStream(host.url, dealer);
  expect(before.messages[0]).toMatchObject({ topic: 'snapshot', data: { health: { status: 'ok' } } });
  await fillDisk();
  const message = await before.next('health');
  expect(message.data).toMatchObject({ status: 'failing', reasons: [{ code: 'disk_full' }] });
  const later = await openStream(host.url, dealer);
  expect(later.messages[0]).toMatchObject({ data: { health: { status: 'failing' } } });
  await makeSpace();
  expect((await before.next('health', (it) => 'status' in it && it.status === 'ok')).id).toBeNull();
  before.close();
  later.close();
});

it('metrics are for dealers, and count what passes through the host', async () => {
  const path = healthRoutes.metrics.path;
  expect(await host.anybody.get(path)).toMatchObject({ status: 401, code: 'jwt_missing' });
  expect(await (await host.login('reader')).get(path)).toMatchObject({ status: 403, code: 'forbidden' });
  await dealer.ask(vehicleRoutes.create, { body: { terminal_id: '7', name: 'Van 7' } });
  await fetch(`${host.intakeUrl}/?id=7&lat=52.5&lon=13.4&timestamp=${clock.now() / 1_000}`);
  await fetch(`${host.intakeUrl}/?id=8&lat=52.5&lon=13.4&timestamp=${clock.now() / 1_000}`);
  space = { ...plenty, free: 5e9 };
  await expect
    .poll(() => {
      clock.advance(lookMs);
      return codes();
    })
    .toEqual(['disk_low']);
  const { text, headers } = await dealer.get(path);
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const numbers = new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([^#\s]\S*) (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)] as const];
    }),
  );
  expect(numbers.get('fleetdeck_positions_total{protocol="osmand",outcome="stored"}')).toBe(1);
  expect(numbers.get('fleetdeck_positions_total{protocol="osmand",outcome="unknown"}')).toBe(1);
  expect(numbers.get('fleetdeck_rejections_total{protocol="teltonika",reason="protocol_mismatch"}')).toBe(0);
  expect(numbers.get('fleetdeck_connections{protocol="wialon"}')).toBe(0);
  expect(numbers.get('fleetdeck_http_requests_total{status="403"}')).toBe(1);
  expect(numbers.get('fleetdeck_commit_seconds_count')).toBeGreaterThan(0);
  expect(numbers.get('fleetdeck_database_bytes')).toBeGreaterThan(0);
  expect(numbers.get('fleetdeck_disk_free_bytes')).toBe(5e9);
  expect(numbers.get('fleetdeck_trouble{code="disk_low"}')).toBe(1);
  expect(numbers.get('fleetdeck_trouble{code="disk_full"}')).toBe(0);
  expect(numbers.get('fleetdeck_queue_length{queue="passwords"}')).toBe(0);
  expect(numbers.has('fleetdeck_event_loop_delay_seconds{quantile="0.99"}')).toBe(true);
});

it('metrics that are asked for again at once are read once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => dealer.get(healthRoutes.metrics.path)));
  expect(new Set(answers.map((it) => it.text)).size).toBe(1);
});
