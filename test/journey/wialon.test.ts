import { expect, onTestFinished, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { unknownTerminal } from '../../server/contract/positions.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import {
  connectFakeWialon,
  longBody,
  openFakeWialonUdp,
  shortBody,
  type FakeWialon,
  type WialonData,
  type WialonVersion,
} from '../support/fakeWialon.ts';
import { addVehicle, openDepot, wholeList, type Depot } from './depot.ts';

const second = 1_000;
const minute = 60 * second;
const imei = '356307042441013';

async function come({ host }: Depot, version?: WialonVersion): Promise<FakeWialon> {
  const terminal = await connectFakeWialon(host.wialonPort, version);
  onTestFinished(() => terminal.abort());
  return terminal;
}

test('an unknown Wialon IPS terminal is listed, gets its vehicle, and its position reaches the stream', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  const stream = await depot.listen();
  const terminal = await come(depot, '2.0');
  expect(await terminal.logIn(imei)).toBe('#AL#0');
  clock.advance(second);
  await stream.until((heard) => heard.some((it) => it.topic === 'unknown_terminal'));
  expect(await wholeList(dealer, '/api/v1/terminals/unknown', unknownTerminal)).toMatchObject([
    { terminal_id: imei, protocol: 'wialon', address: '127.0.0.1' },
  ]);

  const vehicle_id = await addVehicle(dealer, imei);
  expect(await terminal.logIn(imei, 'secret')).toBe('#AL#1');
  const time_ms = clock.now();
  const data: WialonData = { time_ms, lat: 1.5, lon: 2.5, speed_kmh: 42.5, params: [['fuel', 2, 45.8]] };
  expect(await terminal.ask('D', longBody(data))).toBe('#AD#1');
  await stream.until((heard) => heard.some((it) => it.topic === 'position'));
  const position = { vehicle_id, lat: 1.5, lon: 2.5, speed_kmh: 42.5, time: new Date(time_ms).toISOString() };
  expect(stream.of('position')).toMatchObject([{ positions: [{ ...position, attributes: { fuel: 45.8 } }] }]);
  expect((await dealer.ask(serviceRoutes.status)).intake.wialon).toMatchObject({
    port: depot.host.wialonPort,
    connections: 1,
    stored: 1,
    unknown: 1,
  });
});

test('an alarm in the same second as the regular report is merged and fires', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const terminal = await come(depot);
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  const data: WialonData = { time_ms: depot.clock.now(), lat: 1.5, lon: 2.5 };
  expect(await terminal.ask('SD', shortBody(data))).toBe('#ASD#1');
  expect(await terminal.ask('SD', shortBody(data))).toBe('#ASD#1');
  expect(await terminal.ask('D', longBody({ ...data, params: [['SOS', 1, 1]] }))).toBe('#AD#1');
  expect(await wholeList(depot.dealer, '/api/v1/events?kind=sos', event)).toHaveLength(1);
  expect((await depot.dealer.ask(serviceRoutes.status)).intake.wialon).toMatchObject({
    stored: 1,
    duplicate: 1,
    merged: 1,
  });
});

test('a rejected message is answered with its code, and recorded', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, imei);
  const terminal = await come(depot);
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  const now = depot.clock.now();
  const future = shortBody({ time_ms: now + 20 * minute, lat: 1, lon: 2 });
  expect(await terminal.ask('SD', future)).toBe('#ASD#0');
  const nowhere = shortBody({ time_ms: now, lat: 1, lon: 2 }).replace('0100.000000', '9900.000000');
  expect(await terminal.ask('SD', nowhere)).toBe('#ASD#10');
  expect(await terminal.ask('B', [future, shortBody({ time_ms: now, lat: 1, lon: 2 })].join('|'))).toBe(
    '#AB#2',
  );
  const rejected = await depot.dealer.get('/api/v1/positions/rejected');
  expect((rejected.body.items as { code: string }[]).map((it) => it.code).sort()).toEqual([
    'invalid_coordinates',
    'time_in_future',
    'time_in_future',
  ]);
});

test('pings and datagrams keep a vehicle on line, and pings store nothing', async () => {
  const depot = await openDepot();
  const { dealer, clock, host } = depot;
  await addVehicle(dealer, imei);
  const sender = await openFakeWialonUdp(host.wialonPort);
  onTestFinished(() => sender.close());
  const fix = shortBody({ time_ms: clock.now(), lat: 1, lon: 2 });
  expect(await sender.ask(`${imei}#SD#${fix}\r\n`)).toBe('#ASD#1\r\n');
  const terminal = await come(depot);
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  const status = async () => (await dealer.get(`/api/v1/vehicles/${imei}`)).body.status as string;
  for (let at = 0; at < 12; at += 1) {
    clock.advance(minute);
    expect(await terminal.ask('P', '')).toBe('#AP#');
  }
  expect(await status()).toMatch(/^(idle|stopped)$/);
  expect((await dealer.ask(serviceRoutes.status)).store.positions_stored).toBe(1);
});

test('a ping sets the last contact of a vehicle that never sent a position', async () => {
  const depot = await openDepot();
  const { dealer } = depot;
  await addVehicle(dealer, imei, { clock_offset_s: 3_600 });
  const vehicle = async () => (await dealer.get(`/api/v1/vehicles/${imei}`)).body;
  expect(await vehicle()).toMatchObject({ status: 'never', position: null });
  const terminal = await come(depot);
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  expect(await terminal.ask('P', '')).toBe('#AP#');
  expect(await vehicle()).toMatchObject({ status: 'stopped', position: null });
  expect((await dealer.ask(serviceRoutes.status)).store.positions_stored).toBe(0);
});
