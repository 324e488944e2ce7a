import { once } from 'node:events';
import { createServer, get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { parseXml, type XmlElement } from '../../../server/geofences/files/xml.ts';
import { createApi } from '../../../server/http/api.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { addPositionRoutes, type PositionRouteDeps } from '../../../server/telemetry/positionRoutes.ts';
import { addVehicle, openDepot } from '../../journey/depot.ts';
import { serveApi } from '../preview/apiServer.ts';
import { position } from '../store/telemetry/sampleRows.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const minute = 60_000;

describe('POST /positions', () => {
  test('POST /positions answers each position in its place, and stores what it says it stored', async () => {
    const { dealer, clock } = await openDepot();
    const id = await addVehicle(dealer, '7');
    const time = iso(clock.now());
    const answer = await dealer.post('/api/v1/positions', {
      positions: [
        { terminal_id: '7', time, lat: 1, lon: 2 },
        { terminal_id: 'stranger', time, lat: 1, lon: 2 },
        { vehicle_id: id, time, lat: 1, lon: 2 },
        { vehicle_id: id, time, lat: 1, lon: 2, speed_kmh: 30 },
        { terminal_id: '007', time: iso(clock.now() + 11 * minute), lat: 1, lon: 2 },
        { terminal_id: '7', time: iso(clock.now() + 1_000), lat: 91, lon: 2 },
        { vehicle_id: '11111111-1111-4111-8111-111111111111', time, lat: 1, lon: 2 },
        { terminal_id: '7', time: iso(clock.now() - 60 * minute), lat: 5, lon: 6 },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.results).toMatchObject([
      { status: 'stored', code: null },
      { status: 'rejected', code: 'unknown_terminal' },
      { status: 'duplicate', code: null },
      { status: 'merged', code: null },
      { status: 'rejected', code: 'time_in_future' },
      { status: 'rejected', code: 'invalid_coordinates' },
      { status: 'rejected', code: 'unknown_terminal' },
      { status: 'stored', code: null },
    ]);
    const from = iso(clock.now() - 120 * minute);
    const track = await dealer.get(`/api/v1/vehicles/7/track?from=${from}&to=${iso(clock.now())}`);
    expect(track.body.positions).toMatchObject([
      { lat: 5, lon: 6, speed_kmh: null },
      { lat: 1, lon: 2, speed_kmh: 30 },
    ]);
  });

  test('POST /positions takes the given time as it is, whatever the terminal’s clock is set to', async () => {
    const { dealer, clock, terminal } = await openDepot();
    await addVehicle(dealer, '7', { clock_offset_s: 28_800 });
    const time = iso(clock.now());
    const positions = [{ terminal_id: '7', time, lat: 1, lon: 2 }];
    expect((await dealer.post('/api/v1/positions', { positions })).body.results).toMatchObject([
      { status: 'stored' },
    ]);
    const latest = await dealer.get('/api/v1/positions/latest');
    expect(latest.body.positions).toMatchObject([{ time, lat: 1, lon: 2 }]);
    // The terminal says the same moment by its own clock.
    const timestamp = clock.now() / 1_000 + 28_800;
    expect(await terminal.send({ id: '7', lat: 1, lon: 2, timestamp })).toBe(200);
    expect((await dealer.post('/api/v1/positions', { positions })).body.results).toMatchObject([
      { status: 'duplicate' },
    ]);
    const ahead = [{ terminal_id: '7', time: iso(clock.now() + 11 * minute), lat: 1, lon: 2 }];
    await dealer.post('/api/v1/positions', { positions: ahead });
    const { items } = (await dealer.get('/api/v1/positions/rejected')).body;
    expect(items).toMatchObject([{ code: 'time_in_future', detail: expect.stringContaining('660 s') }]);
    expect(JSON.parse(items[0].raw)).not.toHaveProperty('isTimeRight');
  });

  test('5,000 positions of one call are handed in 250 at a time, each after the one before', async () => {
    const sizes: number[] = [];
    let [underWay, max] = [0, 0];
    const url = await servePositions({
      async accept(reports) {
        sizes.push(reports.length);
        underWay += 1;
        max = Math.max(max, underWay);
        await nextTurn();
        underWay -= 1;
        return reports.map((_, at) => ({ status: at === 0 ? 'stored' : 'duplicate' }));
      },
    });
    const positions = Array.from({ length: 5_001 }, (_, at) => ({
      terminal_id: '7',
      time: iso(at * minute),
      ...{ lat: 1, lon: 2 },
    }));
    const post = (body: object) =>
      fetch(`${url}/api/v1/positions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post({ positions })).status).toBe(400);
    expect(sizes).toEqual([]);
    const answer = await post({ positions: positions.slice(1) });
    const { results } = positionRoutes.post.reply.parse(await answer.json());
    expect(sizes).toEqual(Array.from({ length: 20 }, () => 250));
    expect(max).toBe(1);
    expect(results.flatMap(({ status }, at) => (status === 'stored' ? [at] : []))).toEqual(
      sizes.map((size, at) => at * size),
    );
  });

  test('a page of refused positions holds a megabyte of them at most, and the next one goes on after it', async () => {
    const rows = Array.from({ length: 600 }, (_, at) => ({
      ...{
        rejected_id: 600 - at,
        terminal_id: '7',
        received_ms: at,
        code: 'undecodable' as const,
        detail: '',
      },
      ...{ protocol: 'api', raw: 'x'.repeat(4_000) },
    }));
    let [reading, max] = [0, 0];
    const url = await servePositions({
      async rejected({ limit, before = Infinity }) {
        reading += 1;
        max = Math.max(max, reading);
        await nextTurn();
        reading -= 1;
        return rows.filter(({ rejected_id }) => rejected_id < before).slice(0, limit);
      },
    });
    const page = async (cursor: string) =>
      positionRoutes.rejected.reply.parse(
        await (await fetch(`${url}/api/v1/positions/rejected?limit=1000${cursor}`)).json(),
      );
    const sizes: number[] = [];
    const ids: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { items, next_cursor } = await page(cursor);
      sizes.push(items.length);
      ids.push(...items.map((it) => it.rejected_id));
      cursor = next_cursor === null ? null : `&cursor=${next_cursor}`;
    }
    expect(sizes).toEqual([250, 250, 100]);
    expect(ids).toEqual(rows.map((it) => it.rejected_id));
    await Promise.all(Array.from({ length: 10 }, () => page('')));
    expect(max).toBe(1);
  });

  test('rejected messages are listed with their reason, newest first and in pages', async () => {
    const { dealer, clock } = await openDepot();
    await addVehicle(dealer, '7');
    const time = iso(clock.now());
    for (const lat of [91, 92, 93]) {
      await dealer.post('/api/v1/positions', { positions: [{ terminal_id: '7', time, lat, lon: 2 }] });
    }
    const first = await dealer.get('/api/v1/positions/rejected?limit=2');
    expect(first.body.items).toMatchObject([
      { terminal_id: '7', code: 'invalid_coordinates', protocol: 'api', received_at: time },
      { code: 'invalid_coordinates' },
    ]);
    expect(JSON.parse(first.body.items[0].raw)).toMatchObject({ place: { lat: 93, lon: 2 } });
    const cursor = encodeURIComponent(String(first.body.next_cursor));
    const rest = await dealer.get(`/api/v1/positions/rejected?limit=2&cursor=${cursor}`);
    expect(rest.body).toMatchObject({ items: [{ raw: expect.stringContaining('91') }], next_cursor: null });
  });

  test('POST /positions is the dealers alone, and says which field is wrong', async () => {
    const { dealer, host, clock } = await openDepot();
    await dealer.post('/api/v1/users', { login: 'ann', password: 'a user of the depot' });
    const ann = await host.login('ann', 'a user of the depot');
    const positions = [{ terminal_id: '7', time: iso(clock.now()), lat: 'north', lon: 2 }];
    expect((await ann.post('/api/v1/positions', { positions })).status).toBe(403);
    expect((await ann.get('/api/v1/positions/rejected')).status).toBe(403);
    expect((await ann.get('/api/v1/terminals/unknown')).status).toBe(403);
    const wrong = await dealer.post('/api/v1/positions', { positions });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(wrong.body.errors).toEqual([expect.objectContaining({ path: 'positions.0.lat' })]);
    for (const none of [
      { positions: [] },
      {},
      { positions: [{ ...positions[0], lat: 1, vehicle_id: 'x' }] },
    ]) {
      expect((await dealer.post('/api/v1/positions', none)).status).toBe(400);
    }
  });
});

describe('GET /positions/latest', () => {
  test('GET /positions/latest has the newest position of every vehicle that the caller sees, by its own time', async () => {
    const { dealer, host, clock } = await openDepot();
    const group = await dealer.post('/api/v1/groups', { name: 'North' });
    const seen = await addVehicle(dealer, '1', { group_ids: [group.body.group_id] });
    const other = await addVehicle(dealer, '2');
    await addVehicle(dealer, 'silent', { group_ids: [group.body.group_id] });
    const at = (terminal_id: string, ago_ms: number, lat: number) => ({
      terminal_id,
      time: iso(clock.now() - ago_ms),
      lat,
      lon: 2,
    });
    await dealer.post('/api/v1/positions', {
      positions: [
        at('1', minute, 10),
        at('1', 2 * minute, 20),
        at('2', 0, 30),
        { ...at('1', 0, 40), valid: false },
      ],
    });
    await dealer.post('/api/v1/users', {
      login: 'ann',
      password: 'a user of the depot',
      group_ids: [group.body.group_id],
    });
    const ann = await host.login('ann', 'a user of the depot');
    const all = await dealer.get('/api/v1/positions/latest');
    const byVehicle = Object.fromEntries(
      (all.body.positions as { vehicle_id: string; lat: number }[]).map((it) => [it.vehicle_id, it.lat]),
    );
    expect(byVehicle).toEqual({ [seen]: 10, [other]: 30 });
    const hers = await ann.get('/api/v1/positions/latest?format=geojson');
    expect(hers.body).toMatchObject({
      type: 'FeatureCollection',
      features: [{ geometry: { type: 'Point', coordinates: [2, 10] }, properties: { vehicle_id: seen } }],
    });
    expect(hers.body.features).toHaveLength(1);
  });
});

describe('GET /vehicles/{vehicle}/track', () => {
  async function depotWithTrack() {
    const depot = await openDepot();
    const id = await addVehicle(depot.dealer, '7', { name: 'Van <7> & co' });
    const start = depot.clock.now() - 60 * minute;
    const positions = Array.from({ length: 10 }, (_, at) => ({
      terminal_id: '7',
      time: iso(start + at * minute),
      lat: at / 1e9,
      lon: -10 - at,
      altitude_m: at === 3 ? null : 100.5,
      speed_kmh: at,
      valid: at !== 5,
      attributes: { note: 'a, "b"' },
    }));
    await depot.dealer.post('/api/v1/positions', { positions });
    const url = (query: string, from = start, to = depot.clock.now()) =>
      `/api/v1/vehicles/7/track?from=${iso(from)}&to=${iso(to)}${query}`;
    return { ...depot, id, start, url };
  }

  test('GET /vehicles/{vehicle}/track gives every position of the period in order of time, both ends included', async () => {
    const { dealer, start, url, id } = await depotWithTrack();
    const whole = await dealer.get(url(''));
    expect(whole.headers.get('content-type')).toMatch(/^application\/json/);
    expect(whole.body.positions).toHaveLength(10);
    expect(whole.body.positions[5]).toMatchObject({
      vehicle_id: id,
      terminal_id: '7',
      valid: false,
      lon: -15,
    });
    const part = await dealer.get(url('', start + minute, start + 3 * minute));
    expect(part.body.positions.map((it: { speed_kmh: number }) => it.speed_kmh)).toEqual([1, 2, 3]);
    expect((await dealer.get(url('', start + 1, start + 2))).body).toEqual({ positions: [] });
  });

  test('a track as KML has the time, the place and the speed of each drawn position', async () => {
    const { dealer, url, start } = await depotWithTrack();
    const kml = await dealer.get(url('&format=kml'));
    expect(kml.headers.get('content-type')).toMatch(/^application\/vnd\.google-earth\.kml\+xml/);
    expect(kml.headers.get('content-disposition')).toMatch(
      /^attachment; filename=track-\d{4}-\d\d-\d\d\.kml$/,
    );
    const track = allNamed(parseXml(kml.text), 'Track')[0];
    const textsOf = (name: string) => (track === undefined ? [] : allNamed(track, name).map((it) => it.text));
    const drawn = [0, 1, 2, 3, 4, 6, 7, 8, 9];
    expect(textsOf('when')).toEqual(drawn.map((at) => iso(start + at * minute)));
    expect(textsOf('coord').map((it) => it.split(' ').map(Number))).toEqual(
      drawn.map((at) => [-10 - at, at / 1e9, at === 3 ? 0 : 100.5]),
    );
    expect(textsOf('value')).toEqual([...drawn.map(String), ...drawn.map(() => '')]);
    expect((await dealer.get(url('&format=kml', start + 1, start + 2))).text).toMatch(/<\/kml>\n$/);
  });

  test('a track as GPX has speed and course as Garmin devices write them', async () => {
    const { dealer, url } = await depotWithTrack();
    const root = parseXml((await dealer.get(url('&format=gpx'))).text);
    expect(allNamed(root, 'speed').map((it) => Number(it.text) * 3.6)).toEqual(
      [0, 1, 2, 3, 4, 6, 7, 8, 9].map((speed) => expect.closeTo(speed, 5) as number),
    );
    expect(allNamed(root, 'course')).toEqual([]);
  });

  test('GET /vehicles/{vehicle}/track answers GeoJSON, GPX and CSV; undrawn positions are in CSV alone', async () => {
    const { dealer, url } = await depotWithTrack();
    const geojson = await dealer.get(url('&format=geojson'));
    expect(geojson.headers.get('content-type')).toMatch(/^application\/geo\+json/);
    expect(geojson.body.features).toHaveLength(9);
    expect(geojson.body.features[1]).toMatchObject({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-11, 1e-9] },
      properties: { speed_kmh: 1, terminal_id: '7' },
    });

    const gpx = await dealer.get(url('&format=gpx'));
    expect(gpx.headers.get('content-type')).toMatch(/^application\/gpx\+xml/);
    expect(gpx.text).toContain('<name>Van &lt;7&gt; &amp; co</name>');
    const places = [...gpx.text.matchAll(/<trkpt lat="([^"]*)" lon="([^"]*)">/g)];
    expect(places).toHaveLength(9);
    // xsd:decimal has no exponent.
    for (const [, lat, lon] of places) expect(`${lat} ${lon}`).toMatch(/^-?\d+(\.\d+)? -?\d+(\.\d+)?$/);
    expect(places.map(([, lat]) => Number(lat))).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9].map((at) => at / 1e9));
    expect(gpx.text.match(/<ele>100\.5<\/ele>/g)).toHaveLength(8);

    const csv = await dealer.get(url('&format=csv'));
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const [head, ...rows] = csv.text.split('\r\n');
    expect(head).toMatch(/^vehicle_id,terminal_id,time,received_at,lat,lon,/);
    expect(rows).toHaveLength(11);
    expect(rows[10]).toBe('');
    for (const row of rows.slice(0, 10)) expect(row.split(',')).toHaveLength((head ?? '').split(',').length);
  });

  test('GET /vehicles/{vehicle}/track is simplified only when max_points is given', async () => {
    const { dealer, url } = await depotWithTrack();
    const two = await dealer.get(url('&max_points=2'));
    expect(two.body.positions.map((it: { speed_kmh: number }) => it.speed_kmh)).toEqual([0, 9]);
    const drawn = await dealer.get(url('&max_points=8&format=geojson'));
    expect(drawn.body.features.length).toBeGreaterThan(2);
    expect(drawn.body.features.length).toBeLessThanOrEqual(8);
  });

  test('GET /vehicles/{vehicle}/track takes no more than 31 days, no period that ends before it begins, and nothing that it does not know', async () => {
    const { dealer, start, url } = await depotWithTrack();
    const days31 = 31 * 24 * 60 * minute;
    expect((await dealer.get(url('', start - days31, start))).status).toBe(200);
    const wrong = [
      url('', start - days31 - 1, start),
      url('', start, start),
      url('', start + 1, start),
      url('&max_points=1'),
      url('&max_points=20001'),
      url('&max_points=few'),
      url('&format=shp'),
      url('&limit=5'),
      '/api/v1/vehicles/7/track',
    ];
    for (const path of wrong) {
      expect(await dealer.get(path)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
    expect((await dealer.get(url('').replace('/7/', '/8/'))).status).toBe(404);
  });

  test('a client that hangs up ends the reading', async () => {
    const read = { pages: 0, hasEnded: false };
    async function* endlessTrack() {
      try {
        for (let at = 0; ; at += 1_000) {
          read.pages += 1;
          yield await Promise.resolve(Array.from({ length: 1_000 }, (_, i) => position({ time_ms: at + i })));
        }
      } finally {
        read.hasEnded = true;
      }
    }
    const answer = await askForTrack({ track: endlessTrack });
    await once(answer, 'data');
    answer.destroy();
    await expect.poll(() => read.hasEnded).toBe(true);
  });

  test('a slow client holds up the reading', async () => {
    let pages = 0;
    async function* longTrack() {
      for (; pages < 200;) {
        pages += 1;
        yield await Promise.resolve(
          Array.from({ length: 500 }, (_, i) => position({ time_ms: pages * 1_000 + i })),
        );
      }
    }
    const answer = await askForTrack({ track: longTrack });
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
    expect(size).toBeGreaterThan(30_000_000);
  });

  test('a third track of one user begins when one of the two before it has ended', async () => {
    let begun = 0;
    async function* endlessTrack() {
      begun += 1;
      for (;;) yield await Promise.resolve(Array.from({ length: 1_000 }, () => position()));
    }
    const ask = await serveTracks({ track: endlessTrack });
    const two = Array.from({ length: 2 }, ask);
    const [first] = await Promise.all(
      two.map(async (it) => (await once(it, 'response')) as [IncomingMessage]),
    );
    const third = ask();
    await once(third, 'socket');
    await nextTurn();
    expect(begun).toBe(2);
    first?.[0].destroy();
    await once(third, 'response');
    expect(begun).toBe(3);
  });

  test('a store that fails half-way cuts the answer off', async () => {
    async function* failingTrack() {
      yield await Promise.resolve([position()]);
      throw new Error('the disk is gone');
    }
    const answer = await askForTrack({ track: failingTrack });
    await expect(answer.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

/** Asks the routes alone, with a store of the test's own, for a track. */
async function askForTrack(store: Pick<PositionRouteDeps['store'], 'track'>): Promise<IncomingMessage> {
  const ask = await serveTracks(store);
  const [answer] = (await once(ask(), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

async function serveTracks(store: Pick<PositionRouteDeps['store'], 'track'>): Promise<() => ClientRequest> {
  const api = createApi({
    idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
    checkReplies: false,
  });
  const vehicle = { vehicle_id: 'van', terminal_id: '7', name: 'Van' };
  const dealer = { user: { role: 'dealer' } } as Viewer;
  addPositionRoutes(api, { vehicles: { find: () => vehicle }, store } as unknown as PositionRouteDeps);
  const app = express();
  app.use((_request, response, next) => {
    const log = pino({ level: 'silent' });
    setContext(response, { request_id: '1', address: '', viewer: dealer, anonymous: null, log });
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
  const path = '/api/v1/vehicles/7/track?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z';
  return () => get({ port, host: '127.0.0.1', path }).on('error', () => {});
}

/** Serves the routes of positions alone, for one vehicle of terminal 7. */
async function servePositions({
  accept = () => Promise.resolve([]),
  rejected = () => Promise.resolve([]),
}: Partial<Pick<PositionRouteDeps, 'accept'> & Pick<PositionRouteDeps['store'], 'rejected'>>) {
  const deps = { accept, store: { rejected }, fleet: {}, vehicles: {} } as unknown as PositionRouteDeps;
  return serveApi(
    (api) => addPositionRoutes(api, deps),
    () => ({ user: { role: 'dealer', user_id: 'dora' } }) as Viewer,
  );
}

/** The elements of a name below another one, in their order. */
function allNamed(root: XmlElement, name: string): XmlElement[] {
  return root.children.flatMap((it) => [...(it.name === name ? [it] : []), ...allNamed(it, name)]);
}
