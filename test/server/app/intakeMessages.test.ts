import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { intakeRoutes } from '../../../server/contract/intake.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { askByDatagram } from '../../support/datagrams.ts';
import { connectFakeJt808 } from '../../support/fakeJt808.ts';
import { connectFakeTeltonika } from '../../support/fakeTeltonika.ts';
import { connectFakeWialon } from '../../support/fakeWialon.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let clock: FakeClock;
let host: TestHost;
let dealer: Caller;
beforeEach(async () => {
  clock = createFakeClock();
  host = await startTestHost({ clock, users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
  dealer = await host.login();
});
afterEach(() => host.close());

const addVehicle = (terminal_id: string, more: object = {}) =>
  dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, ...more } });
const messages = async (query: Record<string, string | number> = {}) =>
  (await dealer.ask(intakeRoutes.messages, { query })).messages;
const textOf = (hex = '') => Buffer.from(hex, 'hex').toString('latin1');

/** Says by the OsmAnd protocol where a terminal is. */
async function emit(terminalId: string, query = 'lat=56.9&lon=24.1'): Promise<void> {
  await fetch(`${host.intakeUrl}/?id=${terminalId}&${query}`, { headers: { 'User-Agent': 'terminal' } });
}

describe('the last messages of terminals', () => {
  it('the last messages of terminals show the bytes, the decoded form, the result and the answer', async () => {
    await addVehicle('352093081234567');
    const time_ms = clock.now() - 60_000;
    const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei: '352093081234567' });
    await terminal.logIn();
    await terminal.send([{ time_ms, lat: 56.9, lon: 24.1, speed_kmh: 42 }]);
    terminal.abort();
    const [packet, login] = await messages();
    expect(login).toMatchObject({
      listener: 'teltonika',
      sequence: 1,
      transport: 'tcp',
      address: '127.0.0.1',
      terminal_id: '352093081234567',
      hex: `000f${Buffer.from('352093081234567').toString('hex')}`,
      size_bytes: 17,
      masked: false,
      summary: 'IMEI 352093081234567',
      report_count: 0,
      response_hex: '01',
    });
    expect(packet).toMatchObject({
      sequence: 2,
      at: new Date(clock.now()).toISOString(),
      report_count: 1,
      outcomes: { stored: 1 },
      reports: [
        { time: new Date(time_ms).toISOString(), lat: 56.9, lon: 24.1, speed_kmh: 42, battery_pct: null },
      ],
      response_hex: '00000001',
    });
    expect(packet?.hex).toMatch(/^00000000/);
  });

  it('the last messages of terminals are listed newest first for all listeners, and for one listener or terminal on request', async () => {
    await addVehicle('7001');
    await emit('7001');
    clock.advance(1_000);
    const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei: '352093081234567' });
    await terminal.logIn();
    clock.advance(1_000);
    await emit('0X9');
    expect((await messages()).map((it) => [it.listener, it.transport, it.terminal_id])).toEqual([
      ['osmand', 'http', '0X9'],
      ['teltonika', 'tcp', '352093081234567'],
      ['osmand', 'http', '7001'],
    ]);
    expect((await messages({ limit: 1 })).map((it) => it.terminal_id)).toEqual(['0X9']);
    expect((await messages({ listener: 'osmand' })).map((it) => it.sequence)).toEqual([2, 1]);
    expect(await messages({ listener: 'jt1078' })).toEqual([]);
    expect(await messages({ terminal_id: '00x9' })).toMatchObject([
      { terminal_id: '0X9', outcomes: { unknown: 1 } },
    ]);
    expect(await messages({ terminal_id: '7001', listener: 'teltonika' })).toEqual([]);
  });

  it('the last messages of terminals show the last one of a terminal also when many others have spoken since', async () => {
    await emit('7001');
    for (let at = 0; at < 60; at += 1) await emit(`other${at}`);
    expect(await messages({ limit: 250 })).toHaveLength(50);
    expect(await messages({ terminal_id: '7001' })).toMatchObject([{ sequence: 1, terminal_id: '7001' }]);
  });

  it('the last messages of terminals distinguish unreadable messages from those with nothing to store, and explain why a position was refused', async () => {
    await addVehicle('352093081234567');
    const terminal = await connectFakeWialon(host.wialonPort, '2.0');
    await terminal.logIn('352093081234567');
    await terminal.write('#P#\r\n');
    await terminal.next();
    await terminal.write('#SD#nonsense;FFFF\r\n');
    await terminal.next();
    await terminal.close();
    await addVehicle('7001');
    await emit('7001', `lat=56.9&lon=24.1&timestamp=${clock.now() + 86_400_000}`);
    await emit('7001', 'lat=north&lon=24.1');
    const shown = await messages();
    const byNumber = (listener: string) =>
      shown
        .filter((it) => it.listener === listener)
        .sort((a, b) => a.sequence - b.sequence)
        .map(({ undecodable, codes }) => ({ undecodable, codes }));
    expect(byNumber('wialon')).toEqual([
      { undecodable: false, codes: {} },
      { undecodable: false, codes: {} },
      { undecodable: true, codes: {} },
    ]);
    expect(byNumber('osmand')).toEqual([
      { undecodable: false, codes: { time_in_future: 1 } },
      { undecodable: true, codes: {} },
    ]);
  });

  it('the last messages of terminals are found by their terminal also where they bear nothing that is handed in', async () => {
    await addVehicle('13912345678');
    const recorder = await connectFakeJt808({ port: host.jt808Port, phone: '013912345678' });
    await recorder.register();
    await recorder.close();
    await emit('7001', 'lat=north&lon=24.1');
    await addVehicle('868204005647838');
    const nonsense = '2.0;868204005647838#SD#nonsense\r\n';
    await askByDatagram(() => host.wialonPort, nonsense);
    expect(await messages({ terminal_id: '13912345678' })).toMatchObject([
      { summary: '0x0100 registration of 13912345678', outcomes: {} },
    ]);
    expect(await messages({ terminal_id: '7001' })).toMatchObject([{ undecodable: true }]);
    expect(await messages({ terminal_id: '868204005647838' })).toMatchObject([{ undecodable: true }]);
  });

  it('the last messages of terminals show what is not the protocol’s', async () => {
    const browser = connect(host.wialonPort, '127.0.0.1');
    browser.write('POST / HTTP/1.1\r\n');
    await once(browser, 'close');
    const [foreign] = await messages({ listener: 'wialon' });
    expect(foreign).toMatchObject({ terminal_id: null, report_count: 0, response_hex: null });
    expect(foreign?.summary).toContain('it does not begin');
    expect(foreign?.undecodable).toBe(true);
  });

  it('the last messages of terminals keep the password of a login to themselves, also in the log', async () => {
    const secret = 'Rosebud41';
    for (const version of ['1.1', '2.0'] as const) {
      const terminal = await connectFakeWialon(host.wialonPort, version);
      await terminal.logIn('352093081234567', secret);
      await terminal.close();
    }
    const wrong = await connectFakeWialon(host.wialonPort);
    await wrong.write(`#L#2.0;86;${secret};FFFF\r\n`);
    await wrong.next();
    await wrong.close();
    const shown = await messages({ listener: 'wialon' });
    expect(shown.map((it) => [it.masked, textOf(it.hex).replaceAll('*', '')])).toEqual([
      [true, '#L#2.0;86;\r\n'],
      [true, '#L#2.0;352093081234567;\r\n'],
      [true, '#L#352093081234567;\r\n'],
    ]);
    const logged = JSON.stringify(host.logged);
    expect(logged).toContain(Buffer.from('#L#2.0;86;').toString('hex'));
    expect(logged).not.toContain(Buffer.from(secret.slice(0, 4)).toString('hex'));
  });

  it.each(['2013', '2019'] as const)(
    'the last messages of terminals keep the code of a recorder of %s to themselves',
    async (form) => {
      await addVehicle('13912345678');
      const recorder = await connectFakeJt808({ port: host.jt808Port, phone: '13912345678', form });
      await recorder.authenticate('Rosebud41');
      await recorder.close();
      const shown = await messages({ listener: 'jt808' });
      expect(shown.find((it) => it.summary?.startsWith('0x0102'))?.masked).toBe(true);
      expect(shown.map((it) => textOf(it.hex)).join()).not.toContain('Rose');
    },
  );

  it('the last messages of terminals show what a recorder was answered, whenever that was known', async () => {
    await addVehicle('13912345678');
    const recorder = await connectFakeJt808({ port: host.jt808Port, phone: '13912345678' });
    await recorder.logOn();
    await recorder.position({ lat: 56.9, lon: 24.1, time_ms: clock.now() - 60_000 });
    await recorder.close();
    const stranger = await connectFakeJt808({ port: host.jt808Port, phone: '13900000000' });
    expect((await stranger.register()).result).not.toBe(0);
    await stranger.close();
    const shown = await messages({ listener: 'jt808' });
    expect(shown.map((it) => [it.summary?.slice(0, 6), it.response_hex?.slice(2, 6), it.outcomes])).toEqual([
      ['0x0100', '8100', { unknown: 1 }],
      ['0x0200', '8001', { stored: 1 }],
      ['0x0102', '8001', {}],
      ['0x0100', '8100', {}],
    ]);
  });

  it('the last messages of terminals are for dealers', async () => {
    const anna = await host.login('anna');
    expect(await anna.outcome(intakeRoutes.messages)).toBe('403 forbidden');
    expect(await anna.outcome(intakeRoutes.state)).toBe('403 forbidden');
  });
});

describe('a terminal whose clock is off by a time zone', () => {
  it('a terminal whose clock is off by a time zone is listed with the suggested setting of its vehicle, until it is set', async () => {
    const { vehicle_id } = await addVehicle('7001');
    const params = { vehicle: vehicle_id };
    expect(await dealer.ask(vehicleRoutes.clock, { params })).toEqual({
      clock_offset_s: 0,
      suggested_clock_offset_s: null,
    });
    for (let at = 0; at < 6; at += 1) {
      clock.advance(30_000);
      await emit('7001', `lat=56.9&lon=24.1&timestamp=${clock.now() + 8 * 3_600_000}`);
    }
    expect(await dealer.ask(vehicleRoutes.clock, { params })).toEqual({
      clock_offset_s: 0,
      suggested_clock_offset_s: 28_800,
    });
    const { clock_offsets: clocks } = await dealer.ask(intakeRoutes.state);
    expect(clocks).toEqual([
      { vehicle_id, terminal_id: '7001', clock_offset_s: 0, suggested_clock_offset_s: 28_800 },
    ]);
    await dealer.ask(vehicleRoutes.patch, { params, body: { clock_offset_s: 28_800 } });
    expect((await dealer.ask(intakeRoutes.state)).clock_offsets).toEqual([]);
    expect(await dealer.ask(vehicleRoutes.clock, { params })).toEqual({
      clock_offset_s: 28_800,
      suggested_clock_offset_s: null,
    });
  });

  it('a terminal whose clock is off by a time zone is reported to users who may change the vehicle', async () => {
    const anna = await host.login('anna');
    const { group_ids } = await anna.ask(userRoutes.me);
    const own = await addVehicle('7002', { group_ids });
    const other = await addVehicle('7003');
    const outcome = (vehicle: string) => anna.outcome(vehicleRoutes.clock, { params: { vehicle } });
    expect(await outcome(own.vehicle_id)).toBe(200);
    expect(await outcome(other.vehicle_id)).toBe('404 not_found');
  });

  it('a terminal whose clock is off by a time zone is not reported for an archived vehicle, whose terminal may be another’s', async () => {
    const { vehicle_id } = await addVehicle('7001');
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
    await addVehicle('7001');
    for (let at = 0; at < 6; at += 1) {
      clock.advance(30_000);
      await emit('7001', `lat=56.9&lon=24.1&timestamp=${clock.now() + 3_600_000}`);
    }
    expect((await dealer.ask(intakeRoutes.state)).clock_offsets).toHaveLength(1);
    expect(await dealer.ask(vehicleRoutes.clock, { params: { vehicle: vehicle_id } })).toMatchObject({
      suggested_clock_offset_s: null,
    });
  });
});
