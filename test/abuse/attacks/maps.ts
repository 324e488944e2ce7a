import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mapRegionRoutes } from '../../../server/contract/mapRegions.ts';
import { mapRoutes, maxUploadPart, type MapArea } from '../../../server/contract/maps.ts';
import { placeRoutes } from '../../../server/contract/places.ts';
import { onlineMapRoutes } from '../../../server/contract/onlineMaps.ts';
import { makeMbtiles, street, tileOf } from '../../support/mapFiles.ts';
import { makePmtiles } from '../../support/pmtilesFiles.ts';
import { startRangeServer } from '../../support/rangeServer.ts';
import { answerWith, pngOf, startTileProvider, type TileAnswer } from '../../support/tileProvider.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-abuse-maps-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A tile that is as dense as a city's. */
const denseTile = (z: number, x: number, y: number) =>
  tileOf(
    ...([z, x, y] as const),
    Array.from({ length: 5_000 }, (_, at) => ({
      ...street(`Street ${at}`, { 'name:en': `Street ${at} in English` }),
      parts: [Array.from({ length: 40 }, (__, i) => ((i % 2) * 37 + i * 50 + at) % 4_096)],
    })),
  );

/** One after the other: only a few files of one user wait to be read. */
let adding: Promise<unknown> = Promise.resolve();

export function aMap(field: Pick<Field, 'keeper'>): Promise<string> {
  const added = adding.then(() => addDense(field));
  adding = added.catch(() => undefined);
  return added;
}

async function addDense({ keeper }: Pick<Field, 'keeper'>): Promise<string> {
  const path = makeMbtiles(join(await aFolder(), 'dense.mbtiles'), {
    tiles: [denseTile(8, 145, 78)],
    bounds: '23,56,26,57.5',
  });
  return (await keeper.ask(mapRoutes.add, { body: { path } })).map_id;
}

const ofMap =
  (more: object = {}): OperationAttack['calls'] =>
  async (field) => {
    const map_id = await aMap(field);
    return () => ({ params: { map_id }, ...more });
  };

async function anUpload({ keeper }: Field, bytes: number): Promise<string> {
  return (await keeper.ask(mapRoutes.startUpload, { body: { name: 'large', bytes } })).upload_id;
}

const ofUpload: OperationAttack['calls'] = async (field) => {
  const upload_id = await anUpload(field, 1_000_000);
  return () => ({ params: { upload_id } });
};

/** 100 leaf directories, whose tiles are all one, on a server of their own. */
let source: Promise<{ url: string; area: MapArea; max_zoom: number }> | null = null;

function aSource() {
  source ??= startRangeServer(
    makePmtiles({
      tiles: Array.from({ length: 5_000 }, (_, at) => ({
        ...{ z: 10, x: 300 + (at % 200), y: 300 + Math.floor(at / 200) },
        bytes: elm,
      })),
      bounds: [-74, 20, 31, 66],
      leafSize: 50,
    }),
  ).then((server) => {
    process.once('exit', () => void server.close());
    return { url: server.url, area: { west: -74, south: 20, east: 31, north: 66 }, max_zoom: 10 };
  });
  return source;
}
const elm = tileOf(0, 0, 0, [street('Elm Street')]).bytes;

let starting: Promise<unknown> = Promise.resolve();

function aRegion(field: Pick<Field, 'keeper'>): Promise<string> {
  const started = starting.then(() => theRegion(field));
  starting = started.catch(() => undefined);
  return started;
}

/** One at a time may be under way. */
async function theRegion({ keeper }: Pick<Field, 'keeper'>): Promise<string> {
  const { items } = await keeper.ask(mapRegionRoutes.list);
  const [there] = items;
  if (there !== undefined) return there.region_id;
  const body = { name: 'elm', ...(await aSource()) };
  return (await keeper.ask(mapRegionRoutes.start, { body })).region_id;
}

const ofRegion =
  (more: (at: number) => object = () => ({})): OperationAttack['calls'] =>
  async (field) => {
    const region_id = await aRegion(field);
    return (at) => ({ params: { region_id }, ...more(at) });
  };

/** A server of tiles that ends with the process. */
async function aProvider(answer: TileAnswer): Promise<{ url: string }> {
  const provider = await startTileProvider();
  provider.answers(answer);
  return provider;
}

const ofProvider =
  (answer: TileAnswer): OperationAttack['calls'] =>
  async () => {
    const { url } = await aProvider(answer);
    return () => ({ body: { kind: 'streets', url: `${url}/style.json` } });
  };

const hostileStyle: TileAnswer = (request, response) => {
  const vector_layers = Array.from({ length: 100_000 }, (_, id) => ({ id: `layer ${id}` }));
  const tiles = { tiles: ['{z}/{x}/{y}'], vector_layers };
  const sources = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`source ${at}`, { type: 'vector', url: `tiles-${at}.json` }]),
  );
  answerWith(JSON.stringify(request.url === '/style.json' ? { version: 8, sources } : tiles))(
    request,
    response,
  );
};

/** A name of its own for each number. */
const syllables = (at: number): string =>
  Array.from({ length: 5 }, (_, i) => 'bcdfghklmn'[Math.floor(at / 10 ** i) % 10] ?? '').join('a');

/** Each in a tile of its own. */
const scattered = (at: number) =>
  Array.from({ length: 1_000 }, (_, i) => ({
    lat: 56.1 + ((i * 37 + at) % 1_000) / 1_000,
    lon: 23.1 + ((i * 61 + 7 * at) % 2_000) / 1_000,
  }));

/** Map files, the tiles that are drawn from them, and addresses by them. */
export const mapAttacks: readonly OperationAttack[] = [
  { operation: 'listMapUploads', does: 'as often as may be', calls: always({}) },
  {
    operation: 'listMaps',
    does: 'as often as may be',
    async calls(field) {
      await aMap(field);
      return () => ({});
    },
  },
  {
    operation: 'addMap',
    does: 'a file whose last tile alone is broken, so that all are read before it is refused',
    async calls() {
      const folder = await aFolder();
      const { bytes } = denseTile(10, 0, 0);
      const tiles = Array.from({ length: 200 }, (_, at) => ({ z: 10, x: 500, y: 300 + at, bytes }));
      tiles.push({ z: 10, x: 600, y: 0, bytes: new Uint8Array([0x1a, 9]) });
      const path = makeMbtiles(join(folder, 'large.mbtiles'), { tiles, bounds: '5,5,6,6' });
      return () => ({ body: { path } });
    },
  },
  {
    operation: 'addOnlineMap',
    does: 'a style of 4 MB whose sources are all of a schema that is not known',
    calls: ofProvider(hostileStyle),
  },
  {
    operation: 'testOnlineMap',
    does: 'a style that inflates to almost 4 MB of brackets',
    calls: ofProvider(
      answerWith(gzipSync(`${'['.repeat(2e6)}${']'.repeat(2e6)}`), { 'Content-Encoding': 'gzip' }),
    ),
  },
  {
    operation: 'clearMapCache',
    does: 'the same again and again',
    async calls({ keeper }) {
      const { url } = await aProvider(answerWith(pngOf('elm')));
      const { map_id } = await keeper.ask(onlineMapRoutes.add, {
        body: { kind: 'imagery', url: `${url}/{z}/{x}/{y}`, attribution: 'Elm', shown: false },
      });
      return () => ({ params: { map_id } });
    },
  },
  {
    operation: 'startMapUpload',
    does: 'more than may be unfinished at a time',
    calls: always({ body: { name: 'large', bytes: 1_000_000 } }),
  },
  {
    operation: 'uploadMapPart',
    does: 'parts of the largest size, which do not begin where the last one ended',
    async calls(field) {
      const upload_id = await anUpload(field, 20 * maxUploadPart);
      const body = 'x'.repeat(maxUploadPart);
      return () => ({
        params: { upload_id },
        query: { from: 1 },
        body,
        headers: { 'Content-Type': 'application/octet-stream' },
      });
    },
  },
  { operation: 'getMapUpload', does: 'as often as may be', calls: ofUpload },
  { operation: 'cancelMapUpload', does: 'the same again and again', calls: ofUpload },
  {
    operation: 'estimateMapRegion',
    does: 'all directories of a file are fetched and read each time',
    async calls() {
      const body = await aSource();
      return () => ({ body });
    },
  },
  {
    operation: 'listMapRegions',
    does: 'as often as may be',
    async calls(field) {
      await aRegion(field);
      return () => ({});
    },
  },
  {
    operation: 'startMapRegion',
    does: 'more than may be under way at a time',
    async calls() {
      const body = { name: 'elm', ...(await aSource()) };
      return () => ({ body });
    },
  },
  { operation: 'getMapRegion', does: 'as often as may be', calls: ofRegion() },
  {
    operation: 'patchMapRegion',
    does: 'paused and resumed in turn: each begins anew to read the source',
    calls: ofRegion((at) => ({ body: { paused: at % 2 === 0 } })),
  },
  { operation: 'cancelMapRegion', does: 'the same again and again', calls: ofRegion() },
  { operation: 'getMap', does: 'as often as may be', calls: ofMap() },
  {
    operation: 'patchMap',
    does: 'hidden and shown again: all threads open the files anew',
    async calls(field) {
      const map_id = await aMap(field);
      return (at) => ({ params: { map_id }, body: { shown: at % 2 === 0 } });
    },
  },
  { operation: 'deleteMap', does: 'the same again and again', calls: ofMap() },
  { operation: 'getTileJson', does: 'as often as may be', calls: ofMap() },
  {
    operation: 'searchPlaces',
    does: 'words that all may have an error, in a map of 200,000 names',
    async calls({ keeper, depot }) {
      // Of a small depot the map is small, too.
      const tiles = Array.from({ length: Math.min(100, depot.vehicles.length) }, (_, tile) =>
        tileOf(
          ...([14, 9_000 + tile, 5_000] as const),
          Array.from({ length: 2_000 }, (__, at) => street(syllables(tile * 2_000 + at))),
        ),
      );
      const path = makeMbtiles(join(await aFolder(), 'names.mbtiles'), { tiles, bounds: '17,56,20,57.5' });
      await keeper.ask(mapRoutes.add, { body: { path } });
      while (!(await keeper.ask(placeRoutes.indexes)).items.every(({ state }) => state === 'ready'))
        await setTimeout(200);
      return (at) => ({
        query: { q: Array.from({ length: 10 }, (_, i) => `${syllables(at + i).slice(0, 6)}q`).join(' ') },
      });
    },
  },
  { operation: 'listPlaceIndexes', does: 'as often as may be', calls: always({}) },
  {
    operation: 'getPlace',
    does: 'in another tile each time',
    async calls(field) {
      await aMap(field);
      return (at) => ({ query: scattered(at)[0] ?? {} });
    },
  },
  {
    operation: 'getPlaces',
    does: 'a thousand points, each in a tile of its own',
    async calls(field) {
      await aMap(field);
      return (at) => ({ body: { points: scattered(at) } });
    },
  },
  {
    operation: 'getTile',
    does: 'the densest tile, composed anew for each of those below it',
    async calls(field) {
      await aMap(field);
      return (at) => ({
        params: {
          map_id: 'streets',
          z: '14',
          x: String(145 * 64 + (at % 64)),
          y: String(78 * 64 + (Math.floor(at / 64) % 64)),
        },
      });
    },
  },
];
