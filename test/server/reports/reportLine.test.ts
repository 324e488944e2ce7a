import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settingsFields } from '../../../server/contract/settings.ts';
import { reportRoutes, reportSchemas } from '../../../server/contract/reports.ts';
import { createApi } from '../../../server/http/api.ts';
import { createErrorHandler } from '../../../server/http/httpApp.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { placesBy } from '../../support/namedPlaces.ts';
import { createReportLine, type ReportLine } from '../../../server/reports/reportLine.ts';
import type { ReportJob } from '../../../server/reports/reportOrder.ts';
import { addReportRoutes } from '../../../server/reports/reportRoutes.ts';
import { systemClock } from '../../../server/clock.ts';
import { pathOf } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { fakeThreads } from '../../support/fakeThread.ts';
import { batch } from '../store/telemetry/sampleRows.ts';
import { openSampleStore } from '../store/telemetry/sampleStore.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { vehicleRecord } from '../telemetry/positions.ts';
import { driveFrom, hour } from './drives.ts';

const start = Date.parse('2026-11-10T08:00:00Z');
const period = { from: '2026-11-10T00:00:00Z', to: '2026-11-12T00:00:00Z' };
const vehicle_id = '11111111-1111-4111-8111-111111111111';
/** A fleet of this size takes longer than any test waits. */
const endlessFleet = 200_000;

/** The routes alone, over a real database and a real thread; one vehicle that a fleet consists of many times over. */
async function openReports() {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const { rows } = driveFrom(start)
    .stand(hour)
    .go(50, 2 * hour)
    .stand(hour)
    .go(30, 4 * hour)
    .stand(hour);
  await store.commit(batch({ positions: rows.map((row) => ({ ...row, vehicle_id })) }));
  const real = createReportLine(join(folder, 'telemetry.db'), () => undefined);
  const { ask, runs } = await serveReports(real);

  /** A report that works, and has reported progress. */
  async function askEndless() {
    const { request, answer } = ask({});
    const lines = await answer;
    if (lines === null) throw new Error('there was no answer');
    expect(String((await once(lines, 'data'))[0])).toMatch(/^\{"progress":/);
    return { request, lines };
  }
  return { ask, askEndless, runs, real };
}

async function serveReports(real: ReportLine) {
  onTestFinished(() => real.close());
  const runs: { outcome: Promise<unknown> }[] = [];
  const line: Pick<ReportLine, 'run'> = {
    run(...given) {
      const outcome = real.run(...given);
      runs.push({ outcome: outcome.then((it) => it.kind, String) });
      return outcome;
    },
  };
  const vehicle = vehicleRecord({ vehicle_id });
  const api = createApi({
    idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
    checkReplies: false,
  });
  addReportRoutes(api, {
    line,
    vehicles: { find: () => vehicle, visible: () => Array<typeof vehicle>(endlessFleet).fill(vehicle) },
    placesWithin: placesBy(),
    groupExists: () => false,
    geofences: { find: () => expect.unreachable(), visible: () => [], notMonitored: () => null },
    rules: { visible: () => [] },
    groups: { all: () => [] },
    store: { clipSpans: () => expect.unreachable() },
    drivers: { get: () => undefined, find: () => expect.unreachable(), sees: () => true },
    drives: { ofVehicles: () => Promise.resolve([]) },
    users: { all: () => [], get: () => undefined },
    maps: { streetFiles: () => [] },
    settings: () => settingsFields.parse({}),
    clock: systemClock,
  });
  const app = express();
  app.use((request, response, next) => {
    const log = pino({ level: 'silent' });
    const viewer = { user: { role: 'dealer', user_id: request.get('x-user') } } as Viewer;
    setContext(response, { request_id: '1', address: '', viewer, anonymous: null, log });
    next();
  });
  app.use(api.router, createErrorHandler());
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function ask(query: object, user = 'ann', accept = 'application/x-ndjson') {
    const path = pathOf(reportRoutes.summary, { query: { ...period, ...query } });
    const headers = { accept, 'x-user': user };
    const request = get({ port, host: '127.0.0.1', path, headers });
    // A call that is cut off has no answer.
    const answer = once(request, 'response').then(
      ([it]) => it as IncomingMessage,
      () => null,
    );
    return { request, answer };
  }
  return { ask, runs };
}

async function lastLine(answer: IncomingMessage | null): Promise<{ result?: unknown }> {
  const text = Buffer.concat(((await answer?.toArray()) ?? []) as Buffer[]).toString();
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { result?: unknown };
}

const hasGone = /closed the connection/;

test('a report whose client goes is ended in the middle, and the next one in line is computed', async () => {
  const { ask, askEndless, runs } = await openReports();
  const endless = await askEndless();
  const next = ask({ vehicle: vehicle_id });
  await expect.poll(() => runs.length).toBe(2);
  endless.request.destroy();
  expect(await runs[0]?.outcome).toMatch(hasGone);
  const { result } = await lastLine(await next.answer);
  expect(reportSchemas.summary.parse(result).rows).toMatchObject([{ vehicle_id, trips: 2 }]);
  expect(await runs[1]?.outcome).toBe('bytes');
});

test('a client that goes while its report is in line takes it out', async () => {
  const { ask, askEndless, runs } = await openReports();
  const endless = await askEndless();
  const second = ask({});
  await expect.poll(() => runs.length).toBe(2);
  const third = ask({ vehicle: vehicle_id });
  await expect.poll(() => runs.length).toBe(3);
  second.request.destroy();
  expect(await runs[1]?.outcome).toMatch(hasGone);
  endless.request.destroy();
  expect(await runs[0]?.outcome).toMatch(hasGone);
  const { result } = await lastLine(await third.answer);
  expect(reportSchemas.summary.parse(result).vehicles).toBe(1);
});

test('a host that shuts down fails the report under way, and says so', async () => {
  const { askEndless, real } = await openReports();
  const endless = await askEndless();
  await real.close();
  expect(await lastLine(endless.lines)).toMatchObject({ problem: { code: 'unavailable', status: 503 } });
});

describe('the reports of many users', () => {
  /** Sixty summaries of Ann: one is computed, the others wait. */
  async function openBusy() {
    const { threads, start } = fakeThreads<ReportJob>();
    const line = createReportLine('unread.db', () => undefined, { start, clock: createFakeClock() });
    const served = await serveReports(line);
    const anns = [];
    for (let at = 1; at <= 60; at++)
      anns.push(served.ask({ vehicle: vehicle_id }, 'ann', 'application/json'));
    await expect.poll(() => line.waiting('ann')).toBe(59);
    const [thread] = threads;
    if (thread === undefined) throw new Error('nothing works');
    return { ...served, line, anns, thread };
  }
  const report = { report: { kind: 'bytes', bytes: Buffer.from('{"rows":[]}'), slots: [] }, days: [] };

  test('the reports of many users are served in turn: sixty summaries of one user delay the report of another by the one that runs', async () => {
    const { ask, line, thread, anns } = await openBusy();
    const bobs = ask({ vehicle: vehicle_id, tz: 'Asia/Tokyo' }, 'bob', 'application/json');
    await expect.poll(() => line.waiting('bob')).toBe(1);
    thread.finish(report);
    expect(thread.orders.map((it) => it.tz)).toEqual(['UTC', 'Asia/Tokyo']);
    thread.finish(report);
    expect((await bobs.answer)?.statusCode).toBe(200);
    expect((await anns[0]?.answer)?.statusCode).toBe(200);
    expect(line.waiting('ann')).toBe(58);
  });

  test('the reports of many users are refused with 429 and Retry-After beyond the bound of a user, and not those of another', async () => {
    const { ask, line } = await openBusy();
    for (let at = 0; at < 5; at++) ask({ vehicle: vehicle_id }, 'ann');
    await expect.poll(() => line.waiting('ann')).toBe(64);
    const refused = await ask({ vehicle: vehicle_id }, 'ann').answer;
    expect(refused?.statusCode).toBe(429);
    expect(refused?.headers['retry-after']).toBe('5');
    expect(await lastLine(refused)).toMatchObject({
      code: 'queue_full',
      detail: '64 pieces of work of this user wait already, and no more than 64 may.',
    });
    ask({ vehicle: vehicle_id }, 'bob');
    await expect.poll(() => line.waiting('bob')).toBe(1);
  });

  test('the reports of many users leave the queue with their clients', async () => {
    const { line, anns, thread } = await openBusy();
    for (const { request } of anns) request.destroy();
    await expect.poll(() => line.waiting()).toBe(0);
    expect(thread.ended).toBe(true);
  });
});
