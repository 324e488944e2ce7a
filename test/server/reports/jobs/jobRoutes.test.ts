import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditRoutes } from '../../../../server/contract/audit.ts';
import { positionRoutes } from '../../../../server/contract/positions.ts';
import { reportJobRoutes, type ReportJob } from '../../../../server/contract/reportJobs.ts';
import { userRoutes } from '../../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../../support/testHost.ts';

const clock = createFakeClock();
const iso = (ms: number) => new Date(ms).toISOString();
const period = () => ({ from: iso(clock.now() - 7_200_000), to: iso(clock.now()) });
/** The first report of a host waits for its thread. */
const soon = { timeout: 60_000 };
let host: TestHost;
let dealer: Caller;

beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }, { login: 'bert' }] });
  dealer = await host.login();
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: { terminal_id: 'A1', name: 'Van 1' },
  });
  await dealer.ask(positionRoutes.post, {
    body: {
      positions: Array.from({ length: 400 }, (_, at) => ({
        vehicle_id,
        time: iso(clock.now() - 7_000_000 + at * 10_000),
        ...{ lat: 56.9 + Math.min(at, 200) * 0.001, lon: 24.1, speed_kmh: at < 200 ? 40 : 0 },
      })),
    },
  });
});
afterAll(() => host.close());

async function run(caller: Caller, kind: ReportJob['kind']): Promise<ReportJob> {
  const { job_id } = await caller.ask(reportJobRoutes.create, {
    body: { kind, format: 'csv', query: period() },
  });
  const params = { job_id };
  await vi.waitUntil(
    async () => (await caller.ask(reportJobRoutes.get, { params })).finished_at !== null,
    soon,
  );
  return caller.ask(reportJobRoutes.get, { params });
}

const resultOf = (caller: Caller, { job_id }: ReportJob) =>
  caller.get(`/api/v1/reports/jobs/${job_id}/result`);

test('the result of a job is the file that its report answers, and the audit log has who took it', async () => {
  for (const kind of ['trips', 'daily'] as const) {
    const job = await run(dealer, kind);
    expect(job).toMatchObject({ state: 'done', progress: 1, error: null });
    const result = await resultOf(dealer, job);
    const direct = await dealer.get(
      `/api/v1/reports/${kind}?${new URLSearchParams({ ...period(), format: 'csv' })}`,
    );
    expect(result.text).toBe(direct.text);
    expect(result.text.split('\r\n').length).toBeGreaterThan(2);
    expect(result.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(result.headers.get('content-disposition')).toContain(job.name);
    expect(result.headers.get('content-length')).toBe(String(job.bytes));
    await vi.waitFor(async () => {
      const { items } = await dealer.ask(auditRoutes.list, { query: { entity_id: 'getReportJobResult' } });
      expect(items[0]?.after).toEqual({ job_id: job.job_id });
    }, soon);
  }
});

test('jobs are their owner’s alone, hold what the owner sees, and go with the owner', async () => {
  const [anna, bert] = [await host.login('anna'), await host.login('bert')];
  const job = await run(anna, 'trips');
  // The vehicle is in no group of Anna's.
  expect((await resultOf(anna, job)).text.trim().split('\r\n')).toHaveLength(1);
  for (const other of [bert, dealer]) {
    expect(await resultOf(other, job)).toMatchObject({ status: 404 });
    expect(await other.outcome(reportJobRoutes.remove, { params: { job_id: job.job_id } })).toBe(
      '404 not_found',
    );
  }
  expect((await bert.ask(reportJobRoutes.list)).items).toEqual([]);
  const { user_id } = await anna.ask(userRoutes.me);
  await dealer.ask(userRoutes.remove, { params: { user_id } });
  await vi.waitFor(async () => {
    expect((await readdir(join(host.data, 'reports'))).join()).not.toContain(job.job_id);
  }, soon);
});

test('a job whose query its report would refuse is refused, and so is one beyond the rights of its user', async () => {
  const bert = await host.login('bert');
  const asked = (kind: ReportJob['kind'], query: object) => ({
    body: { kind, format: 'csv' as const, query: { ...period(), ...query } },
  });
  const outcome = (...given: Parameters<typeof asked>) =>
    bert.outcome(reportJobRoutes.create, asked(...given));
  expect(await outcome('trips', { colour: 'red' })).toBe('400 validation_failed');
  expect(await outcome('trips', { format: 'json' })).toBe('400 validation_failed');
  expect(await outcome('trips', { vehicle: 'A1' })).toBe('404 not_found');
  expect(await outcome('video', {})).toBe('403 forbidden');
});
