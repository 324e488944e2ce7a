import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { PMTiles, type RangeResponse, type Source } from 'pmtiles';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mapRegionRoutes, type MapRegion } from '../../../../server/contract/mapRegions.ts';
import { mapRoutes, type MapArea } from '../../../../server/contract/maps.ts';
import { systemClock } from '../../../../server/clock.ts';
import type { MapRecord, Maps } from '../../../../server/maps/maps.ts';
import { openMapRegions } from '../../../../server/maps/regions/mapRegions.ts';
import { tileBoxOf } from '../../../../server/maps/regions/tileRanges.ts';
import { realMap, street, tileOf } from '../../../support/mapFiles.ts';
import { directoryOf, makePmtiles } from '../../../support/pmtilesFiles.ts';
import { startRangeServer, type RangeRequest } from '../../../support/rangeServer.ts';
import { startTestHost, type Caller, type TestHost } from '../../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let user: Caller;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'user' }] });
  dealer = await host.login();
  user = await host.login('user');
});
afterAll(() => host.close());

const filesOfHost = async () =>
  (await readdir(join(host.data, 'maps'))).filter((name) => !name.includes('.search')).sort();

const openIn = (
  folder: string,
  {
    freeBytes = () => Promise.resolve(1e9),
    addOwn = () => Promise.reject(new Error('no map is added')),
  }: { freeBytes?: () => Promise<number>; addOwn?: Maps['addOwn'] } = {},
) =>
  openMapRegions({
    maps: { folder, checkQuota: () => undefined, addOwn },
    freeBytes,
    isOwnAddress: () => false,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });

/** As the reader of the format's authors sees it. */
function opened(bytes: Uint8Array<ArrayBuffer>): PMTiles {
  const source: Source = {
    getKey: () => 'memory',
    getBytes: (offset, length): Promise<RangeResponse> =>
      Promise.resolve({ data: bytes.slice(offset, offset + length).buffer }),
  };
  return new PMTiles(source);
}

async function tilesOf(bytes: Uint8Array<ArrayBuffer>, area: MapArea, zooms: readonly number[]) {
  const archive = opened(bytes);
  const inside = new Map<string, string | null>();
  const outside = new Map<string, string | null>();
  for (const z of zooms) {
    const { west, north, east, south } = tileBoxOf(area, z);
    for (let x = Math.max(0, west - 2); x <= Math.min(2 ** z - 1, east + 2); x++) {
      for (let y = Math.max(0, north - 2); y <= Math.min(2 ** z - 1, south + 2); y++) {
        const found = await archive.getZxy(z, x, y);
        const isIn = x >= west && x <= east && y >= north && y <= south;
        const content = found === undefined ? null : Buffer.from(found.data).toString('base64');
        (isIn ? inside : outside).set(`${z}/${x}/${y}`, content);
      }
    }
  }
  return { inside, outside };
}

/** Tiles that no compression makes smaller, so that they take several requests. */
function madeArchive(more: { attribution?: string; leafSize?: number } = {}): Uint8Array<ArrayBuffer> {
  const sea = tileOf(0, 0, 0, [street('Sea')]).bytes;
  const tiles = [];
  for (let z = 4; z <= 8; z++) {
    const { west, north, east, south } = tileBoxOf(baltics, z);
    for (let x = west; x <= east; x++) {
      for (let y = north; y <= south; y++) {
        const isSea = (x + y) % 5 === 0;
        const named = () => street(`Elm ${z} ${x} ${y} ${randomBytes(12_000).toString('base64')}`);
        tiles.push(isSea ? { z, x, y, bytes: sea } : tileOf(z, x, y, [named()]));
      }
    }
  }
  return makePmtiles({ tiles, bounds: [20, 54, 30, 60], ...more });
}
const baltics: MapArea = { west: 20, south: 54, east: 30, north: 60 };
const riga: MapArea = { west: 22.6, south: 55.9, east: 27, north: 58.5 };
let elm: Uint8Array<ArrayBuffer>;
beforeAll(() => {
  elm = madeArchive({ attribution: '<b>Elm</b> &copy; Oak', leafSize: 16 });
});

async function serve(file: Uint8Array = elm, more: { etag?: string | null } = {}) {
  const server = await startRangeServer(file, more);
  onTestFinished(() => server.close());
  return server;
}

beforeEach(() =>
  onTestFinished(async () => {
    for (const { region_id } of (await dealer.ask(mapRegionRoutes.list)).items)
      await dealer.ask(mapRegionRoutes.cancel, { params: { region_id } });
  }),
);

const start = (url: string, more: Partial<Pick<MapRegion, 'area' | 'max_zoom' | 'name'>> = {}) =>
  dealer.ask(mapRegionRoutes.start, { body: { name: 'Riga', url, area: riga, max_zoom: 8, ...more } });

/** A busy machine takes seconds to start a thread. */
const until = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 60_000, interval: 20 });

const ended = (region_id: string, ...phases: MapRegion['phase'][]) =>
  until(async () => {
    const region = await dealer.ask(mapRegionRoutes.get, { params: { region_id } });
    return phases.includes(region.phase) && region;
  });

function fileOf(region: MapRegion): Uint8Array<ArrayBuffer> {
  const map_id = region.map_id ?? '';
  onTestFinished(async () => {
    await dealer.outcome(mapRoutes.remove, { params: { map_id } });
  });
  return Uint8Array.from(readFileSync(join(host.data, 'maps', `${map_id}.pmtiles`)));
}

describe('a region', () => {
  it('a region that is downloaded has the tiles of its area, none outside, and the licence of its source', async () => {
    const server = await serve();
    const { region_id } = await start(server.url);
    const done = await ended(region_id, 'done', 'failed');
    expect(done).toMatchObject({ phase: 'done', fault: null, received: done.bytes });
    const bytes = fileOf(done);
    const { inside, outside } = await tilesOf(bytes, riga, [4, 6, 7]);
    expect(inside).toEqual((await tilesOf(elm, riga, [4, 6, 7])).inside);
    expect([...outside.values()].filter((it) => it !== null)).toEqual([]);
    const map = await dealer.ask(mapRoutes.get, { params: { map_id: done.map_id ?? '' } });
    expect(map).toMatchObject({
      ...{ name: 'Riga', licence: 'Elm © Oak', kind: 'streets', schema: 'fleetdeck', area: riga },
      ...{ min_zoom: 4, max_zoom: 8, bytes: bytes.length, path: null },
    });
    expect(await opened(bytes).getHeader()).toMatchObject({ clustered: true, numAddressedTiles: done.tiles });
    expect(await filesOfHost()).toEqual([`${map.map_id}.pmtiles`]);
  });

  it('an estimate says what the download then takes, and asks for no tile', async () => {
    const server = await serve();
    const body = { url: server.url, area: riga, max_zoom: 7 };
    const estimate = await dealer.ask(mapRegionRoutes.estimate, { body });
    const header = await opened(elm).getHeader();
    const { tileDataOffset } = header;
    expect(server.requests.filter((it) => it.from >= tileDataOffset)).toEqual([]);
    expect(estimate).toMatchObject({
      source_bytes: elm.length,
      min_zoom: 4,
      max_zoom: 7,
      licence: 'Elm © Oak',
    });
    const asked = server.requests.length;
    const { region_id } = await start(server.url, { max_zoom: 7 });
    const done = await ended(region_id, 'done');
    expect(done).toMatchObject({ tiles: estimate.tiles, bytes: estimate.bytes });
    expect(fileOf(done).length).toBe(estimate.bytes);
    expect(server.requests.slice(asked).filter((it) => it.from >= tileDataOffset)).toHaveLength(
      estimate.requests,
    );
  });
});

describe('a download', () => {
  const tileRequests = (server: { requests: RangeRequest[] }, tileData: number) =>
    server.requests.filter((it) => it.from >= tileData);
  const tileDataOf = async () => (await opened(elm).getHeader()).tileDataOffset;

  it('a download that a restart of the host interrupts fetches only what is missing', async () => {
    const server = await serve();
    const tileData = await tileDataOf();
    let served = 0;
    const held: ServerResponse[] = [];
    server.state.answer = ({ from }, response) => {
      if (from < tileData || served++ < 2) return false;
      held.push(response);
      return true;
    };
    const { region_id } = await start(server.url);
    const before = await until(async () => {
      const region = await dealer.ask(mapRegionRoutes.get, { params: { region_id } });
      return held.length > 0 && region.received > 20_000 && server.requests.length > 0 && region;
    });
    await host.stop();
    const fetched = tileRequests(server, tileData).slice(0, 2);
    server.state.answer = null;
    server.requests.length = 0;
    host = await startTestHost({ data: host.data });
    [dealer, user] = [await host.login(), await host.login('user')];
    const done = await ended(region_id, 'done', 'failed');
    expect(done).toMatchObject({ phase: 'done', tiles: before.tiles, bytes: before.bytes });
    // No directories, and none of the ranges that had come.
    expect(server.requests.filter((it) => it.from < tileData)).toEqual([]);
    const isAgain = (it: RangeRequest) => fetched.some(({ from, to }) => it.from <= to && it.to >= from);
    expect(server.requests.filter(isAgain)).toEqual([]);
    const { inside } = await tilesOf(fileOf(done), riga, [6, 7]);
    expect(inside).toEqual((await tilesOf(elm, riga, [6, 7])).inside);
  });

  it('a download that is paused asks for nothing until it is resumed, also after a restart', async () => {
    const server = await serve();
    const tileData = await tileDataOf();
    let held = 0;
    server.state.answer = ({ from }) => from >= tileData && ++held > 0;
    const { region_id } = await start(server.url);
    const params = { region_id };
    await until(() => held > 0);
    expect(await dealer.ask(mapRegionRoutes.patch, { params, body: { paused: true } })).toMatchObject({
      phase: 'paused',
    });
    server.state.answer = null;
    const asked = server.requests.length;
    await host.stop();
    host = await startTestHost({ data: host.data });
    [dealer, user] = [await host.login(), await host.login('user')];
    expect(await dealer.ask(mapRegionRoutes.get, { params })).toMatchObject({ phase: 'paused', fault: null });
    expect(server.requests).toHaveLength(asked);
    await dealer.ask(mapRegionRoutes.patch, { params, body: { paused: false } });
    fileOf(await ended(region_id, 'done'));
  });

  it.each(['"2"', null])(
    'a file that changes at the source ends the download with the reason, and resuming begins anew (ETag %s)',
    async (etag) => {
      const server = await serve(elm, { etag: etag === null ? null : '"1"' });
      const tileData = await tileDataOf();
      const other = madeArchive({ attribution: 'Oak' });
      server.state.answer = ({ from }) => {
        if (from >= tileData) Object.assign(server.state, { etag, file: other });
        return false;
      };
      const { region_id } = await start(server.url);
      const failed = await ended(region_id, 'failed', 'done');
      expect(failed).toMatchObject({ phase: 'failed', received: 0, bytes: null });
      expect(failed.fault).toMatch(
        /^The file at 127\.0\.0\.1:\d+ is another one than when the download began\.$/,
      );
      const { host } = new URL(server.url);
      expect(failed.fault_causes).toEqual([{ code: 'region.changed', values: { host } }]);
      await dealer.ask(mapRegionRoutes.patch, { params: { region_id }, body: { paused: false } });
      const bytes = fileOf(await ended(region_id, 'done', 'failed'));
      expect((await tilesOf(bytes, riga, [7])).inside).toEqual((await tilesOf(other, riga, [7])).inside);
    },
  );

  it('a download that is cancelled leaves nothing behind, and the next one can begin', async () => {
    const server = await serve();
    let held = 0;
    const tileData = await tileDataOf();
    server.state.answer = ({ from }) => from >= tileData && ++held > 0;
    const { region_id } = await start(server.url);
    await until(() => held > 0);
    expect((await filesOfHost()).map((name) => name.replace(region_id, ''))).toEqual([
      ...['.region-json', '.region-segments', '.region-tiles'],
    ]);
    const second = { body: { name: 'Riga', url: server.url, area: riga, max_zoom: 8 } };
    expect(await dealer.outcome(mapRegionRoutes.start, second)).toBe('409 quota_exceeded');
    await dealer.ask(mapRegionRoutes.cancel, { params: { region_id } });
    expect(await filesOfHost()).toEqual([]);
    expect(await dealer.ask(mapRegionRoutes.list)).toEqual({ items: [] });
    server.state.answer = null;
    fileOf(await ended((await start(server.url)).region_id, 'done'));
  });

  it('a failed download that was stored without causes is read back with what it says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-regions-'));
    const now = new Date().toISOString();
    const stored = {
      ...{
        region_id: randomUUID(),
        name: 'Riga',
        url: 'https://maps.example/riga.pmtiles',
        area: riga,
        max_zoom: 8,
      },
      ...{ phase: 'failed', tiles: null, bytes: null, received: 0, interruption: null, map_id: null },
      ...{ fault: 'maps.example answered 404.', created_at: now, updated_at: now },
    };
    const file = { ...stored, user_id: randomUUID(), plan: null };
    await writeFile(join(folder, `${stored.region_id}.region-json`), JSON.stringify(file));
    const regions = await openIn(folder);
    onTestFinished(async () => {
      await regions.close();
      await rm(folder, { recursive: true });
    });
    expect(regions.list()).toEqual([stored]);
  });

  it('a download for which the disk has no space fails with the reason, keeps its place and goes on when there is', async () => {
    const server = await serve();
    const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-regions-'));
    let free = 1;
    const added: string[] = [];
    const regions = await openIn(folder, {
      freeBytes: () => Promise.resolve(free),
      async addOwn(part, name) {
        added.push(name);
        await rename(part, join(folder, 'map.pmtiles'));
        return { map_id: randomUUID() } as MapRecord;
      },
    });
    onTestFinished(async () => {
      await regions.close();
      await rm(folder, { recursive: true });
    });
    const caller = { user_id: randomUUID() };
    const asked = { name: 'Riga. Old town', url: server.url, area: riga, max_zoom: 8 };
    const { region_id } = await regions.start(asked, caller);
    const failed = await until(() => {
      const region = regions.get(region_id);
      return region.phase === 'failed' && region;
    });
    expect(failed.fault).toBe('The file needs 1 MB, and the disk has 1 MB beside its reserve.');
    expect(failed.fault_causes).toEqual([{ code: 'map.no_space', values: { needed_mb: 1, free_mb: 1 } }]);
    free = 1e9;
    await regions.resume(region_id);
    await until(() => regions.get(region_id).phase === 'done');
    expect(added).toEqual(['Riga. Old town']);
    expect(await readdir(folder)).toEqual(['map.pmtiles']);
    const [bytes, { inside }] = [readFileSync(join(folder, 'map.pmtiles')), await tilesOf(elm, riga, [6, 7])];
    expect((await tilesOf(Uint8Array.from(bytes), riga, [6, 7])).inside).toEqual(inside);
  });

  it('leftovers of a download without its state are deleted when the host starts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-regions-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const regionId = randomUUID();
    for (const what of ['tiles', 'segments', 'json', 'json.new'])
      await writeFile(join(folder, `${regionId}.region-${what}`), '{}');
    await writeFile(join(folder, `${regionId}.part`), '');
    const maps = {
      folder,
      checkQuota: () => undefined,
      addOwn: () => Promise.reject(new Error('not asked')),
    };
    const regions = await openMapRegions({
      ...{ maps, freeBytes: () => Promise.resolve(0), isOwnAddress: () => false, clock: systemClock },
      log: pino({ level: 'silent' }),
    });
    expect(await readdir(folder)).toEqual([`${regionId}.part`]);
    await regions.close();
  });

  it('only dealers estimate, start, see, pause and cancel downloads, and nothing is called for others', async () => {
    const server = await serve();
    const body = { url: server.url, area: riga, max_zoom: 8 };
    const params = { region_id: randomUUID() };
    expect(
      await Promise.all([
        user.outcome(mapRegionRoutes.estimate, { body }),
        user.outcome(mapRegionRoutes.start, { body: { ...body, name: 'Riga' } }),
        user.outcome(mapRegionRoutes.list),
        user.outcome(mapRegionRoutes.get, { params }),
        user.outcome(mapRegionRoutes.patch, { params, body: { paused: true } }),
        user.outcome(mapRegionRoutes.cancel, { params }),
      ]),
    ).toEqual(Array.from({ length: 6 }, () => '403 forbidden'));
    expect(server.requests).toEqual([]);
  });
});

describe('a source', () => {
  const refusal = async (url: string, more: Partial<{ area: MapArea; max_zoom: number }> = {}) => {
    const body = { url, area: riga, max_zoom: 8, ...more };
    const { status, body: problem } = await dealer.post('/api/v1/maps/regions/estimate', body);
    return `${status} ${(problem as { detail: string }).detail}`;
  };

  it('a server that hands out no ranges is refused before the file is read', async () => {
    const server = await serve();
    server.state.answer = (_, response) => {
      response.writeHead(200).write(Buffer.alloc(65_536));
      return true;
    };
    expect(await refusal(server.url)).toBe(
      `400 url: 127.0.0.1:${server.port} hands out only whole files, no ranges.`,
    );
  });

  it.each([
    ['http://169.254.169.254/latest', /^400 url: is a link-local address$/],
    ['http://metadata.google.internal/x', /^400 url: is a metadata service of a cloud$/],
    ['http://0x7f000001/x', /^400 url: is written in an unusual way/],
    ['http://anna:secret@127.0.0.1/x', /^400 url: holds a username or a password$/],
    ['ftp://127.0.0.1/x', /^400/],
    ['file:///etc/passwd', /^400/],
  ])('the URL %s is refused', async (url, reason) => {
    expect(await refusal(url)).toMatch(reason);
  });

  it('an address of the host itself is refused', async () => {
    expect(await refusal(`${host.url}/map.pmtiles`)).toBe('400 url: is an address of this host itself');
  });

  it('a redirect is followed on the same server, and not to this host, another port inside or what is no HTTP', async () => {
    const [server, other] = [await serve(), await serve()];
    const redirect = (location: string) => {
      server.state.answer = ({ path }, response) => {
        if (path === '/moved.pmtiles') return false;
        response.writeHead(302, { Location: location }).end();
        return true;
      };
    };
    redirect('/moved.pmtiles');
    expect(await refusal(server.url)).toMatch(/^200/);
    redirect(`${host.url}/x`);
    expect(await refusal(server.url)).toMatch(
      /redirects to an address that is an address of this host itself/,
    );
    redirect(other.url);
    expect(await refusal(server.url)).toMatch(/The address of 127\.0\.0\.1:\d+ is of a private network/);
    redirect('file:///etc/passwd');
    expect(await refusal(server.url)).toMatch(/redirects to an address that is none of HTTP/);
    redirect('/again');
    expect(await refusal(server.url)).toMatch(/redirects more than 4 times/);
    expect(other.requests).toEqual([]);
  });

  it('areas with nothing in them, outside of the file or with too many tiles are refused', async () => {
    const server = await serve();
    expect(await refusal(server.url, { area: { ...riga, east: 20 } })).toMatch(/^400 area: its west/);
    expect(await refusal(server.url, { area: { west: 1, south: 1, east: 2, north: 2 } })).toMatch(
      /^400 area: lies outside of what the file covers$/,
    );
    expect(await refusal(server.url, { max_zoom: 3 })).toMatch(/^400 max_zoom: is less than the zoom 4/);
    const world = Uint8Array.from(elm);
    world[101] = 14;
    const view = new DataView(world.buffer);
    [-180, -85, 180, 85].forEach((degrees, i) => view.setInt32(102 + 4 * i, degrees * 1e7, true));
    const all = { area: { west: -180, south: -85, east: 180, north: 85 }, max_zoom: 14 };
    expect(await refusal((await serve(world)).url, all)).toMatch(
      /tiles, and at most 2,000,000 may be copied/,
    );
  });

  const leaf = { id: 85, run: 0, length: 100, offset: 0 };
  const lies: [what: string, reason: RegExp, root: () => Uint8Array][] = [
    ['whose directories lead back to themselves', /lead round in a loop/, loop],
    ['with a directory that inflates without end', /is larger than 8 MB/, () => gzipSync(Buffer.alloc(9e6))],
    [
      'with a directory of fewer entries than it says',
      /holds fewer entries/,
      () => gzipSync(Uint8Array.of(255, 255, 3)),
    ],
    ['whose ids fall', /is not in order/, () => directoryOf([leaf, leaf])],
    [
      'with a tile beyond its end',
      /names a tile of 100 bytes/,
      () => directoryOf([{ id: 85, run: 1, length: 100, offset: 1e9 }]),
    ],
    [
      'with a tile of 5 MB',
      /names a tile of 5000000 bytes/,
      () => directoryOf([{ id: 85, run: 1, length: 5e6, offset: 0 }]),
    ],
    ['with a number that is too large', /number that is too large/, () => gzipSync(Buffer.alloc(20, 255))],
    ['without tiles', /has no tiles of this area/, () => directoryOf([])],
  ];
  it.each(lies)('a file %s is refused', async (_, reason, root) => {
    const server = await serve(withRoot(elm, root()));
    expect(await refusal(server.url)).toMatch(reason);
  });

  it('what is no PMTiles file is refused with the reason, and what cannot be reached is unavailable', async () => {
    const server = await serve(Buffer.from('notes of the night shift'.repeat(20)));
    expect(await refusal(server.url)).toBe(
      '400 url: The file cannot be used: it is no PMTiles file: its header is missing',
    );
    server.state.answer = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    expect(await refusal(server.url)).toBe(`400 url: 127.0.0.1:${server.port} answered 404.`);
  });
});

/** The archive with another root directory, which lies at its end, where its leaf directories are then, too. */
function withRoot(archive: Uint8Array<ArrayBuffer>, root: Uint8Array): Uint8Array {
  const bytes = Buffer.concat([archive, root]);
  for (const at of [8, 40]) {
    bytes.writeBigUInt64LE(BigInt(archive.length), at);
    bytes.writeBigUInt64LE(BigInt(root.length), at + 8);
  }
  return bytes;
}

/** A directory that leads to itself, of which it must state the length. */
function loop(): Uint8Array {
  for (let length = 1; ; length++) {
    const directory = directoryOf([{ id: 85, run: 0, length, offset: 0 }]);
    if (directory.length === length) return directory;
  }
}

describe.skipIf(realMap('firenze.pmtiles') === null)('the real file firenze.pmtiles', () => {
  it('a part of a real file has the tiles of its area and none outside, and its streets are found', async () => {
    const firenze = Uint8Array.from(readFileSync(realMap('firenze.pmtiles') ?? ''));
    const server = await serve(firenze);
    const area = { west: 11.24, south: 43.76, east: 11.27, north: 43.78 };
    const done = await ended((await start(server.url, { area, max_zoom: 14 })).region_id, 'done', 'failed');
    expect(done).toMatchObject({ phase: 'done', fault: null });
    const bytes = fileOf(done);
    const zooms = [0, 5, 10, 12, 13, 14];
    const { inside, outside } = await tilesOf(bytes, area, zooms);
    expect(inside).toEqual((await tilesOf(firenze, area, zooms)).inside);
    expect([...outside.values()].filter((it) => it !== null)).toEqual([]);
    const map = await dealer.ask(mapRoutes.get, { params: { map_id: done.map_id ?? '' } });
    expect(map).toMatchObject({ area, schema: 'protomaps_old', licence: 'Protomaps © OpenStreetMap' });
    const fetched = server.requests.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    expect(fetched).toBeLessThan(firenze.length / 2);
  });
});
