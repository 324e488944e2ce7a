import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mapRoutes, maxUploadPart } from '../../../server/contract/maps.ts';
import type { Problem } from '../../../server/contract/problem.ts';
import { encodeTile } from '../../../server/maps/composeTile.ts';
import { tileFeatures } from '../../../server/maps/tileFeatures.ts';
import { makeMbtiles, realMap, street, tileOf, type MadeMap } from '../../support/mapFiles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let user: Caller;
let folder: string;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'user' }] });
  dealer = await host.login();
  user = await host.login('user');
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-maps-'));
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tile 6/36/19 and those below it lie round Riga. */
const riga = { tiles: [tileOf(6, 36, 19, [street('Elm Street')])], bounds: '23,56,25,57' };
let count = 0;
const made = (more: Partial<MadeMap> = {}) =>
  makeMbtiles(join(folder, `map-${count++}.mbtiles`), { ...riga, ...more });
const add = async (path: string, name?: string) => {
  const map = await dealer.ask(mapRoutes.add, { body: { path, ...(name === undefined ? {} : { name }) } });
  onTestFinished(async () => {
    await dealer.outcome(mapRoutes.remove, { params: { map_id: map.map_id } });
  });
  return map;
};
/** Without the search indexes, which are made of maps in a thread of their own. */
const filesOfHost = async () =>
  (await readdir(join(host.data, 'maps'))).filter((name) => !name.includes('.search')).sort();

async function tile(of: string, at: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${host.url}/api/v1/maps/${of}/${at}`, {
    headers: { Authorization: `JWT ${dealer.jwt}`, ...headers },
  });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}
const namesIn = async (at: string) => {
  const { response, bytes } = await tile('streets', at);
  if (response.status === 204) return null;
  return tileFeatures(bytes, 'fleetdeck').flatMap((it) => it.properties['name'] ?? []);
};

/** Sends a file as the console does. */
async function upload(bytes: Uint8Array<ArrayBuffer>, name = 'upload.mbtiles', caller = dealer) {
  const { upload_id } = await caller.ask(mapRoutes.startUpload, { body: { name, bytes: bytes.length } });
  let answer = null;
  for (let from = 0; from < bytes.length; from += maxUploadPart) {
    answer = await part(upload_id, from, bytes.slice(from, from + maxUploadPart));
    if (answer.status !== 200) break;
  }
  return { upload_id, answer };
}
const part = (uploadId: string, from: number, bytes: Uint8Array) =>
  dealer.call('PUT', `/api/v1/maps/uploads/${uploadId}?from=${from}`, bytes, {
    'Content-Type': 'application/octet-stream',
  });

describe('a map file that lies on the host', () => {
  it('a map file is added by its path, is drawn, renamed, hidden and removed, and the file stays', async () => {
    const path = made({ attribution: '<a href="https://elm.example">Elm &amp; Oak</a> &copy; 2026' });
    const map = await add(path, 'The elm');
    expect(map).toMatchObject({
      ...{ name: 'The elm', kind: 'streets', format: 'mbtiles', schema: 'fleetdeck', path, fault: null },
      area: { west: 23, south: 56, east: 25, north: 57 },
      ...{ min_zoom: 6, max_zoom: 6, licence: 'Elm & Oak © 2026', shown: true, version: 1 },
    });
    expect(await namesIn('6/36/19')).toEqual(['Elm Street']);
    const params = { map_id: map.map_id };
    expect(await user.ask(mapRoutes.get, { params })).toEqual({ ...map, path: null });
    const hidden = await dealer.ask(mapRoutes.patch, { params, body: { shown: false, name: 'Oak' } });
    expect(hidden).toMatchObject({ name: 'Oak', shown: false, version: 2 });
    expect(await namesIn('6/36/19')).toBeNull();
    // It is still a file whose tiles can be asked for.
    expect((await tile(map.map_id, '6/36/19')).response.status).toBe(200);
    await dealer.ask(mapRoutes.remove, { params });
    expect(await dealer.ask(mapRoutes.list)).toEqual({ items: [] });
    expect(readFileSync(path).length).toBeGreaterThan(0);
  });

  it('only dealers change maps, and all users read them', async () => {
    const map = await add(made());
    const params = { map_id: map.map_id };
    expect(await user.outcome(mapRoutes.add, { body: { path: '/x' } })).toBe('403 forbidden');
    expect(await user.outcome(mapRoutes.patch, { params, body: { name: 'x' } })).toBe('403 forbidden');
    expect(await user.outcome(mapRoutes.remove, { params })).toBe('403 forbidden');
    expect(await user.outcome(mapRoutes.startUpload, { body: { name: 'x', bytes: 1 } })).toBe(
      '403 forbidden',
    );
    expect((await user.ask(mapRoutes.list)).items).toHaveLength(1);
    const { status, headers } = await user.get(`/api/v1/maps/${map.map_id}/6/36/19`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  });

  it('the same file is no second map, and a path that is none is refused with the reason', async () => {
    const path = made();
    await add(path);
    const refusal = async (given: string) =>
      (await dealer.post('/api/v1/maps', { path: given })).body as unknown;
    expect(await refusal(path)).toMatchObject({ code: 'in_use' });
    expect(await refusal('maps/x.pmtiles')).toMatchObject({ detail: 'path: is not absolute' });
    expect(await refusal(folder)).toMatchObject({ detail: 'path: is no file' });
    expect(await refusal(join(folder, 'none'))).toMatchObject({
      detail: 'path: cannot be read: it does not exist, or its disk is not connected',
    });
    expect(await refusal(join(host.data, 'telemetry.db'))).toMatchObject({
      detail: 'path: lies in the data folder',
    });
  });

  it('everybody hears of another set of maps by the settings', async () => {
    const before = (await user.get('/api/v1/settings')).body as { maps_version: number };
    await add(made());
    const after = (await user.get('/api/v1/settings')).body as { maps_version: number };
    expect(after.maps_version).toBe(before.maps_version + 1);
  });

  it('a map whose file is gone says so, and the others are drawn', async () => {
    const gone = await add(made({ tiles: [tileOf(6, 36, 19, [street('Gone')])], bounds: '23,56,24,57' }));
    await add(made());
    await rm(gone.path ?? '');
    expect(await namesIn('6/36/19')).toEqual(['Elm Street']);
    expect(await dealer.ask(mapRoutes.get, { params: { map_id: gone.map_id } })).toMatchObject({
      fault: 'it does not exist, or its disk is not connected',
      fault_causes: [{ code: 'map_file.missing', values: {} }],
    });
  });
});

describe('tiles', () => {
  it('a tile of a file is passed on as it is stored, packed for those who take gzip', async () => {
    const map = await add(made());
    const stored = riga.tiles[0]?.bytes ?? new Uint8Array();
    const packed = await tile(map.map_id, '6/36/19');
    expect(packed.response.headers.get('content-encoding')).toBe('gzip');
    expect(packed.bytes).toEqual(new Uint8Array(gunzipSync(stored)));
    const plain = await tile(map.map_id, '6/36/19', { 'Accept-Encoding': 'identity' });
    expect(plain.response.headers.get('content-encoding')).toBeNull();
    expect(plain.bytes).toEqual(packed.bytes);
    const etag = packed.response.headers.get('etag') ?? '';
    expect(etag).toBe(`"${createHash('sha1').update(stored).digest('base64url')}"`);
    const again = await tile(map.map_id, '6/36/19', { 'If-None-Match': etag });
    expect([again.response.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('a tile may be kept by whoever names the version of the maps, and must be asked for again by others', async () => {
    await add(made());
    const { maps_version } = (await user.get('/api/v1/settings')).body as { maps_version: number };
    const kept = async (query: string) =>
      (await tile('streets', `6/36/19${query}`)).response.headers.get('cache-control');
    expect(await kept(`?v=${maps_version}`)).toBe('private, max-age=86400, immutable');
    expect(await kept(`?v=${maps_version - 1}`)).toBe('private, no-cache');
    expect(await kept('')).toBe('private, no-cache');
  });

  it('tiles count towards a budget of their own, which leaves the other calls as they are', async () => {
    const map = await add(made());
    const left = (answer: { headers: Headers }) => Number(answer.headers.get('ratelimit-remaining'));
    const before = left(await dealer.get('/api/v1/settings'));
    const first = await dealer.get(`/api/v1/maps/${map.map_id}/6/36/19`);
    const second = await dealer.get(`/api/v1/maps/streets/6/36/19`);
    expect(left(first) - left(second)).toBe(1);
    expect(before - left(await dealer.get('/api/v1/settings'))).toBe(1);
  });

  it('a tile where no map is has no content, and one that is no tile of its zoom is not found', async () => {
    await add(made());
    expect((await tile('streets', '6/0/0')).response.status).toBe(204);
    expect((await tile('streets', '5/18/10')).response.status).toBe(204);
    expect((await tile('imagery', '6/36/19')).response.status).toBe(204);
    expect((await tile('streets', '2/4/0')).response.status).toBe(404);
    expect((await tile('streets', '25/0/0')).response.status).toBe(404);
  });

  it('a zoom that a file lacks is made from the deepest that it has', async () => {
    await add(made());
    // The street runs through the middle of 6/36/19.
    expect(await namesIn('8/145/78')).toEqual(['Elm Street']);
    expect(await namesIn('8/145/79')).toEqual([]);
  });

  it('where maps overlap the deeper one is drawn alone, and the other beside its area', async () => {
    const [wide, deep] = ['Wide', 'Deep'].map((name, i) =>
      made({
        tiles:
          i === 0
            ? [tileOf(6, 36, 19, [street(name)])]
            : [6, 7].map((z) => tileOf(z, 36 * (z - 5), 19 * (z - 5), [street(name)])),
        // The left third of the tile, or all of it.
        bounds: i === 0 ? '22.5,55.8,28.3,58.8' : '22.5,55.8,24.4,58.8',
      }),
    );
    await add(wide ?? '');
    await add(deep ?? '');
    const { bytes } = await tile('streets', '6/36/19');
    const roads = tileFeatures(bytes, 'fleetdeck').filter((it) => it.layer === 'road');
    const spans = Object.fromEntries(
      roads.map(({ properties, parts }) => {
        const xs = parts.flat().filter((_, i) => i % 2 === 0);
        return [properties['name'], [Math.min(...xs), Math.max(...xs)]];
      }),
    );
    expect(spans['Deep']).toEqual([0, 4096]);
    expect(spans['Wide']?.[0]).toBeGreaterThan(1_300);
    expect(spans['Wide']?.[1]).toBe(4096);
  });

  it('the TileJSON of a map and of all of them names its tiles, area and licence', async () => {
    const map = await add(made({ attribution: 'Elm' }));
    const of = async (map_id: string) => dealer.ask(mapRoutes.tileJson, { params: { map_id } });
    expect(await of(map.map_id)).toMatchObject({
      ...{ tilejson: '3.0.0', attribution: 'Elm', minzoom: 6, maxzoom: 6, bounds: [23, 56, 25, 57] },
      tiles: [`/api/v1/maps/${map.map_id}/{z}/{x}/{y}`],
    });
    expect(await of('streets')).toMatchObject({ attribution: 'Elm', minzoom: 6, maxzoom: 6 });
    expect(((await of('streets'))['vector_layers'] as { id: string }[]).map((it) => it.id)).toContain('road');
  });
});

describe('an upload', () => {
  it('a file that is uploaded becomes a map, which is deleted with its file', async () => {
    const bytes = new Uint8Array(readFileSync(made()));
    const { upload_id, answer } = await upload(bytes, 'Riga.mbtiles');
    const body = answer?.body as { map: { map_id: string } } | undefined;
    const map_id = body?.map.map_id ?? '';
    expect(body).toMatchObject({
      received: bytes.length,
      map: { name: 'Riga', path: null, bytes: bytes.length },
    });
    expect(await dealer.outcome(mapRoutes.getUpload, { params: { upload_id } })).toBe('404 not_found');
    expect(await filesOfHost()).toEqual([`${map_id}.mbtiles`]);
    expect(await namesIn('6/36/19')).toEqual(['Elm Street']);
    await dealer.ask(mapRoutes.remove, { params: { map_id } });
    expect(await filesOfHost()).toEqual([]);
  });

  it('an upload goes on where it ended, also after a restart of the host', async () => {
    const bytes = new Uint8Array(readFileSync(made()));
    const { upload_id } = await dealer.ask(mapRoutes.startUpload, {
      body: { name: 'Riga', bytes: bytes.length },
    });
    const params = { upload_id };
    expect((await part(upload_id, 0, bytes.slice(0, 1_000))).body).toMatchObject({
      received: 1_000,
      map: null,
    });
    const gap = await part(upload_id, 2_000, bytes.slice(2_000));
    expect([gap.status, (gap.body as { detail: string }).detail]).toEqual([
      409,
      'The next part begins at 1000, not at 2000.',
    ]);
    await host.stop();
    host = await startTestHost({ data: host.data });
    dealer = await host.login();
    user = await host.login('user');
    expect(await dealer.ask(mapRoutes.getUpload, { params })).toMatchObject({
      received: 1_000,
      bytes: bytes.length,
    });
    expect((await dealer.ask(mapRoutes.listUploads)).items).toHaveLength(1);
    const done = await part(upload_id, 1_000, bytes.slice(1_000));
    const { map } = done.body as { map: { map_id: string } };
    await dealer.ask(mapRoutes.remove, { params: { map_id: map.map_id } });
  });

  it('an upload that is cancelled leaves nothing behind', async () => {
    const { upload_id } = await dealer.ask(mapRoutes.startUpload, { body: { name: 'Riga', bytes: 100 } });
    await part(upload_id, 0, new Uint8Array(50));
    await dealer.ask(mapRoutes.cancelUpload, { params: { upload_id } });
    expect(await filesOfHost()).toEqual([]);
    expect((await part(upload_id, 50, new Uint8Array(50))).status).toBe(404);
  });

  it('more bytes than the file was to have are refused, and those before them stay', async () => {
    const { upload_id } = await dealer.ask(mapRoutes.startUpload, { body: { name: 'Riga', bytes: 100 } });
    await part(upload_id, 0, new Uint8Array(50));
    expect(await part(upload_id, 50, new Uint8Array(51))).toMatchObject({ status: 400 });
    expect(await dealer.ask(mapRoutes.getUpload, { params: { upload_id } })).toMatchObject({ received: 50 });
    await dealer.ask(mapRoutes.cancelUpload, { params: { upload_id } });
  });

  it('a file for which the disk has no room is refused before a byte of it is sent', async () => {
    const answer = await dealer.post('/api/v1/maps/uploads', { name: 'Planet', bytes: 999_000_000_000 });
    expect([answer.status, answer.code]).toEqual([507, 'disk_full']);
    expect((answer.body as { detail: string }).detail).toMatch(
      /^The file needs 999,000 MB, and the disk has [\d,]+ MB/,
    );
  });

  it('no more than five uploads are unfinished at a time', async () => {
    const start = () => dealer.outcome(mapRoutes.startUpload, { body: { name: 'Riga', bytes: 100 } });
    expect([await start(), await start(), await start(), await start(), await start()]).toEqual([
      201, 201, 201, 201, 201,
    ]);
    expect(await start()).toBe('409 quota_exceeded');
    for (const { upload_id } of (await dealer.ask(mapRoutes.listUploads)).items)
      await dealer.ask(mapRoutes.cancelUpload, { params: { upload_id } });
  });
});

describe('a file that is no map', () => {
  const bomb = gzipSync(new Uint8Array(5 * 1024 * 1024));
  const tileBytes = riga.tiles[0]?.bytes ?? new Uint8Array();
  const broken: [what: string, reason: RegExp, bytes: () => Uint8Array][] = [
    ['text', /neither PMTiles nor MBTiles/, () => new TextEncoder().encode('not a map at all, sorry')],
    [
      'PMTiles of another version',
      /version 2; version 3 is read/,
      () => new Uint8Array([...new TextEncoder().encode('PMTiles'), 2, ...new Uint8Array(200)]),
    ],
    [
      'a header that is cut off',
      /is cut off/,
      () => new Uint8Array([...new TextEncoder().encode('PMTiles'), 3, 0, 0]),
    ],
    ['PMTiles whose directory lies outside', /outside of the file/, () => pmtiles({ rootOffset: 1e9 })],
    ['PMTiles whose directories lead round', /in a loop/, () => pmtiles({ loop: true })],
    [
      'PMTiles with a directory that inflates without end',
      /is larger than 8 MB/,
      () => pmtiles({ directory: gzipSync(new Uint8Array(9e6)) }),
    ],
    [
      'a tile that inflates beyond 4 MB',
      /is larger than 4 MB/,
      () => readFileSync(made({ tiles: [{ z: 6, x: 36, y: 19, bytes: bomb }] })),
    ],
    [
      'a tile that is damaged',
      /tiles is damaged: /,
      () => readFileSync(made({ tiles: [{ z: 6, x: 36, y: 19, bytes: new Uint8Array([0x1a, 0x7f]) }] })),
    ],
    [
      'a database of something else',
      /database cannot be read: no such table: tiles/,
      () => readFileSync(made({ more: 'DROP TABLE tiles' })),
    ],
    ['a tile set without tiles', /holds no tiles/, () => readFileSync(made({ tiles: [] }))],
    ['tiles without an index', /have no index/, () => readFileSync(made({ more: 'DROP INDEX tile_index' }))],
    [
      'tiles that a view computes',
      /database cannot be read: not authorized/,
      () =>
        readFileSync(
          made({
            more: 'DROP TABLE tiles; CREATE VIEW tiles AS SELECT 6 AS zoom_level, 36 AS tile_column, 44 AS tile_row, randomblob(9) AS tile_data',
          }),
        ),
    ],
    ['bounds that are none', /bounds are no area/, () => readFileSync(made({ bounds: '25,56,23,57' }))],
    [
      'a schema that is not known',
      /schema is not known \(layers: walls, doors\)/,
      () => readFileSync(made({ layers: ['walls', 'doors'] })),
    ],
    [
      'tiles of no known type',
      /type that is not known/,
      () => readFileSync(made({ tiles: [{ z: 6, x: 36, y: 19, bytes: new Uint8Array([1, 2, 3]) }] })),
    ],
    [
      'a database that was cut off',
      /cannot be read|malformed/,
      () =>
        readFileSync(
          made({
            tiles: Array.from({ length: 200 }, (_, at) => ({ z: 10, x: at, y: 19, bytes: tileBytes })),
          }),
        ).subarray(0, 9_000),
    ],
  ];

  it.each(broken)('%s is rejected with the reason and leaves nothing behind', async (_, reason, bytesOf) => {
    const { answer } = await upload(new Uint8Array(bytesOf()));
    expect([answer?.status, answer?.code]).toEqual([400, 'validation_failed']);
    const refused = answer?.body as Problem | undefined;
    expect(refused?.detail).toMatch(reason);
    expect(refused?.causes?.map(({ code }) => code)).toEqual([
      'map.not_drawable',
      expect.stringMatching(/^map_file\./) as string,
    ]);
    expect(await filesOfHost()).toEqual([]);
    expect((await dealer.ask(mapRoutes.list)).items).toEqual([]);
    expect((await dealer.ask(mapRoutes.listUploads)).items).toEqual([]);
  });

  it('a tile that was broken after its file was added is left out, and the map says why', async () => {
    const path = made();
    const map = await add(path);
    await writeFile(path, readFileSync(made({ tiles: [{ z: 6, x: 36, y: 19, bytes: bomb }] })));
    expect((await tile('streets', '6/36/19')).response.status).toBe(204);
    expect(await dealer.ask(mapRoutes.get, { params: { map_id: map.map_id } })).toMatchObject({
      fault: 'one of its tiles is larger than 4 MB',
      fault_causes: [{ code: 'map_file.tile_too_large', values: { mb: 4 } }],
    });
  });
});

/** A PMTiles file of one tile, with a fault. */
function pmtiles({
  rootOffset,
  loop,
  directory,
}: {
  rootOffset?: number;
  loop?: boolean;
  directory?: Uint8Array;
}): Uint8Array {
  const tileData = gzipSync(encodeTile([street('Elm Street')]));
  const metadata = gzipSync(JSON.stringify({ vector_layers: [{ id: 'road' }, { id: 'land' }] }));
  // One entry: tile 0 with a run of 1, or a leaf directory (a run of 0) that is the directory itself, which must
  // then state its own length.
  const entry = (run: number, length: number) =>
    Buffer.from(gzipSync(Uint8Array.from([1, 0, run, length, 1])));
  let root = directory === undefined ? entry(1, tileData.length) : Buffer.from(directory);
  while (loop === true) {
    const next = entry(0, root.length);
    if (next.length === root.length && next.equals(root)) break;
    root = next;
  }
  const header = new DataView(new ArrayBuffer(127));
  new Uint8Array(header.buffer).set(new TextEncoder().encode('PMTiles'));
  header.setUint8(7, 3);
  const place = (at: number, offset: number, length: number) => {
    header.setBigUint64(at, BigInt(offset), true);
    header.setBigUint64(at + 8, BigInt(length), true);
  };
  place(8, rootOffset ?? 127, root.length);
  place(24, 127 + root.length, metadata.length);
  place(40, 127, root.length);
  place(56, 127 + root.length + metadata.length, tileData.length);
  for (const [at, value] of [[97, 2], [98, 2], [99, 1], [100, 0], [101, 0]] as const) header.setUint8(at, value); // prettier-ignore
  [-10, -10, 10, 10].forEach((degrees, i) => header.setInt32(102 + 4 * i, degrees * 1e7, true));
  const bytes = Buffer.concat([new Uint8Array(header.buffer), root, metadata, tileData]);
  return new Uint8Array(bytes);
}

describe.each([
  ['andorra.mbtiles', { schema: 'openmaptiles', kind: 'streets' }, '14/8261/6050', 'Avinguda Meritxell'],
  [
    'firenze.pmtiles',
    { schema: 'protomaps_old', kind: 'streets', licence: 'Protomaps © OpenStreetMap' },
    '14/8704/5972',
    'Piazza della Signoria',
  ],
] as const)('the real file %s', (name, about, at, street) => {
  const path = realMap(name);
  it.skipIf(path === null)(
    `a real file, ${name}, is known for what it is, and its streets are drawn with their names`,
    async () => {
      const map = await add(path ?? '');
      expect(map).toMatchObject({ ...about, name: name.split('.')[0], max_zoom: 14 });
      expect(await namesIn(at)).toContain(street);
    },
  );
});

it.skipIf(realMap('whitney.pmtiles') === null)(
  'a raster file is imagery, whose pictures are passed on',
  async () => {
    const map = await add(realMap('whitney.pmtiles') ?? '');
    expect(map).toMatchObject({ kind: 'imagery', schema: 'raster', min_zoom: 8, max_zoom: 15 });
    const { response, bytes } = await tile('imagery', '8/43/100');
    expect([response.headers.get('content-type'), response.headers.get('content-encoding')]).toEqual([
      'image/webp',
      null,
    ]);
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('RIFF');
  },
);
