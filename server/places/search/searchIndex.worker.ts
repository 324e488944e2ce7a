import { serveOrders } from '../../workerChannel.ts';
import type { ReadableMap } from '../../maps/readTiles.ts';
import { buildSearchIndex } from './buildSearchIndex.ts';

export interface IndexOrder {
  map: Pick<ReadableMap, 'path' | 'schema' | 'max_zoom'>;
  to: string;
}

serveOrders<IndexOrder, number>(({ map, to }, onProgress) => buildSearchIndex(map, to, onProgress));
