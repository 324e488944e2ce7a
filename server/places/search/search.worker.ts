import type { FoundPlace } from '../../contract/places.ts';
import { serveOrders } from '../../workerChannel.ts';
import type { LatLon } from '../../contract/coordinates.ts';
import { bestOf, openSearchIndex, type SearchIndex } from './searchIndex.ts';

export interface SearchOrder {
  /** Of the index files; those that are not named any more are closed. */
  paths: readonly string[];
  typed: string;
  near: LatLon | null;
  limit: number;
}

const open = new Map<string, SearchIndex>();

serveOrders<SearchOrder, FoundPlace[]>(({ paths, typed, near, limit }) => {
  for (const [path, index] of open) {
    if (paths.includes(path)) continue;
    index.close();
    open.delete(path);
  }
  const found = paths.flatMap((path) => {
    const index = open.get(path) ?? openSearchIndex(path);
    open.set(path, index);
    return index.search(typed, near);
  });
  return bestOf(found, limit);
});
