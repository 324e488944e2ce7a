import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Cause } from '../../contract/causes.ts';
import { causeOf, said } from '../../contract/causeTexts.ts';
import type { FoundPlace, PlaceIndex } from '../../contract/places.ts';
import { causesOf, ofWork } from '../../http/apiError.ts';
import type { Maps } from '../../maps/maps.ts';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../../workerChannel.ts';
import type { LatLon } from '../../contract/coordinates.ts';
import type { SearchOrder } from './search.worker.ts';
import { partEnding } from './buildSearchIndex.ts';
import type { IndexOrder } from './searchIndex.worker.ts';

/** A search over a million names takes some 5 ms, also with a typo; ten common words take some 20. */
const levels_ms = [2_000, 10_000];
const heap_mb = 512;
const waiting = { per_user: 4, all: 60 };
const indexHeap_mb = 768;
/** With the edition of what an index holds: one of an earlier edition is built anew. */
const ending = '.search3';

export type PlaceSearch = Awaited<ReturnType<typeof openPlaceSearch>>;

/** Searches the names of the street maps, each of which is indexed once, one after the other, in a thread. */
export async function openPlaceSearch({
  maps,
  log,
}: {
  maps: Pick<Maps, 'folder' | 'readable' | 'onChange'>;
  log: Logger;
}) {
  const searches = createWorkerChannel<SearchOrder, FoundPlace[]>({
    start: () => startWorker(import.meta.url, 'search.worker', { heap_mb }),
    waiting,
    levels_ms,
  });
  const builds = createWorkerChannel<IndexOrder, number>({
    start: () => startWorker(import.meta.url, 'searchIndex.worker', { heap_mb: indexHeap_mb }),
  });
  const states = new Map<string, PlaceIndex>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<() => void>();
  const pathOf = (mapId: string) => join(maps.folder, `${mapId}${ending}`);
  const streets = () => maps.readable().filter((it) => it.kind === 'streets');

  function setState(state: PlaceIndex): void {
    states.set(state.map_id, state);
    if (state.state !== 'indexing') for (const run of listeners) run();
  }

  /** Where a thread has it open, on Windows it goes at the next start. */
  async function forget(map_id: string): Promise<void> {
    for (const path of [pathOf(map_id), `${pathOf(map_id)}${partEnding}`]) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  async function build(map: ReturnType<typeof streets>[number]): Promise<void> {
    const { map_id, path, schema, max_zoom } = map;
    const abort = new AbortController();
    running.set(map_id, abort);
    setState({ map_id, state: 'indexing', progress: 0, detail: null });
    try {
      const names = await builds.run(() => ({ map: { path, schema, max_zoom }, to: pathOf(map_id) }), {
        user_id: map_id,
        signal: abort.signal,
        onProgress: (progress) => {
          if (running.has(map_id)) setState({ map_id, state: 'indexing', progress, detail: null });
        },
      });
      log.info({ map_id, names }, 'a map can be searched');
      setState({ map_id, state: 'ready', progress: 1, detail: null });
    } catch (error) {
      if (abort.signal.aborted) {
        await forget(map_id);
        return;
      }
      if (error instanceof WorkFailed && error.code === 'closed') return;
      const failure = said(...failureOf(error));
      log.warn({ map_id, detail: failure.detail }, 'a map could not be indexed for the search');
      setState({ map_id, state: 'failed', progress: 0, ...failure });
    } finally {
      running.delete(map_id);
    }
  }

  function renew(): void {
    const now = streets();
    for (const map of now) {
      if (states.has(map.map_id)) continue;
      if (existsSync(pathOf(map.map_id)))
        setState({ map_id: map.map_id, state: 'ready', progress: 1, detail: null });
      else void build(map);
    }
    for (const map_id of [...states.keys()].filter((id) => !now.some((it) => it.map_id === id))) {
      running.get(map_id)?.abort();
      states.delete(map_id);
      void forget(map_id);
    }
  }

  for (const name of await readdir(maps.folder)) {
    const isIndex = streets().some((it) => pathOf(it.map_id).endsWith(name));
    if (name.includes('.search') && !isIndex) await rm(join(maps.folder, name), { force: true });
  }
  const offChange = maps.onChange(renew);
  renew();

  return {
    indexes: (): PlaceIndex[] => [...states.values()],
    /** @throws ApiError 429, 503 */
    async search(typed: string, near: LatLon | null, limit: number, caller: WorkAsk): Promise<FoundPlace[]> {
      const paths = streets()
        .filter((it) => it.shown && states.get(it.map_id)?.state === 'ready')
        .map((it) => pathOf(it.map_id));
      if (paths.length === 0) return [];
      try {
        return await searches.run(() => ({ paths, typed, near, limit }), caller);
      } catch (error) {
        if (!(error instanceof WorkFailed)) throw error;
        throw ofWork(error) ?? error;
      }
    },
    /** Called when an index is ready, or has failed; returns its undo. */
    onChange(run: () => void): () => void {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    async close(): Promise<void> {
      offChange();
      await Promise.all([searches.close(), builds.close()]);
    },
  };
}

/** Why a map could not be indexed. */
function failureOf(error: unknown): Cause[] {
  if (!(error instanceof WorkFailed)) return causesOf(error);
  if (error.code === 'out_of_memory') return [causeOf('place_index.out_of_memory')];
  return causesOf(error.causes === undefined ? (ofWork(error) ?? error) : error);
}
