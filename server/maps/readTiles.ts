import { createHash } from 'node:crypto';
import { openSync, readSync, closeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createBoundedCache } from '../boundedCache.ts';
import { streetMapMaxZoom, streetMapMinZoom } from '../contract/mapLayers.ts';
import type { MapArea, MapSchema } from '../contract/maps.ts';
import {
  clipped,
  encodeTile,
  enlarged,
  intersection,
  landIn,
  rectOfArea,
  wholeTile,
  without,
  type Rect,
} from './composeTile.ts';
import { uninterrupted } from '../startWorker.ts';
import type { AddressLayer } from './schemas/mapping.ts';
import { openMapFile } from './inspectMapFile.ts';
import {
  damaged,
  inflated,
  isGzip,
  maxTileBytes,
  tileTypeOf,
  type MapFile,
  type TileType,
} from './mapFile.ts';
import { mappings, tileFeatures, type TileFeature, type VectorSchema } from './tileFeatures.ts';

/** A map file as a thread needs it to read its tiles. */
export interface ReadableMap {
  map_id: string;
  path: string;
  kind: 'streets' | 'imagery';
  schema: MapSchema;
  area: MapArea;
  min_zoom: number;
  max_zoom: number;
  /** Whether it is drawn. */
  shown: boolean;
}

/** The same, or one of an online source, which has no file. */
export type DrawnMap = Omit<ReadableMap, 'path'> & { path: string | null };

/** What of online sources an order brings along; null: no tile is there. */
export interface OnlineTiles {
  /** By the map's id. */
  given: ReadonlyMap<string, { body: Uint8Array | null; stamp: string }>;
  /** What is to be brought along as well; without it the tile is not whole. */
  missing: { map_id: string; z: number; x: number; y: number }[];
}

export interface Tile {
  bytes: Uint8Array;
  type: TileType;
  isGzip: boolean;
  /** Of the bytes. */
  etag: string;
}

/** A file that cannot be read; the others are. */
export type OnFault = (mapId: string, error: unknown) => void;

/** Inflated bytes of the tiles that are kept, some dozens, for those below them that are made from the same. */
const keptBytes = 12 * 1024 * 1024;
/** What so many rectangles are cut to is a stack of maps that nobody has. */
const maxRects = 40;

export type TileReader = ReturnType<typeof createTileReader>;

/**
 * Reads the tiles of map files; to be used in a worker thread alone. Files are opened when they are first needed.
 *
 * @param maps in the order of their rank (see `byRank`)
 */
export function createTileReader(maps: readonly DrawnMap[], onFault: OnFault) {
  const files = new Map<string, Promise<MapFile>>();
  const read = createBoundedCache<TileFeature[] | null>(keptBytes);

  /** Rejects for as long as the reader lives when the file could not be opened. */
  function fileOf(map_id: string, path: string): Promise<MapFile> {
    const open = files.get(map_id) ?? openAt(path);
    files.set(map_id, open);
    return open;
  }

  function faulty(map: DrawnMap, error: unknown): null {
    onFault(map.map_id, error);
    return null;
  }

  async function stored(
    { map_id, path }: DrawnMap,
    [z, x, y]: TileNumbers,
    online: OnlineTiles,
  ): Promise<Uint8Array | null> {
    if (path !== null) return (await fileOf(map_id, path)).tile(z, x, y);
    const given = online.given.get(map_id);
    if (given === undefined) online.missing.push({ map_id, z, x, y });
    return given?.body ?? null;
  }

  async function asStored(map: DrawnMap, at: TileNumbers, online: OnlineTiles): Promise<Tile | null> {
    try {
      return asTile(await stored(map, at, online));
    } catch (error) {
      return faulty(map, error);
    }
  }

  /** Of one map, as it is drawn at a zoom that may lie beyond its own. */
  async function drawn(
    map: DrawnMap,
    [z, x, y]: TileNumbers,
    only: readonly AddressLayer[] | undefined,
    online: OnlineTiles,
  ): Promise<TileFeature[] | null> {
    const levels = Math.max(0, z - map.max_zoom);
    const at = [z - levels, x >> levels, y >> levels] as const;
    const stamp = map.path === null ? (online.given.get(map.map_id)?.stamp ?? 'missing') : '';
    const key = `${map.map_id}/${at.join('/')}/${stamp}`;
    let features = only === undefined ? read.get(key) : undefined;
    try {
      if (features === undefined) {
        const packed = await stored(map, at, online);
        if (isMissing(map, online)) return null;
        const bytes = packed === null ? null : inflated(packed, maxTileBytes, 'tile');
        features = bytes === null ? null : readFeatures(bytes, map.schema as VectorSchema, only, at);
        if (only === undefined) read.set(key, features, 1_024 + (bytes?.length ?? 0));
      }
    } catch (error) {
      return faulty(map, error);
    }
    return features === null ? null : enlarged(features, levels, x, y);
  }

  const streets = maps.filter((it) => it.shown && it.kind === 'streets');
  /** As they rank, but one that lacks the zoom comes after an online source that has it. */
  const streetsAt = (z: number) => streets.toSorted((a, b) => depthAt(z, b) - depthAt(z, a));
  const imagery = maps.filter((it) => it.shown && it.kind === 'imagery');

  /**
   * The features of all street maps in a tile; null where there is none. Where maps overlap, the first by rank that has
   * the tile is drawn, and the others beside its area.
   *
   * @param only what of them is read; it is not kept
   */
  async function features(
    z: number,
    x: number,
    y: number,
    only?: readonly AddressLayer[],
    online: OnlineTiles = nothingOnline,
  ): Promise<TileFeature[] | null> {
    let free: Rect[] = [wholeTile];
    const found: TileFeature[] = [];
    let isAny = false;
    for (const map of streetsAt(z)) {
      if (z < map.min_zoom || free.length === 0 || free.length > maxRects) continue;
      const area = rectOfArea(map.area, z, x, y);
      if (area === null) continue;
      const rects = free.flatMap((rect) => intersection(rect, area) ?? []);
      if (rects.length === 0) continue;
      const own = await drawn(map, [z, x, y], only, online);
      // What is under way is taken to be there, so that of sources which overlap only the first is asked.
      if (isMissing(map, online)) free = without(free, area);
      if (own === null) continue;
      isAny = true;
      if (mappings[map.schema as VectorSchema].landIsImplied === true && only === undefined)
        found.push(...rects.map(landIn));
      const isAlone = free.length === 1 && free[0] === wholeTile;
      // Alone it may go beyond its area: a file's bounds are often those of its places.
      found.push(...(isAlone ? own : rects.flatMap((rect) => clipped(own, rect))));
      free = without(free, area);
    }
    return isAny ? found : null;
  }

  return {
    features,

    /** The tile of all street maps, packed; null where there is none. */
    async streets(z: number, x: number, y: number, online: OnlineTiles): Promise<Tile | null> {
      if (z < streetMapMinZoom || z > streetMapMaxZoom) return null;
      const all = await features(z, x, y, undefined, online);
      if (all === null || online.missing.length > 0) return null;
      const bytes = encodeTile(all);
      return tileOf(
        uninterrupted(() => gzipSync(bytes, { level: 1 })),
        'mvt',
      );
    },

    /** The picture that is drawn: of the first map by rank that has the tile. */
    async imagery(z: number, x: number, y: number, online: OnlineTiles): Promise<Tile | null> {
      for (const map of imagery) {
        if (z < map.min_zoom || z > map.max_zoom || rectOfArea(map.area, z, x, y) === null) continue;
        const tile = await asStored(map, [z, x, y], online);
        if (tile !== null || isMissing(map, online)) return tile;
      }
      return null;
    },

    /** A tile of one map as it is stored. */
    async of(mapId: string, z: number, x: number, y: number, online: OnlineTiles): Promise<Tile | null> {
      const map = maps.find((it) => it.map_id === mapId);
      return map === undefined ? null : asStored(map, [z, x, y], online);
    },

    /** The deepest zoom at which a street map is drawn at a place; null for none. */
    deepestAt(lat: number, lon: number): { map_id: string; z: number } | null {
      const map = streets.find(
        ({ area }) => lat >= area.south && lat <= area.north && lon >= area.west && lon <= area.east,
      );
      return map === undefined ? null : { map_id: map.map_id, z: Math.min(map.max_zoom, streetMapMaxZoom) };
    },

    async close(): Promise<void> {
      for (const open of files.values()) (await open.catch(() => null))?.close();
      files.clear();
    },
  };
}

/** @throws MapFileError of bytes that are no vector tile */
function readFeatures(
  bytes: Uint8Array,
  schema: VectorSchema,
  only: readonly AddressLayer[] | undefined,
  at: TileNumbers,
): TileFeature[] {
  try {
    return tileFeatures(bytes, schema, only);
  } catch (error) {
    throw damaged('tile', `${at.join('/')}: ${(error as Error).message}`);
  }
}

type TileNumbers = readonly [z: number, x: number, y: number];

const nothingOnline: OnlineTiles = { given: new Map(), missing: [] };

const isMissing = (map: DrawnMap, { missing }: OnlineTiles) =>
  map.path === null && missing.some((it) => it.map_id === map.map_id);

/** At this zoom all schemas have all that they have. */
const wholeZoom = 14;
const depthAt = (z: number, map: DrawnMap) => Math.min(z, wholeZoom, map.max_zoom);

/** @throws MapFileError; what the system says of the file */
export async function openAt(path: string): Promise<MapFile> {
  const head = new Uint8Array(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return openMapFile(path, head);
}

function asTile(bytes: Uint8Array | null): Tile | null {
  if (bytes === null || bytes.length === 0) return null;
  const type = tileTypeOf(bytes);
  return type === null ? null : tileOf(bytes, type);
}

function tileOf(bytes: Uint8Array, type: TileType): Tile {
  const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
  return { bytes, type, isGzip: isGzip(bytes), etag };
}

/** The order in which maps are drawn where they overlap: the deeper one first, then the one of the smaller area. */
export function byRank<M extends Pick<ReadableMap, 'max_zoom' | 'area'>>(maps: readonly M[]): M[] {
  const size = ({ area }: M) => (area.east - area.west) * (area.north - area.south);
  return maps.toSorted((a, b) => b.max_zoom - a.max_zoom || size(a) - size(b));
}
