import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { onlineMapRoutes, type NewOnlineMap } from '../../../server/contract/onlineMaps.ts';
import { placeRoutes } from '../../../server/contract/places.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { mapsDocument } from '../../../server/maps/maps.ts';
import { tileFeatures } from '../../../server/maps/tileFeatures.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { makeMbtiles, street, tileOf } from '../../support/mapFiles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { answerWith, pngOf, startTileProvider, type TileAnswer } from '../../support/tileProvider.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let user: Caller;
let folder: string;
let files = 0;
let provider: Awaited<ReturnType<typeof startTileProvider>>;
beforeAll(async () => {
  provider = await startTileProvider();
  host = await startTestHost({ users: [{ login: 'user' }], clock });
  await logIn();
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-online-'));
});
afterAll(async () => {
  await host.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});
async function logIn(): Promise<void> {
  dealer = await host.login();
  user = await host.login('user');
}
async function restart(): Promise<void> {
  await host.stop();
  host = await startTestHost({ data: host.data, clock });
  await logIn();
}

const imagery = (more: Partial<NewOnlineMap> = {}): NewOnlineMap => ({
  kind: 'imagery',
  url: `${provider.url}/{z}/{x}/{y}.png?key=secret`,
  attribution: '© Elm',
  ...more,
});
const streets = (more: Partial<NewOnlineMap> = {}): NewOnlineMap => ({
  kind: 'streets',
  url: `${provider.url}/style.json`,
  ...more,
});
const aPicture = answerWith(pngOf('one'));

/** Answers as a provider of vector tiles does: a style, its TileJSON, and a street of a name for every tile. */
function aStreet(name: string, more: Record<string, unknown> = {}): TileAnswer {
  const json = (value: unknown) => answerWith(JSON.stringify(value), { 'Content-Type': 'application/json' });
  return (request, response) => {
    if (request.url === '/style.json') {
      json({ version: 8, sources: { base: { type: 'vector', url: 'tiles.json' } }, layers: [] })(
        request,
        response,
      );
    } else if (request.url === '/tiles.json') {
      const layers = ['road', 'place', 'land'].map((id) => ({ id }));
      const about = { vector_layers: layers, minzoom: 6, maxzoom: 8, attribution: '<b>© Oak</b>' };
      json({ tiles: ['t/{z}/{x}/{y}.pbf'], ...about, ...more })(request, response);
    } else {
      answerWith(tileOf(0, 0, 0, [street(name)]).bytes, { 'Content-Encoding': 'gzip' })(request, response);
    }
  };
}

/** Added and shown, while the provider answers; until the test ends. */
async function added(asked: NewOnlineMap, answer: TileAnswer, shown = true) {
  provider.answers(answer);
  const map = await dealer.ask(onlineMapRoutes.add, { body: { ...asked, shown } });
  provider.answers(answer);
  onTestFinished(async () => {
    await dealer.outcome(mapRoutes.remove, { params: { map_id: map.map_id } });
  });
  return map;
}
async function addedFile(zooms: readonly number[], name: string) {
  const tiles = zooms.map((z) => tileOf(z, 36 * 2 ** (z - 6), 19 * 2 ** (z - 6), [street(name)]));
  const path = makeMbtiles(join(folder, `${files++}.mbtiles`), { tiles, bounds: '22,55,29,59' });
  const { map_id } = await dealer.ask(mapRoutes.add, { body: { path, name } });
  onTestFinished(async () => {
    await dealer.outcome(mapRoutes.remove, { params: { map_id } });
  });
}

async function tile(of: string, at: string) {
  const version = (await dealer.ask(serviceRoutes.settings)).maps_version;
  const response = await fetch(`${host.url}/api/v1/maps/${of}/${at}?v=${version}`, {
    headers: { Authorization: `JWT ${dealer.jwt}` },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, cache: response.headers.get('cache-control'), bytes };
}
const namesIn = async (at: string) => {
  const { status, bytes } = await tile('streets', at);
  if (status === 204) return null;
  return tileFeatures(bytes, 'fleetdeck').flatMap((it) => it.properties['name'] ?? []);
};
const mapNow = async (map_id: string) => dealer.ask(mapRoutes.get, { params: { map_id } });
const down: TileAnswer = (request) => request.destroy();

describe('an online source of imagery', () => {
  it('imagery that was added is not called until it is shown; then its tiles are drawn', async () => {
    const map = await added(imagery(), aPicture, false);
    expect(map).toMatchObject({
      ...{ name: '127.0.0.1', kind: 'imagery', format: 'online', schema: 'raster', licence: '© Elm' },
      ...{ min_zoom: 0, max_zoom: 19, shown: false, path: null, url: imagery().url, bytes: 0, fault: null },
    });
    expect((await tile('imagery', '3/1/2')).status).toBe(204);
    expect((await tile(map.map_id, '3/1/2')).status).toBe(204);
    expect(provider.calls).toEqual([]);
    const params = { map_id: map.map_id };
    await dealer.ask(mapRoutes.patch, { params, body: { shown: true } });
    const drawn = await tile('imagery', '3/1/2');
    expect([drawn.status, Buffer.from(drawn.bytes)]).toEqual([200, pngOf('one')]);
    expect(provider.paths()).toEqual(['/3/1/2.png?key=secret']);
    expect(provider.calls[0]?.headers).toMatchObject({ 'user-agent': 'Fleetdeck/0.1.0' });
  });

  it('a tile that is cached is drawn without a call, also after a restart, until the map is removed', async () => {
    const map = await added(imagery(), aPicture);
    const first = await tile('imagery', '3/1/2');
    expect(first.cache).toBe('private, max-age=86400, immutable');
    expect((await tile('imagery', '3/1/2')).bytes).toEqual(first.bytes);
    await restart();
    expect((await tile('imagery', '3/1/2')).bytes).toEqual(first.bytes);
    expect(provider.calls).toHaveLength(1);
    expect((await mapNow(map.map_id)).bytes).toBe(512);
    await dealer.ask(mapRoutes.remove, { params: { map_id: map.map_id } });
    expect((await tile('imagery', '3/1/2')).status).toBe(204);
    const again = await added(imagery(), aPicture);
    expect((await mapNow(again.map_id)).bytes).toBe(0);
  });

  it('rows are counted from the south where the template says so', async () => {
    await added(imagery({ url: `${provider.url}/{z}/{x}/{-y}.png` }), aPicture);
    await tile('imagery', '3/1/2');
    expect(provider.paths()).toEqual(['/3/1/5.png']);
  });

  it('beyond its zooms and its area a source is not called', async () => {
    const area = { west: 20, south: 50, east: 30, north: 60 };
    await added(imagery({ min_zoom: 3, max_zoom: 6, area }), aPicture);
    for (const at of ['2/2/1', '7/72/38', '6/0/0']) expect((await tile('imagery', at)).status).toBe(204);
    expect(provider.calls).toEqual([]);
    expect((await tile('imagery', '6/36/19')).status).toBe(200);
  });

  it('a tile that several ask for at once is fetched once, and no more than six are fetched at once', async () => {
    await added(imagery(), aPicture);
    const open: (() => void)[] = [];
    provider.answers((request, response) => void open.push(() => aPicture(request, response)));
    const same = [tile('imagery', '4/0/0'), tile('imagery', '4/0/0')];
    const others = Array.from({ length: 9 }, (_, x) => tile('imagery', `4/${x + 1}/0`));
    await vi.waitUntil(() => open.length === 6);
    // All have come to the host when the last of them waits.
    await tile('streets', '4/0/0');
    expect(provider.calls).toHaveLength(6);
    provider.answers(aPicture);
    for (const answer of open) answer();
    const drawn = await Promise.all([...same, ...others]);
    expect(drawn.map(({ status }) => status)).toEqual(drawn.map(() => 200));
    expect(provider.calls).toHaveLength(4);
  });

  it('a tile that the source does not have is asked for once a day', async () => {
    await added(imagery(), aPicture);
    provider.answers(answerWith('', {}, 404));
    expect((await tile('imagery', '5/1/1')).status).toBe(204);
    expect((await tile('imagery', '5/1/1')).cache).toBe('private, max-age=86400, immutable');
    expect(provider.calls).toHaveLength(1);
  });
});

describe('freshness', () => {
  it('a tile past its age is drawn at once and renewed in the background, by its ETag', async () => {
    await added(imagery(), aPicture);
    provider.answers(answerWith(pngOf('one'), { 'Cache-Control': 'max-age=100', ETag: '"1"' }));
    expect((await tile('imagery', '3/0/0')).cache).toBe('private, max-age=100, immutable');
    clock.advance(101_000);
    provider.answers(answerWith('', { 'Cache-Control': 'max-age=100' }, 304));
    const old = await tile('imagery', '3/0/0');
    expect([Buffer.from(old.bytes), old.cache]).toEqual([pngOf('one'), 'private, no-cache']);
    await vi.waitUntil(async () => (await tile('imagery', '3/0/0')).cache?.includes('max-age'));
    expect(provider.calls.map((it) => it.headers['if-none-match'])).toEqual(['"1"']);
    clock.advance(101_000);
    provider.answers(answerWith(pngOf('two'), { 'Cache-Control': 'max-age=100' }));
    await tile('imagery', '3/0/0');
    await vi.waitUntil(async () => (await tile('imagery', '3/0/0')).cache?.includes('max-age'));
    expect(Buffer.from((await tile('imagery', '3/0/0')).bytes)).toEqual(pngOf('two'));
    expect(provider.calls).toHaveLength(1);
  });

  it('a tile that must not be stored is drawn and not cached', async () => {
    const map = await added(imagery(), aPicture);
    provider.answers(answerWith(pngOf('one'), { 'Cache-Control': 'no-store' }));
    expect((await tile('imagery', '3/0/0')).status).toBe(200);
    expect((await tile('imagery', '3/0/0')).status).toBe(200);
    expect(provider.calls).toHaveLength(2);
    expect((await mapNow(map.map_id)).bytes).toBe(0);
  });
});

describe('a source that is down', () => {
  it('cached tiles are drawn, also old ones, the map says why it is away, and it is tried again by one call', async () => {
    const map = await added(imagery(), answerWith(pngOf('one'), { 'Cache-Control': 'max-age=60' }));
    await tile('imagery', '3/0/0');
    clock.advance(61_000);
    provider.answers(down);
    const missing = await tile('imagery', '3/1/0');
    expect([missing.status, missing.cache]).toEqual([204, 'private, no-cache']);
    expect((await mapNow(map.map_id)).fault).toBe('it closed the connection without an answer');
    expect((await tile('imagery', '3/0/0')).status).toBe(200);
    provider.answers(down);
    for (const x of [2, 3, 4]) await tile('imagery', `3/${x}/0`);
    expect(provider.calls).toEqual([]);

    clock.advance(30_000);
    await Promise.all([2, 3, 4].map((x) => tile('imagery', `3/${x}/0`)));
    // One that ended with its connection was asked for by another one.
    expect(new Set(provider.paths()).size).toBe(1);
    clock.advance(59_000);
    await tile('imagery', '3/2/0');
    expect(new Set(provider.paths()).size).toBe(1);
    clock.advance(1_000);
    provider.answers(aPicture);
    expect((await tile('imagery', '3/2/0')).status).toBe(200);
    expect((await mapNow(map.map_id)).fault).toBeNull();
  });

  it('a source that does not answer is given up after ten seconds, and the pause that it asks for is kept', async () => {
    const map = await added(imagery(), aPicture);
    provider.answers(() => undefined);
    const asked = tile('imagery', '3/0/0');
    await vi.waitUntil(() => provider.calls.length === 1);
    clock.advance(10_000);
    expect((await asked).status).toBe(204);
    expect((await mapNow(map.map_id)).fault).toBe('it is not responding within 10 s');
    clock.advance(30_000);
    provider.answers(answerWith('', { 'Retry-After': '300' }, 429));
    await tile('imagery', '3/0/0');
    expect(await mapNow(map.map_id)).toMatchObject({
      fault: 'it answered 429',
      fault_causes: [{ code: 'outgoing.answered', values: { status: '429' } }],
    });
    clock.advance(299_000);
    await tile('imagery', '3/0/0');
    expect(provider.calls).toHaveLength(1);
  });

  it('streets of a file are drawn while an online source is down', async () => {
    await addedFile([6], 'Elm Street');
    await added(streets(), aStreet('Far Street'));
    provider.answers(down);
    expect(await namesIn('8/145/78')).toEqual(['Elm Street']);
    expect(await namesIn('6/1/19')).toBeNull();
  });

  it.each<[string, TileAnswer, RegExp]>([
    [
      'that is HTML',
      answerWith('<html>', { 'Content-Type': 'text/html' }),
      /no PNG, JPEG or WebP but text\/html/,
    ],
    ['beyond 4 MB', answerWith(pngOf('x'.repeat(4 * 1024 * 1024))), /larger than 4 MB/],
    [
      'that inflates beyond 4 MB',
      answerWith(gzipSync(pngOf('x'.repeat(4 * 1024 * 1024))), { 'Content-Encoding': 'gzip' }),
      /larger than 4 MB/,
    ],
    ['that is packed otherwise', answerWith('x', { 'Content-Encoding': 'br' }), /packed as br/],
  ])(
    'an answer %s is no tile, is not asked for again, and three of them pause the source',
    async (_, answer, fault) => {
      const map = await added(imagery(), aPicture);
      provider.answers(answer);
      for (const x of [0, 0, 1, 2, 3, 4]) expect((await tile('imagery', `3/${x}/0`)).status).toBe(204);
      expect(provider.calls).toHaveLength(3);
      expect((await mapNow(map.map_id)).fault).toMatch(fault);
    },
  );
});

describe('an online source of streets', () => {
  it('streets are read by a style, drawn as those of a file, and neither searched nor indexed', async () => {
    const map = await added(streets({ name: 'Oak' }), aStreet('Elm Street', { bounds: [20, 50, 30, 60] }));
    expect(map).toMatchObject({
      ...{ name: 'Oak', kind: 'streets', schema: 'fleetdeck', licence: '© Oak', min_zoom: 6, max_zoom: 8 },
      area: { west: 20, south: 50, east: 30, north: 60 },
    });
    expect(await namesIn('6/36/19')).toEqual(['Elm Street']);
    expect(await namesIn('9/288/153')).toEqual(['Elm Street']);
    expect(provider.paths().filter((it) => it.startsWith('/t/'))).toEqual([
      '/t/6/36/19.pbf',
      '/t/8/144/76.pbf',
    ]);
    expect((await dealer.ask(placeRoutes.indexes)).items).toEqual([]);
    expect(await dealer.ask(placeRoutes.reverse, { query: { lat: 56.9, lon: 24.1 } })).toEqual({
      place: null,
    });
  });

  it('a TileJSON and a style with tiles of its own are read, too', async () => {
    const answer = aStreet('Elm Street', { scheme: 'tms' });
    provider.answers(answer);
    const about = await dealer.ask(onlineMapRoutes.test, {
      body: streets({ url: `${provider.url}/tiles.json` }),
    });
    expect(about).toMatchObject({ kind: 'streets', schema: 'fleetdeck', licence: '© Oak' });
    expect(provider.paths()).toEqual(['/tiles.json', '/t/6/32/31.pbf']);
    const inline = {
      version: 8,
      sources: { own: { type: 'vector', tiles: [`${provider.url}/t/{z}/{x}/{y}`], minzoom: 6 } },
      layers: ['water', 'transportation'].map((it) => ({ id: it, source: 'own', 'source-layer': it })),
    };
    provider.answers((request, response) =>
      (request.url === '/style.json' ? answerWith(JSON.stringify(inline)) : answer)(request, response),
    );
    expect(await dealer.ask(onlineMapRoutes.test, { body: streets({ attribution: 'Oak' }) })).toMatchObject({
      schema: 'openmaptiles',
      min_zoom: 6,
      max_zoom: 14,
      licence: 'Oak',
    });
  });

  it('the TileJSON is read once a day, since providers move their tiles', async () => {
    await added(streets(), aStreet('Elm Street'));
    await namesIn('6/1/1');
    await namesIn('6/2/1');
    expect(provider.paths()).toEqual(['/style.json', '/tiles.json', '/t/6/1/1.pbf', '/t/6/2/1.pbf']);
    clock.advance(86_400_000);
    await logIn();
    provider.answers(aStreet('Elm Street', { tiles: ['new/{z}/{x}/{y}'] }));
    await namesIn('6/3/1');
    expect(provider.paths()).toEqual(['/style.json', '/tiles.json', '/new/6/3/1']);
  });

  it('a broken vector tile is left out, and the map says why', async () => {
    const map = await added(streets(), aStreet('Elm Street'));
    const other = aStreet('Elm Street');
    provider.answers((request, response) =>
      (request.url === '/t/6/36/19.pbf' ? answerWith(new Uint8Array([0x1a, 0x7f])) : other)(
        request,
        response,
      ),
    );
    expect(await namesIn('6/36/19')).toBeNull();
    expect((await mapNow(map.map_id)).fault).toMatch(/\w/);
    expect((await mapNow(map.map_id)).bytes).toBe(0);
    expect(await namesIn('6/36/19')).toBeNull();
    expect(provider.calls).toHaveLength(3);
  });

  it('a file wins over an online source where it has the tile, which is not asked for then', async () => {
    await addedFile([6], 'Elm Street');
    await added(streets(), aStreet('Far Street'));
    expect(await namesIn('6/36/19')).toContain('Elm Street');
    expect(provider.calls).toEqual([]);
    // Of a zoom that the file lacks and the source has.
    expect(await namesIn('7/72/38')).toEqual(['Far Street']);
  });
});

describe('what is refused', () => {
  const refusal = async (body: NewOnlineMap) => {
    const answer = await dealer.post('/api/v1/maps/online/test', body);
    expect([answer.status, answer.code]).toEqual([400, 'validation_failed']);
    return (answer.body as { detail: string }).detail;
  };

  it.each<[string, string, RegExp]>([
    [
      'a template with hosts to choose from',
      'https://{s}.elm.example/{z}/{x}/{y}',
      /has a placeholder in its host: name one of the hosts/,
    ],
    [
      'a template with a list of hosts',
      'https://{switch:a,b}.elm.example/{z}/{x}/{y}',
      /has a placeholder in its host: name one of the hosts/,
    ],
    [
      'a template with a placeholder in its path that is not filled in',
      'https://elm.example/{s}/{z}/{x}/{y}',
      /has \{s\}: only/,
    ],
    ['a template without rows', 'https://elm.example/{z}/{x}', /has no \{y\}/],
    ['an address of another kind', 'file:///{z}/{x}/{y}', /begins with http/],
    ['a username', 'https://a:b@elm.example/{z}/{x}/{y}', /holds a username/],
    ['a link-local address', 'http://169.254.169.254/{z}/{x}/{y}', /is a link-local address/],
    ['an address in disguise', 'http://0xa9fea9fe/{z}/{x}/{y}', /written in an unusual way/],
  ])('%s is refused with the reason', async (_, url, reason) => {
    expect(await refusal(imagery({ url }))).toMatch(reason);
  });

  it('an address that a redirect or a TileJSON leads to is checked as well', async () => {
    provider.answers(answerWith('', { Location: 'http://169.254.169.254/0/0/0' }, 302));
    expect(await refusal(imagery())).toMatch(/its address is a link-local address/);
    provider.answers(aStreet('Elm Street', { tiles: ['http://[fe80::1]/{z}/{x}/{y}'] }));
    expect(await refusal(streets())).toMatch(/its address is a link-local address/);
    expect(await refusal(imagery({ url: `${host.url}/{z}/{x}/{y}` }))).toMatch(/it is this host itself/);
  });

  it('a redirect is followed, and one that leads back to itself is not', async () => {
    provider.answers((request, response) =>
      request.url === '/moved'
        ? aPicture(request, response)
        : void response.writeHead(301, { Location: '/moved' }).end(),
    );
    expect(await dealer.ask(onlineMapRoutes.test, { body: imagery() })).toMatchObject({ schema: 'raster' });
    provider.answers(answerWith('', { Location: '/again' }, 301));
    expect(await refusal(imagery())).toMatch(/redirects too often/);
  });

  it('imagery whose largest zoom is below its lowest is refused', async () => {
    const answer = await dealer.post('/api/v1/maps/online/test', imagery({ min_zoom: 9, max_zoom: 3 }));
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'max_zoom', causes: [{ code: 'map_source.zooms' }] }] },
    });
  });

  it('imagery without an attribution, and streets that state none, are refused', async () => {
    expect(await refusal(imagery({ attribution: ' ' }))).toMatch(/^attribution: is needed/);
    provider.answers(aStreet('Elm Street', { attribution: '' }));
    expect(await refusal(streets())).toMatch(/^attribution: is needed/);
    expect(
      (await dealer.ask(onlineMapRoutes.test, { body: streets({ attribution: '© Elm' }) })).licence,
    ).toBe('© Elm');
  });

  it.each<[string, TileAnswer | (() => TileAnswer), RegExp]>([
    ['a page of HTML', answerWith('<html>'), /is no JSON/],
    ['a style of more than 4 MB', answerWith(`"${'x'.repeat(4 * 1024 * 1024)}"`), /larger than 4 MB/],
    ['an answer other than 200', answerWith('{}', {}, 403), /it answered 403/],
    [
      'a style without vector tiles',
      answerWith('{"sources":{"a":{"type":"raster"}}}'),
      /neither a TileJSON nor/,
    ],
    [
      'a schema that is not known',
      () => aStreet('', { vector_layers: [{ id: 'walls' }] }),
      /not known \(layers: walls\)/,
    ],
    [
      'tiles of another scheme',
      answerWith('{"sources":{"a":{"type":"vector","url":"mapbox://a"}}}'),
      /the URL of its source “a” begins with mapbox:\/\/; only/,
    ],
    [
      'a source of which nothing says where its tiles are',
      answerWith('{"sources":{"basemap":{"type":"vector"}}}'),
      /^url: cannot be drawn: its source “basemap” has neither “url” nor “tiles”/,
    ],
    [
      'a source with a URL that is none',
      answerWith('{"sources":{"basemap":{"type":"vector","url":"https://"}}}'),
      /the URL of its source “basemap” is not valid: https:\/\//,
    ],
    [
      'a source that leads to no TileJSON',
      answerWith('{"sources":{"a":{"type":"vector","url":"#"}}}'),
      /^url: cannot be drawn: it lists no tile URLs/,
    ],
    ['a TileJSON without tiles', answerWith('{"tiles":[]}'), /it lists no tile URLs/],
    ['bounds that are none', () => aStreet('', { bounds: [9, 9, 1, 1] }), /bounds are no area/],
    ['a server that is away', down, /cannot be read: it closed the connection/],
  ])('%s is refused as streets with the reason', async (_, answer, reason) => {
    provider.answers(answer.length === 0 ? (answer as () => TileAnswer)() : answer);
    expect(await refusal(streets())).toMatch(reason);
  });

  it('a source whose tile of the world is missing or broken is refused', async () => {
    provider.answers(answerWith('no picture'));
    expect(await refusal(imagery())).toMatch(/is no PNG, JPEG or WebP, and states no type/);
    provider.answers(answerWith('no picture', { 'Content-Type': 'text/plain' }));
    expect(await refusal(imagery())).toMatch(/is no PNG, JPEG or WebP but text\/plain/);
    provider.answers(answerWith('', {}, 404));
    expect(await refusal(imagery())).toMatch(/has no tiles: it answered 404/);
    const tiles = aStreet('Elm Street');
    provider.answers((request, response) =>
      (request.url?.startsWith('/t/') === true ? answerWith(new Uint8Array([0x1a, 0x7f])) : tiles)(
        request,
        response,
      ),
    );
    expect(await refusal(streets())).toMatch(/one of its tiles is damaged/);
  });

  it('only dealers add, test and clear online sources, and only they read their addresses', async () => {
    const map = await added(imagery(), aPicture);
    const params = { map_id: map.map_id };
    const body = imagery();
    expect(await user.outcome(onlineMapRoutes.add, { body: { ...body, shown: true } })).toBe('403 forbidden');
    expect(await user.outcome(onlineMapRoutes.test, { body })).toBe('403 forbidden');
    expect(await user.outcome(onlineMapRoutes.clearCache, { params })).toBe('403 forbidden');
    expect(provider.calls).toEqual([]);
    expect(await user.ask(mapRoutes.get, { params })).toMatchObject({ url: null, licence: '© Elm' });
    const { items } = await dealer.ask(auditRoutes.list, { query: {} });
    expect(JSON.stringify(items)).not.toContain('key=secret');
  });
});

describe('the cache', () => {
  it('the cache holds what the settings let it, and gives up what was drawn least recently', async () => {
    const kb = answerWith(pngOf('x'.repeat(1_020)));
    const map = await added(imagery(), kb);
    await dealer.ask(serviceRoutes.patchSettings, { body: { online_maps_cache_bytes: 10_240 } });
    onTestFinished(async () => {
      await dealer.ask(serviceRoutes.patchSettings, { body: { online_maps_cache_bytes: 1e9 } });
    });
    for (let x = 0; x < 9; x++) await tile('imagery', `5/${x}/0`);
    clock.advance(3_600_000);
    await logIn();
    await tile('imagery', '5/0/0');
    for (let x = 9; x < 12; x++) await tile('imagery', `5/${x}/0`);
    expect((await mapNow(map.map_id)).bytes).toBeLessThanOrEqual(10_240);
    provider.answers(kb);
    await tile('imagery', '5/0/0');
    expect(provider.calls).toEqual([]);
    await tile('imagery', '5/1/0');
    expect(provider.calls).toHaveLength(1);
  });

  it('a dealer clears the cache of a source, and a file has none', async () => {
    const map = await added(imagery(), aPicture);
    await tile('imagery', '3/1/2');
    await dealer.ask(onlineMapRoutes.clearCache, { params: { map_id: map.map_id } });
    expect((await mapNow(map.map_id)).bytes).toBe(0);
    await tile('imagery', '3/1/2');
    expect(provider.calls).toHaveLength(2);
    await addedFile([6], 'Elm Street');
    const { items } = await dealer.ask(mapRoutes.list);
    const params = { map_id: items.find((it) => it.path !== null)?.map_id ?? '' };
    expect(await dealer.outcome(onlineMapRoutes.clearCache, { params })).toBe('404 not_found');
  });

  it('a cache that is damaged is made anew, and a list of maps from before there were sources is read', async () => {
    await addedFile([6], 'Elm Street');
    await added(imagery(), aPicture);
    await tile('imagery', '3/1/2');
    await host.stop();
    writeFileSync(join(host.data, 'maps', 'online-tiles.db'), 'no database '.repeat(1_000));
    const path = join(host.data, 'maps.json');
    const document = z.object({ data: mapsDocument }).parse(JSON.parse(readFileSync(path, 'utf8')));
    const before = document.data.maps.filter((it) => it.online === null).map(({ online: _, ...it }) => it);
    writeFileSync(path, JSON.stringify({ schema: 1, data: { maps: before, version: 1_000 } }));
    await restart();
    expect((await dealer.ask(mapRoutes.list)).items).toMatchObject([{ name: 'Elm Street', url: null }]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ schema: 2 });
    await added(imagery(), aPicture);
    expect((await tile('imagery', '3/1/2')).status).toBe(200);
    expect((await tile('imagery', '3/1/2')).status).toBe(200);
    expect(provider.calls).toHaveLength(1);
  });
});
