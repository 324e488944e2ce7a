import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Rights } from '../../../../server/contract/rights.ts';
import { ApiError, notFound } from '../../../../server/http/apiError.ts';
import type { Viewer } from '../../../../server/http/viewer.ts';
import { openReportJobs, type ReportJobsDeps } from '../../../../server/reports/jobs/reportJobs.ts';
import type { MadeReport, ReportMaker } from '../../../../server/reports/reportRoutes.ts';
import type { WorkAsk } from '../../../../server/workerChannel.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';

const hour = 3_600_000;
const query = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
const trips = { kind: 'trips', format: 'csv', query } as const;

/** A report under way: what it was asked with, and how it ends. */
interface Work {
  kind: string;
  query: Readonly<Record<string, unknown>>;
  ask: WorkAsk;
  done: (text: string) => void;
  fail: (error: unknown) => void;
}

const folders: string[] = [];
let folder: string;
let work: Work[];
const clock = createFakeClock();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-jobs-'));
  work = [];
  folders.push(folder);
});
// After the last one of a test has closed.
afterAll(() => Promise.all(folders.map((it) => rm(it, { recursive: true, force: true }))));

const maker: ReportMaker = {
  check(stored) {
    if (stored.query['vehicle'] === 'unknown') throw notFound('vehicle');
  },
  make: (stored, _viewer, ask) =>
    new Promise<MadeReport>((resolve, reject) => {
      ask.signal.addEventListener('abort', () => reject(ask.signal.reason as Error));
      work.push({
        ...stored,
        ask,
        done: (content) =>
          resolve({ pieces: [Buffer.from(content)], contentType: 'text/csv', name: 'trips.csv' }),
        fail: reject,
      });
    }),
};

function viewer(user_id: string, token_id?: string, reports: Rights['reports'] = 'read'): Viewer {
  const user = { user_id, role: 'user', rights: { reports } } as Viewer['user'];
  const token = token_id === undefined ? {} : { token: { token_id, name: token_id, isNarrowed: false } };
  return { user, session_id: 's', expires_ms: Infinity, ...token };
}
const anna = viewer('anna');
const bert = viewer('bert');

async function open(options: Partial<ReportJobsDeps> = {}) {
  const jobs = await openReportJobs({
    ...{ folder, maker, clock, log: pino({ level: 'silent' }) },
    viewerFor: (userId, tokenId) => viewer(userId, tokenId ?? undefined),
    freeBytes: () => Promise.resolve(Infinity),
    ...options,
  });
  onTestFinished(() => jobs.close());
  return jobs;
}
type Jobs = Awaited<ReturnType<typeof open>>;

const begun = (count: number) => vi.waitUntil(() => work.length >= count && work);
const stateOf = (jobs: Jobs, who: Viewer, jobId: string) => jobs.get(jobId, who).state;
const ended = (jobs: Jobs, who: Viewer, jobId: string) =>
  vi.waitUntil(() => ['done', 'failed'].includes(stateOf(jobs, who, jobId)) && jobs.get(jobId, who));

async function finished(jobs: Jobs, who: Viewer, content: string): Promise<string> {
  const { job_id } = await jobs.start(trips, who);
  const own = (await begun(work.length + 1)).at(-1);
  own?.done(content);
  await ended(jobs, who, job_id);
  clock.advance(1);
  return job_id;
}

test('a job runs with its query and format, says how far it is, and keeps its result for its owner', async () => {
  const jobs = await open();
  const started = await jobs.start(trips, anna);
  expect(started).toMatchObject({ ...trips, progress: 0, error: null, finished_at: null, expires_at: null });
  const [own] = await begun(1);
  expect(own).toMatchObject({ kind: 'trips', query: { ...query, format: 'csv' } });
  own?.ask.onProgress?.(0.4);
  expect(jobs.get(started.job_id, anna)).toMatchObject({ state: 'running', progress: 0.4 });
  await expect(jobs.result(started.job_id, anna)).rejects.toMatchObject({ code: 'task_not_done' });
  own?.done('vehicle,distance');
  const done = await ended(jobs, anna, started.job_id);
  expect(done).toMatchObject({ state: 'done', progress: 1, name: 'trips.csv', bytes: 16 });
  expect(Date.parse(done.expires_at ?? '') - clock.now()).toBe(24 * hour);
  expect(await text((await jobs.result(started.job_id, anna)).content)).toBe('vehicle,distance');
  expect(jobs.list(bert)).toEqual([]);
  expect(() => jobs.get(started.job_id, bert)).toThrow('There is no such report job.');
});

test('a report that would be refused is refused at once, and one that fails says why', async () => {
  const jobs = await open();
  await expect(jobs.start({ ...trips, query: { vehicle: 'unknown' } }, anna)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(jobs.list(anna)).toEqual([]);
  const { job_id } = await jobs.start(trips, anna);
  (await begun(1))[0]?.fail(new ApiError('too_large', 'There is too much.'));
  expect(await ended(jobs, anna, job_id)).toMatchObject({
    error: { code: 'too_large', detail: 'There is too much.' },
    bytes: null,
  });
});

test('a job that is deleted is cancelled, and nothing of it is left on the disk', async () => {
  const jobs = await open();
  const { job_id } = await jobs.start(trips, anna);
  const [own] = await begun(1);
  await jobs.remove(job_id, anna);
  expect(own?.ask.signal.aborted).toBe(true);
  const done = await finished(jobs, anna, 'rows');
  await jobs.remove(done, anna);
  expect(jobs.list(anna)).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test('jobs of a user who asks for many do not hold up those of another', async () => {
  const jobs = await open();
  for (let at = 0; at < 10; at++)
    await jobs.start({ ...trips, query: { ...query, vehicle: `A${at}` } }, anna);
  await jobs.start({ ...trips, query: { ...query, vehicle: 'B' } }, bert);
  const askedFor = () => work.map((it) => it.query['vehicle']);
  await begun(4);
  // Each begins once the disk has its record, in whatever order the disk answers.
  expect(askedFor().sort()).toEqual(['A0', 'A1', 'A2', 'A3']);
  work[0]?.done('');
  await begun(5);
  expect(askedFor().at(-1)).toBe('B');
});

test('no more jobs of a user are unfinished at a time than the quota says', async () => {
  const jobs = await open();
  for (let at = 0; at < 10; at++) await jobs.start(trips, anna);
  await expect(jobs.start(trips, anna)).rejects.toMatchObject({ code: 'quota_exceeded' });
  await expect(jobs.start(trips, bert)).resolves.toBeDefined();
});

test('a job that was under way when the host stopped starts again; after three such ends it fails', async () => {
  const first = await open();
  const kept = await finished(first, anna, 'kept');
  const { job_id } = await first.start(trips, anna);
  await begun(2);
  await first.close();
  for (const starts of [2, 3]) {
    const again = await open();
    expect((await begun(starts + 1)).at(-1)?.query).toMatchObject(query);
    expect(stateOf(again, anna, job_id)).toBe('running');
    await again.close();
  }
  await writeFile(join(folder, 'left.result.part'), 'half');
  const last = await open();
  expect(last.get(job_id, anna)).toMatchObject({
    state: 'failed',
    error: { detail: 'The server stopped each time that this report ran.' },
  });
  expect(await text((await last.result(kept, anna)).content)).toBe('kept');
  expect((await readdir(folder)).sort()).toEqual([`${kept}.json`, `${kept}.result`, `${job_id}.json`].sort());
});

test('a result is deleted after a day', async () => {
  const jobs = await open();
  const job = await finished(jobs, anna, 'rows');
  clock.advance(24 * hour - 2_000);
  expect(jobs.list(anna)).toHaveLength(1);
  clock.advance(2_000);
  expect(() => jobs.get(job, anna)).toThrow();
  clock.advance(hour);
  await vi.waitUntil(async () => (await readdir(folder)).length === 0);
});

test('older results give way to newer ones, first those of the same user, and none is written to a full disk', async () => {
  let free = Infinity;
  const jobs = await open({ budget: { ofUser: 10, all: 15 }, freeBytes: () => Promise.resolve(free) });
  const first = await finished(jobs, anna, '123456');
  const ofBert = await finished(jobs, bert, '123456');
  const second = await finished(jobs, anna, '123456');
  expect(jobs.get(first, anna)).toMatchObject({ state: 'failed', error: { code: 'file_expired' } });
  const third = await finished(jobs, bert, '1234');
  expect(stateOf(jobs, bert, ofBert)).toBe('failed');
  expect([stateOf(jobs, anna, second), stateOf(jobs, bert, third)]).toEqual(['done', 'done']);
  const large = await finished(jobs, anna, '12345678901');
  expect(jobs.get(large, anna).error?.code).toBe('too_large');
  free = 3;
  const refused = await finished(jobs, anna, '1234');
  expect(jobs.get(refused, anna).error?.code).toBe('disk_full');
  expect(stateOf(jobs, bert, third)).toBe('done');
});

test('what a user may see has changed: results of before are gone, what is under way begins again, and a deleted user leaves nothing', async () => {
  const jobs = await open();
  const done = await finished(jobs, anna, 'seen before');
  const { job_id } = await jobs.start(trips, anna);
  await begun(2);
  await jobs.sightChanged('anna', false);
  expect(jobs.get(done, anna)).toMatchObject({ state: 'failed', error: { code: 'file_expired' } });
  expect(work[1]?.ask.signal.aborted).toBe(true);
  (await begun(3))[2]?.done('seen now');
  await ended(jobs, anna, job_id);
  await jobs.sightChanged('anna', true);
  expect(await readdir(folder)).toEqual([]);
});

test('a job acts with the rights of its owner at the time when it runs', async () => {
  let now: Viewer | null = viewer('anna', undefined, 'none');
  const jobs = await open({ viewerFor: () => now });
  const { job_id } = await jobs.start(trips, anna);
  expect((await ended(jobs, anna, job_id)).error?.code).toBe('forbidden');
  now = null;
  const other = await jobs.start(trips, anna);
  expect((await ended(jobs, anna, other.job_id)).error?.code).toBe('forbidden');
  expect(work).toEqual([]);
});

test('an API token sees the jobs that it started, and its owner all of them', async () => {
  const jobs = await open();
  const token = viewer('anna', 'token-1');
  const { job_id } = await jobs.start(trips, token);
  await jobs.start(trips, anna);
  expect(jobs.list(token).map((it) => it.job_id)).toEqual([job_id]);
  expect(jobs.list(viewer('anna', 'token-2'))).toEqual([]);
  expect(jobs.list(anna)).toHaveLength(2);
});
