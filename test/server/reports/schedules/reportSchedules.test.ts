import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { healthRoutes } from '../../../../server/contract/health.ts';
import { notificationRoutes } from '../../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../../server/contract/positions.ts';
import { reportScheduleRoutes, type ReportSchedule } from '../../../../server/contract/reportSchedules.ts';
import { recipientRoutes } from '../../../../server/contract/recipients.ts';
import { userRoutes } from '../../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../../support/testHost.ts';
import { openMailServer } from '../../notifications/channels/mailServer.ts';

// A Saturday, noon.
const clock = createFakeClock();
const minute = 60_000;
const hour = 60 * minute;
const iso = (ms: number) => new Date(ms).toISOString();
/** The clock is moved on by days. */
const longLogins = { jwtTtlS: 86_400 };
/** The first report of a host waits for its thread. */
const soon = { timeout: 60_000 };
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let root: string;
let folder: string;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fleetdeck-schedules-'));
  host = await startTestHost({
    clock,
    settings: longLogins,
    users: [
      { login: 'anna', rights: { reports: 'write' } },
      { login: 'bert', rights: { reports: 'read' } },
    ],
  });
  dealer = await host.login();
  anna = await host.login('anna');
  const { group_ids } = await anna.ask(userRoutes.me);
  for (const [terminal_id, groups] of [
    ['A1', group_ids],
    ['D1', []],
  ] as const) {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
      body: { terminal_id, name: `Van ${terminal_id}`, group_ids: [...groups] },
    });
    await dealer.ask(positionRoutes.post, {
      body: {
        positions: Array.from({ length: 200 }, (_, at) => ({
          vehicle_id,
          time: iso(clock.now() - 24 * hour + at * 10_000),
          ...{ lat: 56.9 + at * 0.001, lon: 24.1, speed_kmh: 40 },
        })),
      },
    });
  }
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = join(root, `folder ${(folders += 1)}`);
  await mkdir(folder);
});

const daily = { kind: 'daily', format: 'csv', every: 'day', at: '18:00' } as const;

async function add(caller: Caller, more: object): Promise<ReportSchedule> {
  const schedule = await caller.ask(reportScheduleRoutes.create, {
    body: { name: 'Yesterday', ...daily, ...more },
  });
  return schedule;
}

const get = (caller: Caller, { schedule_id }: ReportSchedule) =>
  caller.ask(reportScheduleRoutes.get, { params: { schedule_id } });

/** Waits until it has run another time; timers of the host are moved on by hand. */
const ranAgain = (schedule: ReportSchedule, before: string | null = null) =>
  vi.waitUntil(async () => {
    const now = await get(dealer, schedule);
    return !now.running && now.last_run !== null && now.last_run.at !== before && now;
  }, soon);

async function remove({ schedule_id }: ReportSchedule): Promise<void> {
  await dealer.ask(reportScheduleRoutes.remove, { params: { schedule_id } });
}

test('a report is written into its folder when it is due, once, with the day before in it', async () => {
  const schedule = await add(dealer, { folder });
  const due_ms = Date.UTC(2026, 10, 21, 18);
  expect(schedule).toMatchObject({ next_run_at: iso(due_ms), last_run: null, running: false });
  clock.advance(due_ms - clock.now() + minute);
  const ran = await ranAgain(schedule);
  expect(ran.last_run).toMatchObject({ state: 'delivered', due_at: iso(due_ms) });
  expect(ran.next_run_at).toBe(iso(due_ms + 24 * hour));
  expect(await readdir(folder)).toEqual(['Yesterday_daily_2026-11-20_2026-11-21.csv']);
  const text = await readFile(join(folder, 'Yesterday_daily_2026-11-20_2026-11-21.csv'), 'utf8');
  const { from, to } = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
  const direct = await dealer.get(`/api/v1/reports/daily?format=csv&from=${from}&to=${to}`);
  // What is read from an answer is without the byte order mark.
  expect(text).toBe(`\ufeff${direct.text}`);
  expect(text).toContain('Van A1');
  clock.advance(2 * hour);
  expect((await get(dealer, schedule)).last_run).toEqual(ran.last_run);
  await remove(schedule);
});

test('a report goes by email to approved addresses, with what its owner may see', async () => {
  const { port, mails } = await openMailServer();
  await dealer.ask(notificationRoutes.patchChannels, {
    body: { smtp: { host: '127.0.0.1', port, security: 'none', username: null, from: 'depot@port.example' } },
  });
  const email_to = ['boss@port.example'];
  expect(
    await anna.outcome(reportScheduleRoutes.create, { body: { name: 'Mine', ...daily, email_to } }),
  ).toBe('400 validation_failed');
  await dealer.ask(recipientRoutes.add, { body: { kind: 'email', address: 'boss@port.example' } });
  const schedule = await add(anna, { name: 'Mine', email_to, every: 'week' });
  const params = { schedule_id: schedule.schedule_id };
  expect(await anna.ask(reportScheduleRoutes.run, { params })).toMatchObject({ running: true });
  const { last_run } = await ranAgain(schedule);
  expect(last_run).toMatchObject({
    ...{ state: 'delivered', due_at: null, detail: 'Sent to boss@port.example.' },
    causes: [{ code: 'schedule.sent', values: { to: 'boss@port.example' } }],
  });
  const [mail] = mails;
  expect(mail).toMatchObject({ from: 'depot@port.example', to: email_to });
  expect(mail?.raw).toMatch(/^Subject: Mine, 2026-11-09 to 2026-11-15/m);
  expect(mail?.raw).toContain('filename=Mine_daily_2026-11-09_2026-11-16.csv');
  const patch = (body: object) => anna.call('PATCH', `/api/v1/reports/schedules/${params.schedule_id}`, body);
  const changes = await Promise.all([
    patch({ at: '07:00' }),
    patch({ at: '08:00' }),
    patch({ enabled: false }),
  ]);
  expect(changes.map((it) => it.status)).toEqual([200, 200, 200]);
  expect(await get(anna, schedule)).toMatchObject({ at: '08:00', enabled: false, next_run_at: null });
  expect((await patch({ folder })).code).toBe('validation_failed');
  const bert = await host.login('bert');
  expect((await bert.ask(reportScheduleRoutes.list)).items).toEqual([]);
  expect(await bert.outcome(reportScheduleRoutes.run, { params })).toBe('403 forbidden');
  expect((await dealer.ask(reportScheduleRoutes.list)).items).toHaveLength(1);
  await remove(schedule);
});

test('a report that cannot be delivered is tried again, and then is trouble of the host until one succeeds', async () => {
  const schedule = await add(dealer, { folder });
  await rm(folder, { recursive: true });
  const params = { schedule_id: schedule.schedule_id };
  await dealer.ask(reportScheduleRoutes.run, { params });
  expect(await dealer.outcome(reportScheduleRoutes.run, { params })).toBe('409 in_use');
  const ran = await vi.waitUntil(async () => {
    clock.advance(10 * minute);
    const now = await get(dealer, schedule);
    return !now.running && now;
  }, soon);
  const detail = `The folder ${folder} does not exist, or its disk is not connected.`;
  const causes = [{ code: 'folder.missing', values: { folder } }];
  expect(ran.last_run).toMatchObject({ state: 'failed', detail, causes });
  const reasons = async () => (await dealer.ask(healthRoutes.health)).reasons ?? [];
  expect(await reasons()).toContainEqual(
    expect.objectContaining({
      code: 'report_failing',
      detail: `The scheduled report Yesterday failed. ${detail}`,
    }),
  );
  await mkdir(folder);
  await dealer.ask(reportScheduleRoutes.run, { params });
  await ranAgain(schedule, ran.last_run?.at);
  await vi.waitFor(
    async () =>
      expect(await reasons()).not.toContainEqual(expect.objectContaining({ code: 'report_failing' })),
    soon,
  );
  await remove(schedule);
});

test('only dealers name a folder, of those that can be written and lie outside of the data folder', async () => {
  const outcome = (caller: Caller, more: object) =>
    caller.outcome(reportScheduleRoutes.create, { body: { name: 'No', ...daily, ...more } });
  expect(await outcome(anna, { folder })).toBe('400 validation_failed');
  for (const wrong of ['reports', join(folder, 'missing'), host.data, join(host.data, 'reports')])
    expect(await outcome(dealer, { folder: wrong })).toBe('400 validation_failed');
  expect(await outcome(dealer, {})).toBe('400 validation_failed');
  expect(await outcome(dealer, { folder, query: { from: iso(0) } })).toBe('400 validation_failed');
  expect(await outcome(dealer, { folder, query: { vehicle: 'unknown' } })).toBe('404 not_found');
});

test('a report that was missed while the host was away runs once, and one of a blocked owner stops with the reason', async () => {
  const data = await mkdtemp(join(root, 'data-'));
  const first = await startTestHost({
    clock,
    settings: longLogins,
    users: [{ login: 'carl', role: 'dealer' }],
  });
  const carl = await first.login('carl');
  const missed = await add(carl, { folder, name: 'Missed' });
  const changed = await add(carl, { folder, name: 'Changed' });
  await first.stop();
  clock.advance(72 * hour);
  const again = await startTestHost({ clock, settings: longLogins, data: first.data });
  const admin = await again.login();
  const of = (schedule: ReportSchedule) => get(admin, schedule);
  clock.advance(minute);
  const ran = await vi.waitUntil(async () => {
    const now = await of(missed);
    return now.last_run !== null && !now.running && now;
  }, soon);
  const due = Date.parse(ran.last_run?.due_at ?? '');
  expect(clock.now() - due).toBeLessThan(24 * hour);
  expect((await readdir(folder)).filter((it) => it.startsWith('Missed'))).toHaveLength(1);
  const { last_run } = await vi.waitUntil(async () => {
    const now = await of(changed);
    return now.last_run !== null && !now.running && now;
  }, soon);
  // Another time of today is not caught up with.
  await admin.ask(reportScheduleRoutes.patch, {
    params: { schedule_id: changed.schedule_id },
    body: { at: '00:01' },
  });
  clock.advance(5 * minute);
  expect(await of(changed)).toMatchObject({ at: '00:01', running: false, last_run });
  await admin.ask(userRoutes.block, { params: { user_id: missed.owner_id } });
  clock.advance(25 * hour);
  const later = await again.login();
  await vi.waitFor(
    async () =>
      expect(await get(later, missed)).toMatchObject({
        enabled: false,
        next_run_at: null,
        disabled_reason: 'Its owner was deleted or blocked, or the API token that set it up was revoked.',
        disabled_causes: [{ code: 'schedule.owner_gone', values: {} }],
      }),
    soon,
  );
  await again.close();
  await rm(data, { recursive: true, force: true });
});
