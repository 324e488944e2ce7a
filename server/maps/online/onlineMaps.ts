import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Cause } from '../../contract/causes.ts';
import { causeOf } from '../../contract/causeTexts.ts';
import type { NewOnlineMap } from '../../contract/onlineMaps.ts';
import { invalid, queueFull } from '../../http/apiError.ts';
import { createOutgoingGet, OutgoingError, type OutgoingDeps } from '../../http/outgoingGet.ts';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel } from '../../workerChannel.ts';
import { rectOfArea, tileAt } from '../composeTile.ts';
import { maxTileBytes } from '../mapFile.ts';
import { readSource, tileUrl, type ReadSource } from './readSource.ts';
import type { CachedTile, CacheUsage, TileKey } from './tileCache.ts';
import type { CacheOrder, CacheResult } from './tileCache.worker.ts';
import { createTileFetcher, tileOf, type OnlineMap, type TileFetcher } from './tileFetcher.ts';

/** A tile of an online source, as a thread draws it. */
export interface GivenTile {
  /** Null: there is none, or it is not known. */
  body: Uint8Array | null;
  /** Another one for other contents. */
  stamp: string;
  /** How long it holds, in seconds; 0: another one may come at any time. */
  fresh_s: number;
}

/** In the folder of the maps; made when the first source is added. */
const cacheFile = 'online-tiles.db';
const cacheHeap_mb = 64;
/** Orders of the host on behalf of all users. */
const caller = { user_id: 'maps', signal: new AbortController().signal };
/** Sources that are checked at once. */
const maxChecks = 4;
const checkRetryS = 10;
/** The free space of the disk is asked for again after this time. */
const spaceKnownMs = 10_000;
const none: GivenTile = { body: null, stamp: '', fresh_s: 86_400 };
const unknown: GivenTile = { ...none, fresh_s: 0 };

export type OnlineMaps = Awaited<ReturnType<typeof openOnlineMaps>>;

/** The online sources of maps: fetches their tiles as they are drawn, and keeps them on the disk. */
export async function openOnlineMaps({
  folder,
  maps,
  cacheBytes,
  freeBytes,
  clock,
  log,
  ...outgoing
}: OutgoingDeps & {
  /** Of the maps. */
  folder: string;
  /** Those that there are at the start. */
  maps: readonly string[];
  /** What the cache may take of the disk. */
  cacheBytes: () => number;
  /** What may be written to the disk beside its reserve. */
  freeBytes: () => Promise<number>;
  clock: Clock;
  log: Logger;
}) {
  const calls = createOutgoingGet({ ...outgoing, clock });
  const { get } = calls;
  const path = join(folder, cacheFile);
  const cache = createWorkerChannel<CacheOrder, CacheResult>({
    start: () =>
      startWorker(import.meta.url, 'tileCache.worker', { heap_mb: cacheHeap_mb, workerData: { path } }),
  });
  const fetchers = new Map<string, TileFetcher>();
  let usage: CacheUsage = {};
  let cacheFault: string | null = null;
  let space = { free: 0, until: -Infinity };
  let checks = 0;

  /** Without a cache maps are drawn, too. */
  async function run(order: CacheOrder): Promise<CachedTile | null> {
    try {
      const result = await cache.run(() => order, caller);
      ({ usage } = result);
      cacheFault = null;
      return result.tile;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      if (detail !== cacheFault) log.warn({ err: error }, 'the cache of online maps cannot be used');
      cacheFault = detail;
      return null;
    }
  }

  async function mostBytes(): Promise<number> {
    if (clock.monotonic() >= space.until) {
      space = { free: await freeBytes(), until: clock.monotonic() + spaceKnownMs };
    }
    const total = Object.values(usage).reduce((sum, it) => sum + it, 0);
    return Math.max(0, Math.min(cacheBytes(), total + space.free));
  }

  function fetcherOf(map: OnlineMap): TileFetcher {
    const fetcher = fetchers.get(map.map_id) ?? createTileFetcher(map, { get, clock, log });
    fetchers.set(map.map_id, fetcher);
    return fetcher;
  }

  async function fetch(map: OnlineMap, key: TileKey, cached: CachedTile | null, user_id: string) {
    const fetched = await fetcherOf(map).fetch(key, cached, user_id);
    // It may have been removed meanwhile.
    if (!fetchers.has(map.map_id)) return null;
    if (fetched.kind === 'renewed') await run({ kind: 'renew', key, fresh_until_ms: fetched.fresh_until_ms });
    if (fetched.kind !== 'tile') return null;
    const { tile, isKept } = fetched;
    if (isKept) await run({ kind: 'put', key, tile, now_ms: clock.now(), most_bytes: await mostBytes() });
    return tile;
  }

  function given({ body, stamp, fresh_until_ms }: CachedTile): GivenTile {
    const fresh_s = Math.floor((fresh_until_ms - clock.now()) / 1_000);
    return {
      body: body.length === 0 ? null : body,
      stamp,
      fresh_s: Math.max(0, Math.min(none.fresh_s, fresh_s)),
    };
  }

  if (maps.length > 0 || existsSync(path)) {
    await run({ kind: 'keep', map_ids: maps, most_bytes: cacheBytes() });
  }

  return {
    /**
     * A tile of a source: what is cached, also when it is old, else what is fetched now. Of one that is not shown
     * nothing is asked for.
     */
    async tile(map: OnlineMap, { z, x, y }: Omit<TileKey, 'map_id'>, user_id: string): Promise<GivenTile> {
      const isThere = z >= map.min_zoom && z <= map.max_zoom && rectOfArea(map.area, z, x, y) !== null;
      if (!map.shown || !isThere) return none;
      const key = { map_id: map.map_id, z, x, y };
      const cached = await run({ kind: 'get', key, now_ms: clock.now() });
      if (cached !== null) {
        const isFresh = clock.now() < cached.fresh_until_ms;
        // The old one is drawn at once: a source that is slow or away does not slow the map.
        if (!isFresh) void fetch(map, key, cached, user_id);
        return given(cached);
      }
      const tile = await fetch(map, key, null, user_id);
      return tile === null ? unknown : given(tile);
    },

    /** Takes note of a tile that came and cannot be drawn. */
    async refuse(map: OnlineMap, key: TileKey, causes: Cause[]): Promise<void> {
      fetcherOf(map).refuse(key, causes);
      await run({ kind: 'remove', key });
    },

    /**
     * Reads what a source is, and one of its tiles; null: it has none where one was looked for.
     *
     * @throws ApiError 400 with what is wrong with it, 429
     */
    async read(
      asked: NewOnlineMap,
    ): Promise<{ source: ReadSource; sample: { tile: Uint8Array; at: string } | null }> {
      if (checks >= maxChecks) throw queueFull('Other online sources are being checked.', checkRetryS);
      checks++;
      try {
        const source = await readSource(asked, get);
        const { area, min_zoom: z } = source.about;
        const { x, y } = tileAt((area.south + area.north) / 2, (area.west + area.east) / 2, z);
        const answer = await get({ url: tileUrl(source.tiles, z, x, y), maxBytes: maxTileBytes });
        const tile = await tileOf(answer, asked.kind, clock.now());
        // Everybody has the tile of the world; below it, one source has tiles where another has none.
        if (answer.status === 404 && z === 0)
          throw new OutgoingError(causeOf('outgoing.answered', { status: '404' }));
        return { source, sample: tile.length === 0 ? null : { tile, at: `${z}/${x}/${y}` } };
      } catch (error) {
        if (error instanceof OutgoingError) {
          throw invalid('url', [causeOf('map_source.no_tiles'), ...error.causes]);
        }
        throw error;
      } finally {
        checks--;
      }
    },

    fault: (mapId: string): Cause[] | undefined => fetchers.get(mapId)?.fault() ?? undefined,
    /** Bytes that are kept of a source. */
    cachedBytes: (mapId: string): number => usage[mapId] ?? 0,
    async clear(mapId: string): Promise<void> {
      await run({ kind: 'clear', map_id: mapId });
    },
    /** Of a source that was removed, or hidden: what is known of its state. */
    forget: (mapId: string): void => void fetchers.delete(mapId),

    async close(): Promise<void> {
      calls.close();
      await cache.close();
    },
  };
}
