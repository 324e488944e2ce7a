import { causeOf, said } from '../../contract/causeTexts.ts';
import { fileFailure } from '../../maps/mapFile.ts';
import { serveOrders } from '../../workerChannel.ts';
import type { ReadableMap } from '../../maps/readTiles.ts';
import { buildSearchIndex } from './buildSearchIndex.ts';

export interface IndexOrder {
  map: Pick<ReadableMap, 'path' | 'schema' | 'max_zoom'>;
  to: string;
}

/** SQLITE_FULL */
const isDiskFull = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 13;

serveOrders<IndexOrder, number>(
  ({ map, to }, onProgress) => buildSearchIndex(map, to, onProgress),
  (error) =>
    isDiskFull(error) ? { code: 'failed', ...said(causeOf('place_index.disk_full')) } : fileFailure(error),
);
