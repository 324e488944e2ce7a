import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventRoutes } from '../../../server/contract/events.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream, type StreamReader } from '../../support/streamReader.ts';
import { startTestHost, type TestHost } from '../../support/testHost.ts';

const names = ['A', 'B', 'C'];
let clock = createFakeClock();
let host: TestHost;
let dealer: Awaited<ReturnType<TestHost['login']>>;
const streams: StreamReader[] = [];

beforeEach(async () => {
  clock = createFakeClock();
  host = await startTestHost({ clock, users: [{ login: 'blind', rights: { vehicles: 'none' } }] });
  dealer = await host.login();
  for (const name of names)
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id: name, name, group_ids: [] } });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await host.close();
});

/** Each terminal drives, and says so every 20 s. */
async function drive(times: number, which = names): Promise<void> {
  for (let at = 0; at < times; at++) {
    const time = new Date(clock.now()).toISOString();
    const positions = which.map((terminal_id) => ({
      ...{ terminal_id, time, lat: 52.5, lon: 13.4 + at * 0.001, speed_kmh: 47, ignition: true },
    }));
    await dealer.ask(positionRoutes.post, { body: { positions } });
    clock.advance(20_000);
  }
}

const vehicles = async () => (await dealer.ask(vehicleRoutes.list)).items;
const listen = async (caller = dealer) => {
  const stream = await openStream(host.url, caller);
  streams.push(stream);
  return stream;
};

it('vehicles that fall silent are overdue in the API and on the stream, while their status stays as it was', async () => {
  await drive(6);
  const stream = await listen();
  const blind = await listen(await host.login('blind'));
  expect(stream.messages[0]).toMatchObject({ topic: 'snapshot', data: { overdue: [] } });
  await drive(3, ['A']);
  const [a, b, c] = await vehicles();
  expect([a, b, c].map((it) => [it?.name, it?.overdue, it?.status])).toEqual([
    ['A', false, 'moving'],
    ['B', true, 'moving'],
    ['C', true, 'moving'],
  ]);
  const { data } = await stream.next('overdue');
  expect(data).toEqual({ began: [b?.vehicle_id, c?.vehicle_id], ended: [] });
  expect((await listen()).messages[0]).toMatchObject({ data: { overdue: data.began } });

  await drive(1);
  expect((await stream.next('overdue')).data).toEqual({ began: [], ended: data.began });
  expect((await vehicles()).map((it) => it.overdue)).toEqual([false, false, false]);
  expect(blind.messages.filter((it) => it.topic === 'overdue')).toEqual([]);
  expect(await dealer.ask(healthRoutes.health)).toMatchObject({ status: 'ok' });
});

it('a fleet of which nobody is heard any more degrades the health of the host and is an event, until one is heard', async () => {
  await drive(6);
  clock.advance(200_000);
  expect(await dealer.ask(healthRoutes.health)).toMatchObject({ status: 'ok' });
  clock.advance(40_000);
  expect(await dealer.ask(healthRoutes.health)).toMatchObject({
    status: 'degraded',
    reasons: [{ code: 'intake_silent', detail: expect.stringMatching(/^3 terminals were due/) as string }],
  });
  const events = async () =>
    (await dealer.ask(eventRoutes.list, { query: { kind: 'host_trouble' } })).items.map((it) => it.details);
  await expect
    .poll(async () => {
      clock.advance(5_000);
      return events();
    })
    .toMatchObject([{ cause: 'intake_silent', ended_at: null }]);
  await drive(1, ['B']);
  expect(await dealer.ask(healthRoutes.health)).toMatchObject({ status: 'ok', reasons: [] });
});

it('a host that starts again knows how often its vehicles report', async () => {
  await drive(6);
  await host.stop();
  const { data } = host;
  host = await startTestHost({ clock, data });
  dealer = await host.login();
  expect((await vehicles()).map((it) => it.overdue)).toEqual([false, false, false]);
  clock.advance(125_000);
  expect((await vehicles()).map((it) => it.overdue)).toEqual([true, true, true]);
});
