import { workerData } from 'node:worker_threads';
import { serveOrders } from '../../workerChannel.ts';
import {
  openTileCache,
  type CachedTile,
  type CacheUsage,
  type TileCache,
  type TileKey,
} from './tileCache.ts';

/** What the thread of the cache is asked; it answers with what is cached of each map. */
export type CacheOrder =
  | { kind: 'get'; key: TileKey; now_ms: number }
  | { kind: 'put'; key: TileKey; tile: CachedTile; now_ms: number; most_bytes: number }
  | { kind: 'renew'; key: TileKey; fresh_until_ms: number }
  | { kind: 'remove'; key: TileKey }
  | { kind: 'clear'; map_id: string }
  | { kind: 'keep'; map_ids: readonly string[]; most_bytes: number };
export interface CacheResult {
  tile: CachedTile | null;
  usage: CacheUsage;
}

let cache: TileCache | null = null;

serveOrders<CacheOrder, CacheResult>((order) => {
  cache ??= openTileCache((workerData as { path: string }).path);
  let tile: CachedTile | null = null;
  switch (order.kind) {
    case 'get':
      tile = cache.get(order.key, order.now_ms);
      break;
    case 'put':
      cache.put(order.key, order.tile, order.now_ms, order.most_bytes);
      break;
    case 'renew':
      cache.renew(order.key, order.fresh_until_ms);
      break;
    case 'remove':
      cache.remove(order.key);
      break;
    case 'clear':
      cache.clear(order.map_id);
      break;
    case 'keep':
      cache.keepOnly(order.map_ids);
      cache.shrink(order.most_bytes);
      break;
  }
  return { tile, usage: cache.usage() };
});
