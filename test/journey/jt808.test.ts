import { expect, onTestFinished, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { unknownTerminal } from '../../server/contract/positions.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import {
  connectFakeJt808,
  positionBody,
  type FakeJt808,
  type FakeJt808Options,
} from '../support/fakeJt808.ts';
import { addVehicle, openDepot, reopenDepot, wholeList, type Depot } from './depot.ts';

const second = 1_000;
const minute = 60 * second;

async function come({ host }: Depot, options: Partial<FakeJt808Options> = {}): Promise<FakeJt808> {
  const terminal = await connectFakeJt808({ port: host.jt808Port, phone: '013800001234', ...options });
  onTestFinished(() => terminal.abort());
  return terminal;
}

test('an unknown JT/T 808 terminal is listed, gets its vehicle, and its position reaches the stream', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  const stream = await depot.listen();
  const terminal = await come(depot);
  expect((await terminal.register()).result).toBe(4);
  clock.advance(second);
  await stream.until((heard) => heard.some((it) => it.topic === 'unknown_terminal'));
  expect(await wholeList(dealer, '/api/v1/terminals/unknown', unknownTerminal)).toMatchObject([
    { terminal_id: '13800001234', protocol: 'jt808', address: '127.0.0.1', lat: null, lon: null },
  ]);

  const vehicle_id = await addVehicle(dealer, '013800001234');
  await terminal.logOn();
  const time_ms = clock.now();
  expect(await terminal.position({ lat: 1.5, lon: 2.5, time_ms, speed_kmh: 42.5, alarm: 1 })).toBe(0);
  await stream.until((heard) => heard.some((it) => it.topic === 'position'));
  const position = { vehicle_id, lat: 1.5, lon: 2.5, speed_kmh: 42.5, time: new Date(time_ms).toISOString() };
  expect(stream.of('position')).toMatchObject([{ positions: [{ ...position, alarms: ['sos'] }] }]);
  await stream.until((heard) => heard.some((it) => it.topic === 'event'));
  expect(stream.of('event')).toMatchObject([{ kind: 'sos', vehicle_id }]);
  expect((await dealer.ask(serviceRoutes.status)).intake.jt808).toMatchObject({
    port: depot.host.jt808Port,
    connections: 1,
    stored: 1,
    unknown: 1,
  });
});

test('an acknowledged position is stored once over a restart, though the terminal sends it again', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '13800001234');
  const fixes = [0, 1, 2].map((at) => ({
    lat: 1 + at / 100,
    lon: 2,
    time_ms: depot.clock.now() - at * minute,
  }));
  const terminal = await come(depot);
  await terminal.logOn();
  expect(await terminal.batch(fixes, 1)).toBe(0);
  await depot.host.stop();
  await terminal.ended;

  const again = await reopenDepot(depot);
  const returned = await come(again, { form: '2019' });
  expect(await returned.authenticate('kept from before')).toBe(0);
  for (const fix of fixes) expect(await returned.position(fix)).toBe(0);
  const [from, to] = [-5 * minute, minute].map((it) => new Date(again.clock.now() + it).toISOString());
  const track = await again.dealer.get(`/api/v1/vehicles/13800001234/track?from=${from}&to=${to}`);
  expect((track.body.positions as { lat: number }[]).map((it) => it.lat)).toEqual([1.02, 1.01, 1]);
});

test('the emergency button at the moment of a regular report is merged with it, and fires once', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  await addVehicle(dealer, '13800001234');
  const stream = await depot.listen();
  const terminal = await come(depot);
  await terminal.logOn();
  const fix = { lat: 1, lon: 2, time_ms: clock.now(), speed_kmh: 30 };
  expect(await terminal.position(fix)).toBe(0);
  expect(await terminal.position({ ...fix, alarm: 1 })).toBe(0);
  expect(await terminal.batch([{ ...fix, alarm: 1 }, fix], 0)).toBe(0);
  await stream.until((heard) => heard.some((it) => it.topic === 'event'));
  expect(await wholeList(dealer, '/api/v1/events', event)).toMatchObject([{ kind: 'sos' }]);
  const [from, to] = [-minute, minute].map((it) => new Date(clock.now() + it).toISOString());
  const track = await dealer.get(`/api/v1/vehicles/13800001234/track?from=${from}&to=${to}`);
  expect(track.body.positions).toMatchObject([{ speed_kmh: 30, alarms: ['sos'] }]);
});

test('heartbeats keep a vehicle on line, store nothing and stand before nothing', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  await addVehicle(dealer, '13800001234', { clock_offset_s: 3_600 });
  const terminal = await come(depot);
  await terminal.logOn();
  const fixed_ms = clock.now() - 20 * second;
  const fix = (time_ms: number, acc: boolean) => ({ lat: 1, lon: 2, time_ms: time_ms + 3_600_000, acc });
  expect(await terminal.position(fix(fixed_ms, true))).toBe(0);
  const vehicle = async () => (await dealer.get('/api/v1/vehicles/13800001234')).body;
  const stored = async () => (await dealer.ask(serviceRoutes.status)).store.positions_stored;
  for (let at = 0; at < 12; at += 1) {
    clock.advance(minute);
    expect(await terminal.heartbeat()).toBe(0);
    await expect.poll(async () => (await vehicle()).status).toMatch(/^(idle|stopped)$/);
  }
  expect(await stored()).toBe(1);
  expect((await vehicle()).position.time).toBe(new Date(fixed_ms).toISOString());
  // Its own time lies before the last heartbeat: the news in it count all the same.
  expect(await terminal.position(fix(clock.now() - 5 * second, false))).toBe(0);
  const events = await dealer.get('/api/v1/events?kind=ignition_off');
  expect(events.body.items).toHaveLength(1);
  for (let at = 0; at < 12; at += 1) clock.advance(minute);
  expect((await vehicle()).status).toBe('offline');
});

test('the emergency button counts where the receiver is nowhere on earth, as it has no fix', async () => {
  const depot = await openDepot();
  const stream = await depot.listen();
  const vehicle_id = await addVehicle(depot.dealer, '13800001234');
  const terminal = await come(depot);
  await terminal.logOn();
  const body = positionBody({ lat: 0, lon: 0, time_ms: depot.clock.now(), fix: false, alarm: 1 });
  body.fill(0xff, 8, 16);
  expect(await terminal.emit(0x0200, body)).toBe(0);
  await stream.until((heard) => heard.some((it) => it.topic === 'event'));
  expect(stream.of('event')).toMatchObject([{ kind: 'sos', vehicle_id }]);
  expect((await depot.dealer.get('/api/v1/positions/rejected')).body.items).toEqual([]);
});

test('unreadable messages are in the log of rejected messages, and a terminal that sends too early is listed as unknown', async () => {
  const depot = await openDepot();
  const { dealer, clock } = depot;
  const stream = await depot.listen();
  const early = await come(depot, { phone: '000000000077' });
  expect(await early.position({ lat: 1, lon: 2, time_ms: clock.now() })).toBe(1);
  clock.advance(second);
  await stream.until((heard) => heard.some((it) => it.topic === 'unknown_terminal'));
  expect(await wholeList(dealer, '/api/v1/terminals/unknown', unknownTerminal)).toMatchObject([
    { terminal_id: '77', protocol: 'jt808' },
  ]);
  await addVehicle(dealer, '13800001234');
  const terminal = await come(depot);
  await terminal.logOn();
  expect(await terminal.emit(0x0200, Buffer.alloc(20))).toBe(2);
  expect((await dealer.get('/api/v1/positions/rejected')).body.items).toMatchObject([
    { terminal_id: '13800001234', code: 'undecodable', protocol: 'jt808' },
  ]);
});
