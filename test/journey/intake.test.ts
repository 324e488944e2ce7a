import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { addVehicle, openDepot, wholeList } from './depot.ts';
import { unknownTerminal } from '../../server/contract/positions.ts';
import { notification } from '../../server/contract/notifications.ts';

const second = 1_000;
const iso = (ms: number) => new Date(ms).toISOString();

test('an unknown terminal is listed and published, gets its vehicle, and its data is accepted', async () => {
  const { dealer, clock, terminal, listen } = await openDepot();
  const stream = await listen();
  const now_s = clock.now() / second;
  expect(await terminal.send({ id: '00777', lat: 1.5, lon: 2.5, timestamp: now_s })).toBe(404);
  clock.advance(second);
  await stream.until((heard) => heard.some((it) => it.topic === 'unknown_terminal'));
  expect(stream.of('unknown_terminal')).toMatchObject([
    { terminal_id: '00777', protocol: 'osmand', messages: 1, lat: 1.5, lon: 2.5, address: '127.0.0.1' },
  ]);
  const listed = () => wholeList(dealer, '/api/v1/terminals/unknown', unknownTerminal);
  expect(await listed()).toEqual(stream.of('unknown_terminal'));

  const vehicle_id = await addVehicle(dealer, '777');
  await expect.poll(listed).toEqual([]);
  expect(await terminal.send({ id: '00777', lat: 1.5, lon: 2.5, timestamp: now_s, speed: 10 })).toBe(200);
  await stream.until((heard) => heard.some((it) => it.topic === 'position'));
  expect(stream.heard.map((it) => it.topic)).toEqual(['snapshot', 'unknown_terminal', 'vehicle', 'position']);
  expect(stream.of('position')).toMatchObject([
    {
      positions: [
        { vehicle_id, terminal_id: '777', lat: 1.5, lon: 2.5, speed_kmh: 18.52, time: iso(now_s * second) },
      ],
    },
  ]);
  const vehicle = await dealer.get('/api/v1/vehicles/777');
  expect(vehicle.body).toMatchObject({ status: 'moving', position: { lat: 1.5, lon: 2.5 } });
});

test('the three forms of a message are stored alike', async () => {
  const { dealer, clock, terminal } = await openDepot();
  for (const id of ['1', '2', '3']) await addVehicle(dealer, id);
  const time = iso(clock.now());
  const query = `id=1&lat=1&lon=2&timestamp=${time}&speed=10&bearing=90&altitude=5&batt=50`;
  expect((await terminal.call({ path: `/?${query}` })).status).toBe(200);
  expect((await terminal.call({ method: 'POST', body: query.replace('id=1', 'id=2') })).status).toBe(200);
  const coords = { latitude: 1, longitude: 2, speed: (10 * 1.852) / 3.6, heading: 90, altitude: 5 };
  const body = JSON.stringify({
    device_id: '3',
    location: { timestamp: time, coords, battery: { level: 0.5 } },
  });
  const headers = { 'Content-Type': 'application/json' };
  expect((await terminal.call({ method: 'POST', headers, body })).status).toBe(200);
  const { positions } = (await dealer.get('/api/v1/positions/latest')).body as { positions: object[] };
  const expected = { time, lat: 1, lon: 2, course_deg: 90, altitude_m: 5, battery_pct: 50 };
  expect(positions).toHaveLength(3);
  for (const position of positions) {
    expect(position).toMatchObject({ ...expected, speed_kmh: expect.closeTo(18.52, 9) });
  }
});

test('the unit of the speed is a setting of the depot', async () => {
  const { dealer, clock, terminal } = await openDepot();
  await addVehicle(dealer, '7');
  const units = [
    ['ms', 36],
    ['kmh', 10],
    ['kn', 18.52],
  ] as const;
  for (const [osmand_speed_unit, kmh] of units) {
    expect((await dealer.call('PATCH', '/api/v1/settings', { osmand_speed_unit })).status).toBe(200);
    clock.advance(second);
    expect(await terminal.send({ id: '7', lat: 1, lon: 2, speed: 10 })).toBe(200);
    const { positions } = (await dealer.get('/api/v1/positions/latest')).body;
    expect(positions[0].speed_kmh).toBeCloseTo(kmh, 9);
  }
});

test('a rejected position is acknowledged and listed with its reason, but not stored', async () => {
  const { dealer, clock, terminal } = await openDepot();
  await addVehicle(dealer, '7');
  const now_s = clock.now() / second;
  expect(await terminal.send({ id: '7', lat: 1, lon: 2, timestamp: now_s + 601 })).toBe(200);
  expect(await terminal.send({ id: '7', lat: 91, lon: 2, timestamp: now_s })).toBe(200);
  expect(await terminal.send({ id: '7', lat: 1, lon: -180.5, timestamp: now_s })).toBe(200);
  const { items } = (await dealer.get('/api/v1/positions/rejected')).body;
  expect(items).toMatchObject([
    { terminal_id: '7', code: 'invalid_coordinates', detail: expect.stringContaining('-180.5') },
    { terminal_id: '7', code: 'invalid_coordinates', detail: expect.stringContaining('91') },
    {
      terminal_id: '7',
      code: 'time_in_future',
      detail: expect.stringContaining('601 s'),
      protocol: 'osmand',
    },
  ]);
  expect((await dealer.get('/api/v1/positions/latest')).body).toEqual({ positions: [] });
  // It was heard, though it has said nothing that could be believed.
  expect((await dealer.get('/api/v1/vehicles/7')).body).toMatchObject({ status: 'stopped', position: null });
  // Ten minutes ahead is what a clock may be wrong by.
  expect(await terminal.send({ id: '7', lat: 1, lon: 2, timestamp: now_s + 600 })).toBe(200);
  expect((await dealer.get('/api/v1/positions/latest')).body.positions).toHaveLength(1);
  expect((await dealer.get('/api/v1/status')).body.intake.osmand).toMatchObject({
    messages: 4,
    rejected: 3,
    stored: 1,
  });
});

test('a repeat is one position; an alarm that is new in it still fires, once', async () => {
  const { dealer, clock, terminal, listen } = await openDepot();
  await addVehicle(dealer, '7');
  const stream = await listen();
  const fix = { id: '7', lat: 1, lon: 2, timestamp: clock.now() / second };
  for (let time = 0; time < 3; time++) expect(await terminal.send(fix)).toBe(200);
  for (let time = 0; time < 3; time++) expect(await terminal.send({ ...fix, alarm: 'sos' })).toBe(200);
  expect(await terminal.send({ ...fix, speed: 1 })).toBe(200);
  const { osmand } = (await dealer.get('/api/v1/status')).body.intake;
  expect(osmand).toMatchObject({ messages: 7, stored: 1, duplicate: 4, merged: 2 });
  const track = await dealer.get(
    `/api/v1/vehicles/7/track?from=${iso(clock.now() - second)}&to=${iso(clock.now() + second)}`,
  );
  expect(track.body.positions).toMatchObject([{ lat: 1, alarms: ['sos'], speed_kmh: 1.852 }]);
  await stream.until((heard) => heard.some((it) => it.topic === 'notification'));
  const notifications = await wholeList(dealer, '/api/v1/notifications', notification);
  expect(notifications).toMatchObject([{ event_kind: 'sos', severity: 'alarm', count: 1, late: false }]);
  expect(stream.of('notification')).toEqual(notifications);
  expect(stream.of('event')).toMatchObject([{ kind: 'sos', details: { alarm: 'sos' } }]);
});

test('a number that no column holds makes no other position fail', async () => {
  const { dealer, clock, terminal } = await openDepot();
  for (const id of ['7', '8']) await addVehicle(dealer, id);
  const timestamp = clock.now() / second;
  const odd = {
    sat: '1e30',
    speed: '1e308',
    odometer: '1e300',
    altitude: '-1e300',
    batt: '1e308',
    hdop: '1e308',
  };
  const both = await Promise.all([
    terminal.send({ id: '7', lat: 1, lon: 2, timestamp, ...odd }),
    terminal.send({ id: '8', lat: 1, lon: 2, timestamp }),
  ]);
  expect(both).toEqual([200, 200]);
  expect((await dealer.get('/api/v1/positions/latest')).body.positions).toHaveLength(2);
});

test('a terminal that hangs up half-way leaves nothing, and the host ends all the same', async () => {
  const { host, dealer, terminal } = await openDepot();
  await addVehicle(dealer, '7');
  const { port } = new URL(host.intakeUrl);
  const half = async () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\nid=7&lat=1&lon=2');
    return socket;
  };
  const connections = async () =>
    (await dealer.get('/api/v1/status')).body.intake.osmand.connections as number;
  (await half()).resetAndDestroy();
  await half();
  expect(await terminal.send({ id: '7', batt: 50 })).toBe(200);
  await expect.poll(connections).toBe(2);
  expect((await dealer.get('/api/v1/positions/latest')).body).toEqual({ positions: [] });
  await host.stop();
});
