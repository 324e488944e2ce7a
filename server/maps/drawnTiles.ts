import { createBoundedCache } from '../boundedCache.ts';
import type { Cause } from '../contract/causes.ts';
import { ApiError, ofWork } from '../http/apiError.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, WorkFailed } from '../workerChannel.ts';
import type { MapOrder, MapResult } from './maps.worker.ts';
import type { GivenTile, OnlineMaps } from './online/onlineMaps.ts';
import type { OnlineMap } from './online/tileFetcher.ts';
import type { OnlineTiles, Tile } from './readTiles.ts';

/** A tile of the largest size takes some hundred milliseconds; one that takes seconds is hostile. */
const tileTimes_ms = [10_000];
const tileHeap_mb = 512;
/** A view asks for some thirty tiles at once. */
const waitingTiles = { per_user: 200, all: 2_000 };
/** Tiles as they were sent, a city at all its zooms: whoever looks there next waits for no thread. */
const keptTileBytes = 32 * 1024 * 1024;
/** With another set of maps the address is another one. */
const longestFreshS = 86_400;

type TileOrder = MapOrder & { kind: 'tile' };
/** Of all maps that there are, by rank; with another version the files are opened anew. */
type TileAsk = Pick<TileOrder, 'version' | 'maps' | 'of' | 'z' | 'x' | 'y'>;

/** Has tiles drawn by threads, which are brought the tiles of online sources that they find missing. */
export function createDrawnTiles({
  online,
  onlineMap,
  onFault,
}: {
  online: Pick<OnlineMaps, 'tile' | 'refuse'>;
  /** Null: the map is gone, or is a file. */
  onlineMap: (mapId: string) => OnlineMap | null;
  /** A file cannot be read. */
  onFault: (mapId: string, causes: Cause[]) => void;
}) {
  const threads = createWorkerChannel<MapOrder, MapResult>({
    start: () => startWorker(import.meta.url, 'maps.worker', { heap_mb: tileHeap_mb }),
    waiting: waitingTiles,
    levels_ms: tileTimes_ms,
  });

  /** Of files alone. */
  const kept = createBoundedCache<Tile | null>(keptTileBytes);

  /** @throws ApiError 429, 503 */
  async function read(order: TileOrder, user_id: string): Promise<MapResult & { kind: 'tile' }> {
    try {
      // A request that is given up is not worth the end of a thread: the tile is made, and sent to nobody.
      const { signal } = new AbortController();
      const result = await threads.run(() => order, { user_id, signal });
      if (result.kind !== 'tile') throw new Error('the thread answered another order');
      return result;
    } catch (error) {
      if (!(error instanceof WorkFailed)) throw error;
      const { z, x, y } = order;
      throw error.code === 'too_long' || error.code === 'out_of_memory'
        ? new ApiError('unavailable', `The tile ${z}/${x}/${y} takes too much work.`, { cause: error })
        : (ofWork(error) ?? error);
    }
  }

  async function bring({ map_id, ...place }: OnlineTiles['missing'][number], user_id: string) {
    const map = onlineMap(map_id);
    const none: GivenTile = { body: null, stamp: '', fresh_s: longestFreshS };
    return map === null ? none : online.tile(map, place, user_id);
  }

  return {
    /**
     * The tile of a map, or of all that are drawn; `fresh_s`: how long it holds, in seconds, 0 where an online source
     * may soon have another one.
     *
     * @throws ApiError 429, 503
     */
    async draw(ask: TileAsk, user_id: string): Promise<{ tile: Tile | null; fresh_s: number }> {
      const { version, of, z, x, y } = ask;
      const name = `${version}/${of}/${z}/${x}/${y}`;
      const known = kept.get(name);
      if (known !== undefined) return { tile: known, fresh_s: longestFreshS };
      const given = new Map<string, GivenTile>();
      const brought: OnlineTiles['missing'] = [];
      let fresh_s = longestFreshS;
      // Each turn brings the tile of one more online source at least.
      for (;;) {
        const { tile, missing, faults } = await read({ kind: 'tile', ...ask, online: given }, user_id);
        for (const { map_id, causes } of faults) {
          const map = onlineMap(map_id);
          const key = brought.find((it) => it.map_id === map_id);
          if (map === null || key === undefined) onFault(map_id, causes);
          else {
            await online.refuse(map, key, causes);
            fresh_s = 0;
          }
        }
        if (missing.length === 0) {
          // What could not be read now may be readable at the next try.
          const isWhole = brought.length === 0 && faults.length === 0;
          if (isWhole) kept.set(name, tile, 500 + (tile?.bytes.length ?? 0));
          return { tile, fresh_s };
        }
        brought.push(...missing);
        const tiles = await Promise.all(missing.map((it) => bring(it, user_id)));
        for (const [i, it] of tiles.entries()) {
          given.set(missing[i]?.map_id ?? '', it);
          fresh_s = Math.min(fresh_s, it.fresh_s);
        }
      }
    },
    close: (): Promise<void> => threads.close(),
  };
}
