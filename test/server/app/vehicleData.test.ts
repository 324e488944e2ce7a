import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { eventRoutes } from '../../../server/contract/events.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const hourMs = 3_600_000;
const start = clock.now() - 10 * hourMs;
const at = (hours: number) => new Date(start + hours * hourMs).toISOString();
let host: TestHost;
let dealer: Caller;
const ids: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestHost({
    clock,
    settings: { jwtTtlS: 86_400 },
    users: [{ login: 'anna', rights: { vehicles: 'write' } }],
  });
  dealer = await host.login();
  await dealer.ask(ruleRoutes.create, {
    body: { name: 'SOS', event_kind: 'sos', severity: 'alarm', scope: { all: true } },
  });
  for (const terminal_id of ['V1', 'V2']) {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
      body: { terminal_id, name: terminal_id },
    });
    ids[terminal_id] = vehicle_id;
    // One fix each minute for nine hours, and an alarm with each full hour.
    const positions = Array.from({ length: 9 * 60 }, (_, minute) => ({
      ...{ terminal_id, time: at(minute / 60), lat: 50 + minute / 1_000, lon: 10 },
      ...(minute % 60 === 0 && { alarms: ['sos'] }),
    }));
    await dealer.ask(positionRoutes.post, { body: { positions } });
  }
});
afterAll(() => host.close());

const count = (vehicle: string, from: number, to: number) =>
  dealer.ask(vehicleRoutes.data, { params: { vehicle }, query: { from: at(from), to: at(to) } });
const times = async (vehicle: string) =>
  (await dealer.get(`/api/v1/vehicles/${vehicle}/track?from=${at(0)}&to=${at(10)}`)).body as {
    positions: { time: string }[];
  };

it('a user without the right is answered 403 for counting and deleting the data of a period', async () => {
  const anna = await host.login('anna');
  const asked = { params: { vehicle: 'V1' }, query: { from: at(0), to: at(10) } };
  expect(await anna.outcome(vehicleRoutes.data, asked)).toBe('403 forbidden');
  expect(await anna.outcome(vehicleRoutes.deleteData, asked)).toBe('403 forbidden');
  const backwards = { params: { vehicle: 'V1' }, query: { from: at(10), to: at(0) } };
  expect(await dealer.outcome(vehicleRoutes.deleteData, backwards)).toBe('400 validation_failed');
});

/** A video of a second, fetched. */
async function addClip(profile_id: string, hours: number): Promise<string> {
  const body = { profile_id, channel: 1, from: at(hours), to: at(hours + 1 / 3_600) };
  const { task_id } = await dealer.ask(videoRoutes.createTask, { body });
  await expect.poll(() => statusOf(task_id), { timeout: 60_000 }).toBe('done');
  return task_id;
}

const statusOf = async (task_id: string) =>
  (await dealer.ask(videoRoutes.getTask, { params: { task_id } })).status;

it('deleting the data of a vehicle from a period removes exactly that period, and is in the audit log', async () => {
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id: ids['V1'] ?? '', kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  const within = await addClip(profile_id, 3);
  const outside = await addClip(profile_id, 5);
  const [before, other, rest] = [await count('V1', 2, 5), await count('V2', 0, 10), await times('V1')];
  expect(before).toMatchObject({ positions: 180, clips: 1 });
  expect(before.events).toBeGreaterThan(0);
  expect(before.notifications).toBeGreaterThan(0);
  const all = await count('V1', 0, 10);
  const { items: open } = await dealer.ask(notificationRoutes.list, { query: { limit: 1_000 } });
  const gone = open.filter(
    (it) => it.vehicle_id === ids['V1'] && it.last_time >= at(2) && it.last_time < at(5),
  );

  const deleted = await dealer.ask(vehicleRoutes.deleteData, {
    params: { vehicle: 'V1' },
    query: { from: at(2), to: at(5) },
  });
  expect(deleted).toEqual(before);

  expect(await count('V1', 2, 5)).toEqual({
    ...{ positions: 0, events: 0, notifications: 0, clips: 0, snapshots: 0 },
  });
  expect((await times('V1')).positions).toEqual(
    rest.positions.filter(({ time }) => time < at(2) || time >= at(5)),
  );
  expect(await count('V1', 0, 10)).toEqual({
    positions: all.positions - before.positions,
    events: all.events - before.events,
    notifications: all.notifications - before.notifications,
    ...{ clips: 1, snapshots: 0 },
  });
  expect(await count('V2', 0, 10)).toEqual(other);
  expect([await statusOf(within), await statusOf(outside)]).toEqual(['expired', 'done']);
  const { items: events } = await dealer.ask(eventRoutes.list, { query: { vehicle: 'V1', limit: 1_000 } });
  expect(events.filter(({ time }) => time >= at(2) && time < at(5))).toEqual([]);
  const { items: left } = await dealer.ask(notificationRoutes.list, { query: { limit: 1_000 } });
  expect(left).toHaveLength(open.length - gone.length);

  const { items } = await dealer.ask(auditRoutes.list, { query: { kind: 'vehicle_data' } });
  expect(items).toMatchObject([
    {
      ...{ action: 'deleted', entity_id: ids['V1'], entity_name: 'V1', actor: { login: 'dealer' } },
      before: { name: 'V1', from: at(2), to: at(5), ...before },
    },
  ]);
});
