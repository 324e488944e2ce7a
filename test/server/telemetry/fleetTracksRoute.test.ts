import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { position, positionRoutes } from '../../../server/contract/positions.ts';
import { createApi } from '../../../server/http/api.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { addFleetTracksRoute, type FleetTracksDeps } from '../../../server/telemetry/positionRoutes.ts';
import { addVehicle, openDepot } from '../../journey/depot.ts';
import { pathOf } from '../../support/caller.ts';
import { position as sampleRow } from '../store/telemetry/sampleRows.ts';
import { vehicleRecord } from './positions.ts';

const minute = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

describe('GET /tracks', () => {
  test('GET /tracks has a position a line, vehicle after vehicle by their names, each in order of time', async () => {
    const { dealer, host, clock } = await openDepot();
    const north = (await dealer.post('/api/v1/groups', { name: 'North' })).body.group_id as string;
    const south = (await dealer.post('/api/v1/groups', { name: 'South' })).body.group_id as string;
    await addVehicle(dealer, 'ten', { name: 'Van 10', group_ids: [north] });
    await addVehicle(dealer, 'two', { name: 'Van 2', group_ids: [north] });
    await addVehicle(dealer, 'other', { name: 'Car', group_ids: [south] });
    const start = clock.now() - 10 * minute;
    const at = (terminal_id: string, minutes: number) => ({
      terminal_id,
      time: iso(start + minutes * minute),
      lat: minutes,
      lon: 2,
      valid: minutes !== 1,
    });
    const positions = ['ten', 'other', 'two'].flatMap((it) => [2, 0, 1, 3].map((minutes) => at(it, minutes)));
    await dealer.post('/api/v1/positions', { positions });

    const period = { from: iso(start), to: iso(start + 3 * minute) };
    async function lines(caller: typeof dealer, query: object = {}) {
      const answer = await caller.get(pathOf(positionRoutes.tracks, { query: { ...period, ...query } }));
      if (answer.code !== undefined) return answer.code;
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
      return answer.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => position.parse(JSON.parse(line)))
        .map((it) => `${it.terminal_id} ${it.lat}`);
    }
    // The end of a period is not in it; what is never drawn is.
    const [car, two, ten] = ['other', 'two', 'ten'].map((it) => [0, 1, 2].map((lat) => `${it} ${lat}`));
    expect(await lines(dealer)).toEqual([...(car ?? []), ...(two ?? []), ...(ten ?? [])]);
    expect(await lines(dealer, { group_id: south })).toEqual(car);
    expect(await lines(dealer, { group_id: '11111111-1111-4111-8111-111111111111' })).toBe('not_found');
    expect(await lines(dealer, { to: iso(start + 32 * 24 * 60 * minute) })).toBe('validation_failed');

    const password = 'a user of the depot';
    await dealer.post('/api/v1/users', { login: 'ann', password, group_ids: [north] });
    await dealer.post('/api/v1/users', { login: 'bob', password, rights: { vehicles: 'none' } });
    const ann = await host.login('ann', password);
    expect(await lines(ann)).toEqual([...(two ?? []), ...(ten ?? [])]);
    expect(await lines(ann, { group_id: south })).toBe('not_found');
    expect(await lines(await host.login('bob', password))).toBe('forbidden');
  });

  test('GET /tracks without vehicles is an empty answer', async () => {
    const { dealer, clock } = await openDepot();
    const query = { from: iso(clock.now() - minute), to: iso(clock.now()) };
    expect(await dealer.get(pathOf(positionRoutes.tracks, { query }))).toMatchObject({
      status: 200,
      text: '',
    });
  });

  test('a client that hangs up ends the reading', async () => {
    let hasEnded = false;
    async function* endless() {
      try {
        for (let at = 0; ; at += 1_000) yield await Promise.resolve(rowsFrom(at));
      } finally {
        hasEnded = true;
      }
    }
    const answer = await askForTracks(endless);
    await once(answer, 'data');
    answer.destroy();
    await expect.poll(() => hasEnded).toBe(true);
  });

  test('GET /tracks of one user are read one answer at a time, and the next begins when a client hangs up', async () => {
    let begun = 0;
    async function* endless() {
      begun += 1;
      for (let at = 0; ; at += 1_000) yield await Promise.resolve(rowsFrom(at));
    }
    const url = await openTracks(endless);
    const [first] = (await once(get(url), 'response')) as [IncomingMessage];
    await once(first, 'readable');
    const second = once(get(url), 'response');
    // A third is answered by a route of its own, so that both were taken in by now.
    await once(get(`${url.split('/api')[0] ?? ''}/none`), 'response');
    expect(begun).toBe(1);
    first.destroy();
    const [next] = (await second) as [IncomingMessage];
    expect(begun).toBe(2);
    next.destroy();
  });

  test('a slow client holds up the reading', async () => {
    let pages = 0;
    async function* long() {
      for (; pages < 200;) {
        pages += 1;
        yield await Promise.resolve(rowsFrom(pages * 1_000));
      }
    }
    const answer = await askForTracks(long);
    // Nothing is taken from the connection: what fits into its buffers is read, and no more.
    await once(answer, 'readable');
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = pages === before;
          before = pages;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(pages).toBeLessThan(150);
    let size = 0;
    for await (const chunk of answer) size += (chunk as Buffer).length;
    expect(pages).toBe(200);
    expect(size).toBeGreaterThan(60_000_000);
  });

  test('a store that fails half-way cuts the answer off', async () => {
    async function* failing() {
      yield await Promise.resolve(rowsFrom(0));
      throw new Error('the disk is gone');
    }
    const answer = await askForTracks(failing);
    await expect(answer.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

function rowsFrom(time_ms: number) {
  return Array.from({ length: 1_000 }, (_, at) => sampleRow({ time_ms: time_ms + at }));
}

async function askForTracks(track: FleetTracksDeps['store']['track']): Promise<IncomingMessage> {
  const [answer] = (await once(get(await openTracks(track)), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

/** Serves the route alone, with a store of the test's own and one vehicle. Answers the URL of a day's tracks. */
async function openTracks(track: FleetTracksDeps['store']['track']): Promise<string> {
  const api = createApi({
    idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
    checkReplies: false,
  });
  const vehicle = vehicleRecord();
  addFleetTracksRoute(api, {
    vehicles: { visible: () => [vehicle], find: () => vehicle },
    groupExists: () => true,
    store: { track },
  });
  const app = express();
  app.use((_request, response, next) => {
    const log = pino({ level: 'silent' });
    const viewer = { user: { role: 'dealer' } } as Viewer;
    setContext(response, { request_id: '1', address: '', viewer, anonymous: null, log });
    next();
  });
  app.use(api.router);
  app.use(((_error, _request, response, _next) => response.destroy()) as express.ErrorRequestHandler);
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = pathOf(positionRoutes.tracks, {
    query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
  });
  return `http://127.0.0.1:${port}${path}`;
}
