import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { unknownTerminal } from '../../server/contract/positions.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import {
  connectFakeTeltonika,
  datagramBytes,
  type FakeRecord,
  type FakeTeltonika,
} from '../support/fakeTeltonika.ts';
import { addVehicle, openDepot, reopenDepot, wholeList, type Depot } from './depot.ts';

const second = 1_000;
const minute = 60 * second;
const imei = '356307042441013';

async function come({ host }: Depot): Promise<FakeTeltonika> {
  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  onTestFinished(() => terminal.abort());
  return terminal;
}

async function logOn(depot: Depot): Promise<FakeTeltonika> {
  const terminal = await come(depot);
  expect(await terminal.logIn()).toBe(1);
  return terminal;
}

async function trackOf({ dealer, clock }: Depot): Promise<Record<string, unknown>[]> {
  const [from, to] = [-60 * minute, minute].map((it) => new Date(clock.now() + it).toISOString());
  const answer = await dealer.get(`/api/v1/vehicles/${imei}/track?from=${from}&to=${to}`);
  return answer.body.positions as Record<string, unknown>[];
}

test('an unknown Teltonika terminal is listed, gets its vehicle, and its position reaches the stream', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  const stream = await depot.listen();
  const stranger = await come(depot);
  expect(await stranger.logIn()).toBe(0);
  await stranger.ended;
  clock.advance(second);
  await stream.until((heard) => heard.some((it) => it.topic === 'unknown_terminal'));
  expect(await wholeList(dealer, '/api/v1/terminals/unknown', unknownTerminal)).toMatchObject([
    { terminal_id: imei, protocol: 'teltonika', address: '127.0.0.1', messages: 1, lat: null, lon: null },
  ]);

  const vehicle_id = await addVehicle(dealer, imei);
  const terminal = await logOn(depot);
  const time_ms = clock.now();
  const io = { 239: Buffer.of(1), 16: Buffer.of(0, 0, 0x30, 0x39), 66: Buffer.of(0x2e, 0xe0) };
  expect(await terminal.send([{ time_ms, lat: 1.5, lon: 2.5, speed_kmh: 42, io }], 0x8e)).toBe(1);
  await stream.until((heard) => heard.some((it) => it.topic === 'position'));
  const time = new Date(time_ms).toISOString();
  const position = {
    vehicle_id,
    lat: 1.5,
    lon: 2.5,
    speed_kmh: 42,
    time,
    ignition: true,
    odometer_m: 12_345,
  };
  expect(stream.of('position')).toMatchObject([
    { positions: [{ ...position, attributes: { external_v: 12 } }] },
  ]);
  expect((await dealer.ask(serviceRoutes.status)).intake.teltonika).toMatchObject({
    port: depot.host.teltonikaPort,
    connections: 1,
    stored: 1,
    unknown: 1,
  });
});

test('an acknowledged position is stored once over a restart, though the terminal sends it again', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const records = [0, 1, 2].map((at): FakeRecord => ({
    lat: 1 + at / 100,
    lon: 2,
    time_ms: depot.clock.now() - at * minute,
  }));
  const terminal = await logOn(depot);
  expect(await terminal.send(records)).toBe(3);
  await depot.host.stop();
  await terminal.ended;

  const again = await reopenDepot(depot);
  const returned = await logOn(again);
  expect(await returned.send(records, 0x10)).toBe(3);
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
  });
  socket.send(datagramBytes(imei, records, { packet: 1, avl: 7 }), again.host.teltonikaPort, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  expect(answer.toString('hex')).toBe('00050001010703');
  expect((await trackOf(again)).map((it) => it['lat'])).toEqual([1.02, 1.01, 1]);
});

test('the panic button at the moment of a regular record is merged with it, and fires once', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const stream = await depot.listen();
  const terminal = await logOn(depot);
  const fix: FakeRecord = { time_ms: depot.clock.now(), lat: 1, lon: 2, speed_kmh: 30 };
  expect(await terminal.send([fix])).toBe(1);
  expect(await terminal.send([{ ...fix, priority: 2 }])).toBe(1);
  expect(await terminal.send([{ ...fix, priority: 2 }, fix])).toBe(2);
  await stream.until((heard) => heard.some((it) => it.topic === 'event'));
  expect(stream.of('event')).toMatchObject([{ kind: 'sos' }]);
  expect(await trackOf(depot)).toMatchObject([{ speed_kmh: 30, alarms: ['sos'] }]);
});

test('a record from the future is acknowledged, listed with its reason, and not stored', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const terminal = await logOn(depot);
  const now_ms = depot.clock.now();
  const fix: FakeRecord = { time_ms: now_ms, lat: 1, lon: 2 };
  expect(await terminal.send([{ ...fix, time_ms: now_ms + 86_400 * second }, fix])).toBe(2);
  expect(await trackOf(depot)).toHaveLength(1);
  const rejected = await depot.dealer.get('/api/v1/positions/rejected');
  expect(rejected.body.items).toMatchObject([
    { terminal_id: imei, code: 'time_in_future', protocol: 'teltonika' },
  ]);
});

test('a record without a fix keeps the vehicle where it was', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const terminal = await logOn(depot);
  const time_ms = depot.clock.now() - minute;
  expect(await terminal.send([{ time_ms, lat: 1, lon: 2 }])).toBe(1);
  expect(await terminal.send([{ time_ms: time_ms + second, lat: 1, lon: 2, satellites: 0 }])).toBe(1);
  expect(await trackOf(depot)).toMatchObject([
    { lat: 1, lon: 2, valid: true },
    { lat: 1, lon: 2, valid: false },
  ]);
});
