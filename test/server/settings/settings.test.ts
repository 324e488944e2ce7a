import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setupStateRoute } from '../../../server/contract/auth.ts';
import { serviceRoutes, settingsFields } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { fakeMachine } from '../../support/fakeMachine.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { openStream } from '../../support/streamReader.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let anna: Caller;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
});
afterAll(() => host.close());

const read = (caller = dealer) => caller.ask(serviceRoutes.settings);
const patch = (body: object, headers: Record<string, string> = {}) =>
  dealer.outcome(serviceRoutes.patchSettings, { body, headers });

describe('the settings', () => {
  it('the settings begin with our numbers, and every user may read them', async () => {
    const settings = await read(anna);
    const { backup_folder, ...shown } = settingsFields.parse({});
    expect(settings).toMatchObject({ ...shown, version: 1, maps_version: 1, overridden: [] });
    // A path of the host's machine is for dealers.
    expect(settings).not.toHaveProperty('backup_folder', backup_folder);
    expect(settings).toMatchObject({
      offline_s: 600,
      moving_speed_kmh: 5,
      idle_speed_kmh: 3,
      idle_s: 300,
      late_after_s: 900,
      max_future_s: 600,
      overspeed_tolerance_kmh: 3,
      overspeed_min_duration_s: 10,
      positions_retention_days: 365,
      events_retention_days: 730,
      video_retention_days: 30,
      session_days: 30,
      jwt_ttl_s: 1_800,
    });
  });

  it('the settings are changed by dealers, one by one, with their version, and put back by null', async () => {
    expect(await anna.outcome(serviceRoutes.patchSettings, { body: { offline_s: 60 } })).toBe(
      '403 forbidden',
    );
    const before = await read();
    clock.advance(1_000);
    const changed = await dealer.ask(serviceRoutes.patchSettings, {
      body: { depot_name: 'North', offline_s: 60 },
    });
    expect(changed).toEqual({
      ...before,
      depot_name: 'North',
      offline_s: 60,
      version: 2,
      updated_at: new Date(clock.now()).toISOString(),
    });
    expect(await patch({ offline_s: 120 }, { 'If-Match': '"1"' })).toBe('412 version_conflict');
    expect(await patch({ offline_s: null }, { 'If-Match': '"2"' })).toBe(200);
    expect(await read()).toMatchObject({ depot_name: 'North', offline_s: 600, version: 3 });
    expect((await host.anybody.ask(setupStateRoute)).depot_name).toBe('North');
  });

  it.each([
    { timezone: 'Mars/Olympus' },
    { offline_s: 9 },
    { positions_retention_days: 0 },
    { positions_retention_days: 1.5 },
    { session_days: 366 },
    { jwt_ttl_s: 0 },
    { camera_max_bytes: 999_999 },
    { camera_max_bytes: 1e12 + 1 },
    { camera_timeout_s: 9 },
    { camera_timeout_s: 86_401 },
    { intake_connections: 9 },
    { intake_connections: 100_001 },
    { intake_connections_per_address: 0 },
    { intake_connections_per_address: 1.5 },
    { intake_idle_s: 59 },
    { intake_idle_s: 86_401 },
    { osmand_speed_unit: 'mph' },
    { depot_name: '' },
    { instance_id: 'x' },
    { version: 9 },
    { nonsense: 1 },
  ])('the settings refuse %j', async (body) => {
    expect(await patch(body)).toBe('400 validation_failed');
  });

  it('the settings hold from the next call on', async () => {
    await patch({ jwt_ttl_s: 60 });
    const { jwt } = await host.login('anna');
    clock.advance(60_000);
    expect(await host.anybody.get('/api/v1/me', { Authorization: `JWT ${jwt}` })).toMatchObject({
      code: 'jwt_expired',
    });
    await patch({ jwt_ttl_s: null });
  });

  it('the settings of the command line rule over the stored ones, say so, and cannot be changed meanwhile', async () => {
    await host.stop();
    host = await startTestHost({
      clock,
      data: host.data,
      settings: { jwtTtlS: 900, timezone: 'Asia/Almaty' },
    });
    dealer = await host.login();
    const settings = await read();
    expect(settings).toMatchObject({ depot_name: 'North', jwt_ttl_s: 900, timezone: 'Asia/Almaty' });
    expect([...settings.overridden].sort()).toEqual(['jwt_ttl_s', 'timezone']);
    expect(await patch({ timezone: 'UTC' })).toBe('409 in_use');
    expect(await patch({ depot_name: 'South' })).toBe(200);
    await host.stop();
    host = await startTestHost({ clock, data: host.data });
    dealer = await host.login();
    expect(await read()).toMatchObject({
      depot_name: 'South',
      jwt_ttl_s: 1_800,
      timezone: 'UTC',
      maps_version: 1,
      overridden: [],
    });
  });
});

describe('GET /status', () => {
  it('GET /status gives dealers the intake, the stored rows, the free space and the listeners', async () => {
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id: 'S1', name: 'van' } });
    const stream = await openStream(host.url, dealer);
    for (const query of ['id=S1&lat=1&lon=1', 'id=S1&lat=1&lon=1', 'id=nobody&lat=1&lon=1']) {
      await fetch(`${host.intakeUrl}/?${query}&timestamp=${clock.now()}`, {
        headers: { 'User-Agent': 'terminal' },
      });
    }
    const status = await dealer.ask(serviceRoutes.status);
    expect(status).toMatchObject({
      started_at: new Date(clock.now()).toISOString(),
      intake: { osmand: { messages: 3, stored: 1, duplicate: 1, unknown: 1, rejected: 0 } },
      intake_error: null,
      addresses: ['127.0.0.1'],
      insecure_lan: false,
      store: { recoveries: [], positions_stored: 1 },
      streams: 1,
      geofences_not_monitored: [],
      users_blocked_until_confirmed: false,
    });
    expect(status.intake.osmand?.last_message_at).toBe(new Date(clock.now()).toISOString());
    expect(status.disk.free_bytes).toBeGreaterThan(0);
    stream.close();
  });

  it('GET /status says what to enter in terminals: the addresses of the network, also while the intake is closed', async () => {
    const other = await startTestHost({
      clock,
      openIntakeHost: '0.0.0.0',
      machine: fakeMachine({ addresses: ['192.168.1.5', '10.8.0.2'] }),
    });
    const ask = async () => (await other.login()).ask(serviceRoutes.status);
    expect(await ask()).toMatchObject({
      intake_open: false,
      addresses: ['127.0.0.1'],
      terminal_addresses: ['192.168.1.5', '10.8.0.2'],
    });
    await other.close();
    const bound = await startTestHost({
      clock,
      settings: { intakeHost: '127.0.0.1' },
      machine: fakeMachine(),
    });
    const status = await (await bound.login()).ask(serviceRoutes.status);
    expect(status).toMatchObject({ intake_open: false, terminal_addresses: ['127.0.0.1'] });
    await bound.close();
  });

  it('GET /status is for dealers', async () => {
    expect(await (await host.login('anna')).outcome(serviceRoutes.status)).toBe('403 forbidden');
  });
});
