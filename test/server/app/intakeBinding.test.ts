import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ListenerName } from '../../../server/contract/intake.ts';
import { intakeRoutes } from '../../../server/contract/intake.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { connectFakeJt808 } from '../../support/fakeJt808.ts';
import { connectFakeTeltonika } from '../../support/fakeTeltonika.ts';
import { isPortOpen, occupy } from '../../support/portUse.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const here = '127.0.0.1';
/** The address where the test host opens its listeners to others: of this machine all the same. */
const there = '127.0.0.2';
const listenerNames: ListenerName[] = ['osmand', 'teltonika', 'wialon', 'jt808', 'jt1078'];

async function start(options: Parameters<typeof startTestHost>[0] = {}) {
  const host = await startTestHost(options);
  onTestFinished(() => host.close());
  return { host, dealer: await host.login() };
}

function setOpen(dealer: Caller, intake_open: boolean) {
  return dealer.ask(serviceRoutes.patchSettings, { body: { intake_open } });
}

/** The listeners that answer at this address. */
async function heardAt(host: TestHost, address: string): Promise<ListenerName[]> {
  const heard = await Promise.all(listenerNames.map((name) => isPortOpen(host.intake[name] ?? 0, address)));
  return listenerNames.filter((_, at) => heard[at]);
}

/** Says where a vehicle is, as a phone does; the status of the answer. */
async function emit(host: TestHost, address: string, timestamp: number): Promise<number> {
  const url = `http://${address}:${host.intake.osmand ?? 0}/?id=7001&lat=56.9&lon=24.1&timestamp=${timestamp}`;
  return (await fetch(url, { headers: { 'User-Agent': 'terminal' } })).status;
}

const addVehicle = (dealer: Caller, terminal_id: string) =>
  dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id } });

describe('the intake', () => {
  it('the intake is this machine’s alone until it is opened, and again after it was closed', async () => {
    const { host, dealer } = await start();
    expect(await heardAt(host, here)).toEqual(listenerNames);
    expect(await heardAt(host, there)).toEqual([]);
    expect(await dealer.ask(intakeRoutes.state)).toMatchObject({
      open: false,
      overridden: false,
      error: null,
      addresses: [here],
    });

    expect(await setOpen(dealer, true)).toMatchObject({ intake_open: true, version: 2 });
    expect(await heardAt(host, here)).toEqual([]);
    expect(await heardAt(host, there)).toEqual(listenerNames);
    const opened = await dealer.ask(intakeRoutes.state);
    expect(opened).toMatchObject({ open: true, error: null, addresses: [there] });
    expect(opened.listeners.map((it) => [it.name, it.port, it.host, it.open, it.error])).toEqual(
      expect.arrayContaining(listenerNames.map((name) => [name, host.intake[name], there, true, null])),
    );
    const { intake, addresses } = await dealer.ask(serviceRoutes.status);
    expect(intake.wialon).toMatchObject({ host: there, port: host.intake.wialon });
    expect(addresses).toEqual([there]);

    await setOpen(dealer, false);
    expect(await heardAt(host, here)).toEqual(listenerNames);
    expect(await heardAt(host, there)).toEqual([]);
  });

  it('the intake is open again after a restart', async () => {
    const { host, dealer } = await start();
    await setOpen(dealer, true);
    await host.stop();
    const again = await startTestHost({ data: host.data });
    onTestFinished(() => again.close());
    expect(await heardAt(again, there)).toEqual(listenerNames);
    expect(await heardAt(again, here)).toEqual([]);
  });

  it('the intake goes on counting, and ends connections so that terminals come again and lose nothing', async () => {
    const { host, dealer } = await start();
    await addVehicle(dealer, '7001');
    await addVehicle(dealer, '352093081234567');
    await addVehicle(dealer, '13912345678');
    const time_ms = Date.now() - 60_000;
    expect(await emit(host, here, time_ms)).toBe(200);
    const port = host.teltonikaPort;
    const terminal = await connectFakeTeltonika({ port, imei: '352093081234567' });
    await terminal.logIn();
    const recorder = await connectFakeJt808({ port: host.jt808Port, phone: '13912345678' });
    await recorder.logOn();
    const sending = terminal.send([{ time_ms, lat: 56.9, lon: 24.1 }]);
    await setOpen(dealer, true);
    // Its records are either acknowledged or sent again.
    const taken = await sending.catch(() => 0);
    await Promise.all([terminal.ended, recorder.ended]);

    const back = await connectFakeTeltonika({ port, host: there, imei: '352093081234567' });
    await back.logIn();
    expect(await back.send([{ time_ms, lat: 56.9, lon: 24.1 }])).toBe(1);
    back.abort();
    const again = await connectFakeJt808({ port: host.jt808Port, host: there, phone: '13912345678' });
    await again.logOn();
    expect(await again.heartbeat()).toBe(0);
    await again.close();
    expect(await emit(host, there, time_ms + 1_000)).toBe(200);

    const { listeners } = await dealer.ask(intakeRoutes.state);
    const listener = (name: ListenerName) => listeners.find((it) => it.name === name);
    expect(listener('osmand')).toMatchObject({ messages: 2, stored: 2 });
    expect(listener('teltonika')).toMatchObject({ stored: 1, duplicate: taken });
    const { messages } = await dealer.ask(intakeRoutes.messages, { query: { listener: 'osmand' } });
    expect(messages.map((it) => it.sequence)).toEqual([2, 1]);
  });

  it('the intake stays as it was, with the settings, when a port is taken, and says so', async () => {
    const { host, dealer } = await start();
    await addVehicle(dealer, '7001');
    const other = await occupy(host.intake.wialon ?? 0, there);
    const words = `The port ${there}:${host.intake.wialon ?? 0} is in use by another program.`;
    const body = { intake_open: true, depot_name: 'North' };
    const answer = await dealer.call('PATCH', '/api/v1/settings', body);
    expect([answer.status, answer.code]).toEqual([409, 'in_use']);
    expect(answer.text).toContain(words);

    expect(await dealer.ask(serviceRoutes.settings)).toMatchObject({
      intake_open: false,
      depot_name: 'Depot',
      version: 1,
    });
    expect(await heardAt(host, here)).toEqual(listenerNames);
    expect((await heardAt(host, there)).filter((name) => name !== 'wialon')).toEqual([]);
    expect(await emit(host, here, Date.now())).toBe(200);
    expect((await dealer.ask(serviceRoutes.status)).intake_error).toBe(words);
    const port = `${there}:${host.intake.wialon ?? 0}`;
    expect(await dealer.ask(intakeRoutes.state)).toMatchObject({
      ...{ open: false, error: words },
      error_causes: [{ code: 'listener.port_in_use', values: { port } }],
    });
    expect(host.logged).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'intake could not be rebound; keeping the previous address',
      }),
    );
    expect(await host.anybody.ask(healthRoutes.health)).toMatchObject({ status: 'ok' });

    other.close();
    await once(other, 'close');
    await setOpen(dealer, true);
    expect(await heardAt(host, there)).toEqual(listenerNames);
    expect((await dealer.ask(serviceRoutes.status)).intake_error).toBeNull();
  });

  it('the intake is not moved by a change that is refused', async () => {
    const { host, dealer } = await start();
    const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei: '352093081234567' });
    const refused = async (body: object, version: number) => {
      const headers = { 'If-Match': `"${version}"` };
      return (await dealer.call('PATCH', '/api/v1/settings', body, headers)).code;
    };
    expect(await refused({ intake_open: true }, 7)).toBe('version_conflict');
    expect(await refused({ intake_open: true, offline_s: 1 }, 1)).toBe('validation_failed');
    await dealer.ask(serviceRoutes.patchSettings, { body: { intake_open: null, depot_name: 'North' } });
    terminal.endSending();
    await terminal.ended;
    expect(host.logged.map((it) => it['msg'])).not.toContain('intake listens at another address');
  });

  it('the intake takes changes that come together one after the other', async () => {
    const { host, dealer } = await start();
    const wanted = [true, false, true, false, true];
    await Promise.all(wanted.map((isOpen) => setOpen(dealer, isOpen)));
    const { intake_open, version } = await dealer.ask(serviceRoutes.settings);
    expect(version).toBe(6);
    expect(await heardAt(host, intake_open ? there : here)).toEqual(listenerNames);
    expect(await heardAt(host, intake_open ? here : there)).toEqual([]);
  });

  it('the intake listens where a command-line option says, which is shown and holds against the setting', async () => {
    const first = await start();
    await setOpen(first.dealer, true);
    await first.host.stop();
    const { host, dealer } = await start({ data: first.host.data, settings: { intakeHost: here } });
    expect(await heardAt(host, here)).toEqual(listenerNames);
    expect(await dealer.ask(serviceRoutes.settings)).toMatchObject({
      intake_open: false,
      overridden: ['intake_open'],
    });
    expect(await dealer.ask(intakeRoutes.state)).toMatchObject({ open: false, overridden: true });
    const body = { intake_open: true };
    expect(await dealer.outcome(serviceRoutes.patchSettings, { body })).toBe('409 in_use');
    await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name: 'North' } });
    expect(await heardAt(host, here)).toEqual(listenerNames);
  });

  it('the intake is opened and closed by dealers alone', async () => {
    const { host } = await start({ users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
    const anna = await host.login('anna');
    const body = { intake_open: true };
    expect(await anna.outcome(serviceRoutes.patchSettings, { body })).toBe('403 forbidden');
    expect(await heardAt(host, there)).toEqual([]);
  });
});

describe('the settings of a terminal', () => {
  it('the settings of a terminal are given with the address from which a router forwards video', async () => {
    const mediaAddress = { host: '203.0.113.9', port: null };
    const { host, dealer } = await start({ settings: { mediaAddress } });
    expect((await dealer.ask(intakeRoutes.state)).media_address).toEqual({
      host: '203.0.113.9',
      port: host.intake.jt1078,
    });
  });

  it('the settings of a terminal name each listener with its protocols and the rejected connections', async () => {
    const { host, dealer } = await start();
    const stranger = connect(host.teltonikaPort, here);
    stranger.write('GET / HTTP/1.1\r\n\r\n');
    await once(stranger, 'close');
    const { listeners, media_address } = await dealer.ask(intakeRoutes.state);
    expect(media_address).toBeNull();
    expect(listeners.find((it) => it.name === 'teltonika')).toMatchObject({
      protocol: 'Teltonika Codec 8, 8 Extended and 16',
      transports: ['tcp', 'udp'],
      connections: 0,
      rejections: { protocol_mismatch: 1, limit: 0 },
    });
    expect(listeners.find((it) => it.name === 'jt1078')?.rejections).toBeNull();
    expect(listeners.find((it) => it.name === 'osmand')?.transports).toEqual(['http']);
  });
});
