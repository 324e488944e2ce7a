import { expect, onTestFinished, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { connectFakeJt808 } from '../support/fakeJt808.ts';
import { connectFakeWialon, longBody, shortBody } from '../support/fakeWialon.ts';
import { addVehicle, openDepot, reopenDepot, wholeList, type Depot } from './depot.ts';

// The emergency button is reported, whatever else is wrong with the message.

const second = 1_000;
const hour = 3_600 * second;

async function emergencies({ dealer }: Depot) {
  return wholeList(dealer, '/api/v1/events?kind=sos', event);
}

async function refusals({ dealer }: Depot): Promise<string[]> {
  const { items } = (await dealer.get('/api/v1/positions/rejected')).body;
  return (items as { code: string }[]).map((it) => it.code);
}

async function comeByJt808({ host }: Depot) {
  const terminal = await connectFakeJt808({ port: host.jt808Port, phone: '013800001234' });
  onTestFinished(() => terminal.abort());
  await terminal.logOn();
  return terminal;
}

const imei = '356307042441013';

async function comeByWialon({ host }: Depot) {
  const terminal = await connectFakeWialon(host.wialonPort);
  onTestFinished(() => terminal.abort());
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  return terminal;
}

test('the button of a JT/T 808 terminal without a fix is reported', async () => {
  const depot = await openDepot();
  const vehicle_id = await addVehicle(depot.dealer, '13800001234');
  const terminal = await comeByJt808(depot);
  const time_ms = depot.clock.now();
  const unset = 0xffffffff / 1e6;
  expect(await terminal.position({ lat: unset, lon: unset, time_ms, fix: false, alarm: 1 })).toBe(0);
  expect(await emergencies(depot)).toMatchObject([{ vehicle_id, lat: null, lon: null, late: false }]);
  expect(await refusals(depot)).toEqual([]);
});

test('the button of a JT/T 808 terminal that says UTC+16 is reported once, with its place', async () => {
  const depot = await openDepot();
  const vehicle_id = await addVehicle(depot.dealer, '13800001234');
  const position = { lat: 48.1, lon: 11.5, time_ms: depot.clock.now() + 8 * hour, alarm: 1 };
  const terminal = await comeByJt808(depot);
  for (let time = 0; time < 2; time++) expect(await terminal.position(position)).toBe(0);
  const time = new Date(depot.clock.now()).toISOString();
  const published = [{ vehicle_id, lat: 48.1, lon: 11.5, time, late: false }];
  expect(await emergencies(depot)).toMatchObject(published);
  expect((await depot.dealer.get('/api/v1/positions/latest')).body).toEqual({ positions: [] });
  await depot.host.stop();
  await terminal.ended;

  const again = await reopenDepot(depot);
  again.clock.advance(second);
  expect(await (await comeByJt808(again)).position(position)).toBe(0);
  expect(await emergencies(again)).toMatchObject(published);
  expect(await refusals(again)).toEqual(['time_in_future', 'time_in_future', 'time_in_future']);
});

test('the button of a Wialon terminal at an impossible place is reported', async () => {
  const depot = await openDepot();
  const vehicle_id = await addVehicle(depot.dealer, imei);
  const terminal = await comeByWialon(depot);
  const body = longBody({ time_ms: depot.clock.now(), lat: 1, lon: 2, params: [['SOS', 1, 1]] });
  const nowhere = body.replace('0100.000000', '9900.000000');
  expect(nowhere).not.toBe(body);
  for (let time = 0; time < 2; time++) await terminal.ask('D', nowhere);
  expect(await emergencies(depot)).toMatchObject([{ vehicle_id, lat: null, lon: null }]);
});

test('the button of a Wialon terminal is reported once, though another field cannot be read', async () => {
  const depot = await openDepot();
  const vehicle_id = await addVehicle(depot.dealer, imei);
  const terminal = await comeByWialon(depot);
  const pressed = (time_ms: number) =>
    longBody({ time_ms, lat: 1, lon: 2, params: [['SOS', 1, 1]] })
      .split(';')
      .with(6, 'fast')
      .join(';');
  const now_ms = depot.clock.now();
  expect(await terminal.ask('D', pressed(now_ms))).toBe('#AD#11');
  // What is answered so comes again in a black box.
  expect(await terminal.ask('B', pressed(now_ms))).toBe('#AB#1');
  const time = new Date(now_ms).toISOString();
  expect(await emergencies(depot)).toMatchObject([{ vehicle_id, time, lat: null, lon: null }]);
  depot.clock.advance(60 * second);
  expect(await terminal.ask('SD', shortBody({ time_ms: now_ms + 30 * second, lat: 1, lon: 2 }))).toBe(
    '#ASD#1',
  );
  // By a clock that is hours ahead, it is pressed now.
  for (let again = 0; again < 2; again++)
    expect(await terminal.ask('D', pressed(now_ms + 3 * hour))).toBe('#AD#11');
  const later = new Date(depot.clock.now()).toISOString();
  expect((await emergencies(depot)).map((it) => it.time).sort()).toEqual([time, later]);
});

test('the button of a phone is reported, whatever form its message has', async () => {
  const depot = await openDepot();
  const { dealer, clock, terminal } = depot;
  const timestamp = clock.now() / second;
  const time = new Date(clock.now()).toISOString();
  const coords = { latitude: 1, longitude: 2 };
  const location = { timestamp: time, coords, extras: { alarm: 'sos' } };
  const json = (device_id: string, it: unknown) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ device_id, location: it }),
  });
  const messages = [
    { path: `/?id=1&lat=1&lon=2&timestamp=${timestamp}&alarm=sos` },
    { path: `/?id=2&lat=91&lon=0&valid=0&timestamp=${timestamp}&alarm=sos` },
    { path: `/?id=3&lat=91&lon=0&timestamp=${timestamp}&alarm=sos` },
    { path: `/?id=4&lat=NaN&lon=NaN&timestamp=${timestamp}&alarm=sos` },
    { path: `/?id=5&lat=1&lon=2&timestamp=${timestamp + 3_600}&alarm=sos` },
    { path: `/?id=6&lat=1&lon=2&timestamp=soon&speed=NaN&alarm=sos` },
    json('7', location),
    json('8', [
      { timestamp: time, coords },
      { ...location, timestamp: new Date(0).toISOString() },
    ]),
    json('9', [location, 'what is this']),
  ];
  const vehicles = [];
  for (const at of messages.keys()) vehicles.push(await addVehicle(dealer, String(at + 1)));
  for (const message of messages) expect((await terminal.call(message)).status).toBe(200);
  const heard = await emergencies(depot);
  expect(heard.map((it) => it.vehicle_id).sort()).toEqual([...vehicles].sort());
  expect(await refusals(depot)).toEqual(['undecodable', 'time_in_future', 'invalid_coordinates']);
});
