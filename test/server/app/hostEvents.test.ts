import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventRoutes } from '../../../server/contract/events.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const plenty = { free: 500e9, total: 1_000e9 };
const little = { ...plenty, free: 5e9 };

let host: TestHost;
let dealer: Awaited<ReturnType<TestHost['login']>>;
let fault: Error | null = null;
let space = plenty;

const options = {
  clock,
  writeFault: () => fault,
  readSpace: () => Promise.resolve(space),
  users: [{ login: 'watcher', rights: { notifications: 'write' as const } }],
};

beforeEach(async () => {
  [fault, space] = [null, plenty];
  host = await startTestHost(options);
  dealer = await host.login();
});
afterEach(() => host.close());

const events = async (caller = dealer) =>
  (await caller.ask(eventRoutes.list, { query: { kind: 'host_trouble' } })).items;
const notifications = async (caller = dealer) =>
  (await caller.ask(notificationRoutes.list)).items.filter((it) => it.event_kind === 'host_trouble');

/** Lets the host look at itself again and again until what it has recorded is as it should be. */
async function recorded<T>(read: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  let found = await read();
  await expect
    .poll(async () => {
      clock.advance(5_000);
      found = await read();
      return isThere(found);
    })
    .toBe(true);
  return found;
}

it('a trouble that lasts is an event of no vehicle, of which a new depot notifies its dealers alone, until it ends', async () => {
  const since = new Date(clock.now()).toISOString();
  space = little;
  const [event] = await recorded(events, (found) => found.length > 0);
  expect(event).toMatchObject({
    kind: 'host_trouble',
    vehicle_id: null,
    details: { cause: 'disk_low', ended_at: null },
  });
  expect(event?.time).toMatch(since.slice(0, 16));
  const [open] = await notifications();
  expect(open).toMatchObject({
    rule_name: 'Server trouble',
    severity: 'alarm',
    vehicle_id: null,
    ongoing_until: null,
    shelved_until: null,
    escalation: null,
  });
  const watcher = await host.login('watcher');
  expect(await events(watcher)).toEqual([]);
  expect(await notifications(watcher)).toEqual([]);
  expect(await watcher.outcome(eventRoutes.get, { params: { event_id: event?.event_id ?? '' } })).toBe(
    '404 not_found',
  );

  space = plenty;
  const [ended] = await recorded(notifications, ([it]) => it?.ongoing_until !== null);
  expect(ended).toMatchObject({ notification_id: open?.notification_id, count: 1 });
  expect(await events()).toMatchObject([{ event_id: event?.event_id, details: { cause: 'disk_low' } }]);
});

it('a trouble that comes again soon is the same event, which goes on', async () => {
  space = little;
  const [event] = await recorded(events, (found) => found.length > 0);
  space = plenty;
  await recorded(events, ([it]) => it?.details.ended_at !== null);
  space = little;
  const again = await recorded(events, ([it]) => it?.details.ended_at === null);
  expect(again).toMatchObject([{ event_id: event?.event_id }]);
});

it('a full disk is recorded, with its beginning and its end, once there is space', async () => {
  const begun_ms = clock.now();
  fault = new DiskFull('The disk that holds the data folder is full.');
  await dealer.post(vehicleRoutes.create.path, { terminal_id: 'any', name: 'Any' });
  clock.advance(30_000);
  fault = null;
  const [event] = await recorded(events, ([it]) => typeof it?.details.ended_at === 'string');
  expect(event?.details.cause).toBe('disk_full');
  expect(Date.parse(event?.time ?? '')).toBe(begun_ms);
  expect(event?.details.duration_s).toBeGreaterThanOrEqual(30);
});

it('what an earlier run left open ends with the next start when its cause is gone', async () => {
  space = little;
  const [event] = await recorded(events, (found) => found.length > 0);
  await host.stop();
  space = plenty;
  host = await startTestHost({ ...options, data: host.data });
  dealer = await host.login();
  const [ended] = await recorded(events, ([it]) => it?.details.ended_at !== null);
  expect(ended?.event_id).toBe(event?.event_id);
});

it('a rule of the host is for dealers, for all, without video, and is not replayed on tracks', async () => {
  const wanted = { name: 'Host', event_kind: 'host_trouble', scope: { all: true } };
  const refused = async (body: object, caller = dealer) => {
    const { status, body: problem } = await caller.post(ruleRoutes.create.path, body);
    return [status, (problem as { errors: { path: string }[] }).errors[0]?.path];
  };
  expect(await refused(wanted, await host.login('watcher'))).toEqual([400, 'event_kind']);
  const { items } = await dealer.ask(vehicleRoutes.list);
  expect(items).toEqual([]);
  const van = await dealer.ask(vehicleRoutes.create, { body: { terminal_id: '7', name: 'Van 7' } });
  expect(await refused({ ...wanted, scope: { vehicle_ids: [van.vehicle_id] } })).toEqual([400, 'scope']);
  expect(await refused({ ...wanted, video: { before_s: 5, after_s: 5 } })).toEqual([400, 'video']);
  expect((await dealer.post(ruleRoutes.create.path, { ...wanted, severity: 'alarm' })).status).toBe(201);
  const preview = await dealer.post(ruleRoutes.preview.path, {
    from: new Date(clock.now() - 3_600_000).toISOString(),
    to: new Date(clock.now()).toISOString(),
    rule: wanted,
  });
  expect(preview).toMatchObject({ status: 400, code: 'validation_failed' });
  const names = (await (await host.login('watcher')).ask(ruleRoutes.list)).items.map((it) => it.name);
  expect(names).not.toContain('Server trouble');
});
