import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { createBoundedCache } from '../boundedCache.ts';
import type { Clock } from '../clock.ts';
import { stamps } from '../contract/fields.ts';
import { streetMapMaxZoom, streetMapMinZoom, tileLayers } from '../contract/mapLayers.ts';
import { map as mapContract, type Map as MapReply } from '../contract/maps.ts';
import { ApiError, checkVersion, invalid, notFound, ofWork } from '../http/apiError.ts';
import { checkQuota } from '../http/quotas.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import { startWorker } from '../startWorker.ts';
import type { Document } from '../store/documents/Document.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../workerChannel.ts';
import type { MapAbout } from './mapFile.ts';
import type { MapOrder, MapResult } from './maps.worker.ts';
import { byRank, type ReadableMap, type Tile } from './readTiles.ts';

const mapRecord = mapContract.omit({ path: true, fault: true }).extend({
  /** Of a file that was added by its path; null: it lies in the data folder under the name of its id. */
  path: z.string().nullable(),
});
export type MapRecord = z.infer<typeof mapRecord>;

/** `maps.json` */
export const mapsDocument = z.object({ maps: z.array(mapRecord), version: stamps.version });
export type MapsDocument = z.infer<typeof mapsDocument>;
export const noMaps: MapsDocument = { maps: [], version: 1 };

/** In the data folder: files that were uploaded, and uploads under way. */
const mapFolder = 'maps';

/** A tile of the largest size takes some hundred milliseconds; one that takes seconds is hostile. */
const tileTimes_ms = [10_000];
const tileHeap_mb = 512;
/** A view asks for some thirty tiles at once. */
const waitingTiles = { per_user: 200, all: 2_000 };
/** Tiles as they were sent, a city at all its zooms: whoever looks there next waits for no thread. */
const keptTileBytes = 32 * 1024 * 1024;
/** The inspection of a file reads some thousand tiles and directories. */
const inspectionTimes_ms = [10_000, 120_000];
const inspectionHeap_mb = 768;
const waitingInspections = { per_user: 2, all: 8 };

export type Maps = Awaited<ReturnType<typeof openMaps>>;

/** The map files of the depot: which there are, and their tiles, which threads read. */
export async function openMaps({
  document,
  folder,
  clock,
  log,
}: {
  document: Document<MapsDocument>;
  /** The data folder. */
  folder: string;
  clock: Clock;
  log: Logger;
}) {
  const own = join(folder, mapFolder);
  await mkdir(own, { recursive: true, mode: 0o700 });
  const faults = new Map<string, string>();
  const listeners = new Set<() => void>();
  const kept = createBoundedCache<Tile | null>(keptTileBytes);
  const inspections = createWorkerChannel<MapOrder, MapResult>({
    start: () => startWorker(import.meta.url, 'maps.worker', { heap_mb: inspectionHeap_mb }),
    waiting: waitingInspections,
    levels_ms: inspectionTimes_ms,
  });
  const tiles = createWorkerChannel<MapOrder, MapResult>({
    start: () => startWorker(import.meta.url, 'maps.worker', { heap_mb: tileHeap_mb }),
    waiting: waitingTiles,
    levels_ms: tileTimes_ms,
  });

  const pathOf = (record: MapRecord) => record.path ?? join(own, `${record.map_id}.${record.format}`);
  const fileNames = () => new Set(document.data.maps.map((it) => basename(pathOf(it))));
  for (const name of await readdir(own)) {
    // Of a map that was removed while its file was open, or of a host that ended in between.
    if (/\.(pmtiles|mbtiles)(-\w+)?$/.test(name) && !fileNames().has(name)) await rm(join(own, name));
  }

  let from: MapsDocument | null = null;
  let ranked: ReadableMap[] = [];
  /** All maps by rank, as threads read them. */
  function readable(): ReadableMap[] {
    if (from === document.data) return ranked;
    from = document.data;
    ranked = byRank(from.maps).map((record) => {
      const { map_id, kind, schema, area, min_zoom, max_zoom, shown } = record;
      return { map_id, kind, schema, area, min_zoom, max_zoom, shown, path: pathOf(record) };
    });
    return ranked;
  }

  function find(mapId: string): MapRecord {
    const record = document.data.maps.find((it) => it.map_id === mapId);
    if (record === undefined) throw notFound('map');
    return record;
  }

  function present(record: MapRecord, viewer: Viewer): MapReply {
    return {
      ...record,
      path: isDealer(viewer) ? record.path : null,
      fault: faults.get(record.map_id) ?? null,
    };
  }

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function noteFaults(found: readonly { map_id: string; detail: string }[]): void {
    for (const { map_id, detail } of found) {
      if (faults.get(map_id) === detail) continue;
      faults.set(map_id, detail);
      log.warn({ map_id, detail }, 'a map file cannot be read');
    }
  }

  /** @throws ApiError 400 with what is wrong with the file */
  async function inspect(path: string, caller: WorkAsk): Promise<MapAbout> {
    try {
      const result = await inspections.run(() => ({ kind: 'inspect', path }), caller);
      if (result.kind !== 'inspected') throw new Error('the thread answered another order');
      return result.about;
    } catch (error) {
      throw error instanceof WorkFailed ? refusalOf(error) : error;
    }
  }

  async function add(about: MapAbout, more: Pick<MapRecord, 'map_id' | 'name' | 'bytes' | 'path'>) {
    const now = new Date(clock.now()).toISOString();
    const { tile_type: _, ...rest } = about;
    const record: MapRecord = {
      ...more,
      ...rest,
      shown: true,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    await document.update((draft) => {
      checkQuota('maps', draft.maps.length, 1);
      draft.maps.push(record);
      draft.version++;
    });
    changed();
    return record;
  }

  return {
    folder: own,
    present,
    list: (viewer: Viewer): MapReply[] => document.data.maps.map((it) => present(it, viewer)),
    get: (mapId: string, viewer: Viewer): MapReply => present(find(mapId), viewer),
    /** Rises with each change of the maps. */
    version: (): number => document.data.version,
    readable,
    checkQuota: () => checkQuota('maps', document.data.maps.length, 1),

    /** Takes a file where it lies. @throws ApiError 400 with what is wrong with it, 409 when it is a map already */
    async addByPath(given: string, name: string | undefined, caller: WorkAsk): Promise<MapRecord> {
      if (!isAbsolute(given)) throw invalid('path', 'is not absolute');
      const path = resolve(given);
      if (!relative(folder, path).startsWith('..')) throw invalid('path', 'lies in the data folder');
      const found = await stat(path).catch((error: unknown) => {
        throw invalid('path', `cannot be read: ${(error as Error).message}`);
      });
      if (!found.isFile()) throw invalid('path', 'is no file');
      if (document.data.maps.some((it) => it.path === path)) {
        throw new ApiError('in_use', 'This file is a map already.');
      }
      checkQuota('maps', document.data.maps.length, 1);
      const about = await inspect(path, caller);
      return add(about, { map_id: randomUUID(), name: name ?? nameOf(path), bytes: found.size, path });
    },

    /** Takes a file of our own folder, which is then a map's or still where it was. @throws as `addByPath` */
    async addOwn(part: string, name: string, caller: WorkAsk): Promise<MapRecord> {
      const map_id = randomUUID();
      const about = await inspect(part, caller);
      const { size } = await stat(part);
      const path = join(own, `${map_id}.${about.format}`);
      await rename(part, path);
      try {
        return await add(about, { map_id, name, bytes: size, path: null });
      } catch (error) {
        await rename(path, part);
        throw error;
      }
    },

    async patch(
      mapId: string,
      patch: { name?: string | undefined; shown?: boolean | undefined },
      ifMatch: number | null,
    ): Promise<MapRecord> {
      find(mapId);
      await document.update((draft) => {
        const record = draft.maps.find((it) => it.map_id === mapId);
        if (record === undefined) throw notFound('map');
        checkVersion(ifMatch, record.version);
        if (patch.name !== undefined) record.name = patch.name;
        if (patch.shown !== undefined) record.shown = patch.shown;
        record.version++;
        record.updated_at = new Date(clock.now()).toISOString();
        draft.version++;
      });
      changed();
      return find(mapId);
    },

    async remove(mapId: string): Promise<void> {
      const record = find(mapId);
      await document.update((draft) => {
        draft.maps = draft.maps.filter((it) => it.map_id !== mapId);
        draft.version++;
      });
      faults.delete(mapId);
      changed();
      if (record.path !== null) return;
      // Where a thread has it open, on Windows it goes at the next start.
      await rm(pathOf(record), { force: true }).catch((error: unknown) => {
        log.warn({ err: error, map_id: mapId }, 'the file of a removed map could not be deleted yet');
      });
    },

    /** The tile of a map, or of all that are drawn. @throws ApiError 404, 503 */
    async tile(of: string, z: number, x: number, y: number, user_id: string): Promise<Tile | null> {
      if (x >= 2 ** z || y >= 2 ** z) throw notFound('tile');
      if (of !== 'streets' && of !== 'imagery') find(of);
      const maps = readable();
      if (maps.length === 0) return null;
      const { version } = document.data;
      const key = `${version}/${of}/${z}/${x}/${y}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      try {
        // A request that is given up is not worth the end of a thread: the tile is made, and sent to nobody.
        const { signal } = new AbortController();
        const result = await tiles.run(() => ({ kind: 'tile', version, maps, of, z, x, y }), {
          user_id,
          signal,
        });
        if (result.kind !== 'tile') throw new Error('the thread answered another order');
        noteFaults(result.faults);
        // What could not be read now may be readable at the next try.
        if (result.faults.length === 0) kept.set(key, result.tile, 500 + (result.tile?.bytes.length ?? 0));
        return result.tile;
      } catch (error) {
        if (!(error instanceof WorkFailed)) throw error;
        throw error.code === 'too_long' || error.code === 'out_of_memory'
          ? new ApiError('unavailable', `The tile ${z}/${x}/${y} takes too much work.`, { cause: error })
          : (ofWork(error) ?? error);
      }
    },

    /** github.com/mapbox/tilejson-spec, 3.0.0 */
    tileJson(of: string): Record<string, unknown> & { tilejson: '3.0.0' } {
      const record = of === 'streets' || of === 'imagery' ? null : find(of);
      const shown = document.data.maps.filter((it) => it.shown && it.kind === of);
      const maps = record === null ? shown : [record];
      const isOurs = of === 'streets' || record?.schema === 'fleetdeck';
      const edges = maps.map(({ area }) => area);
      return {
        tilejson: '3.0.0',
        name: record?.name ?? of,
        tiles: [`/api/v1/maps/${of}/{z}/{x}/{y}`],
        scheme: 'xyz',
        attribution: [...new Set(maps.map((it) => it.licence))].filter((it) => it !== '').join(' · '),
        minzoom: record?.min_zoom ?? (of === 'streets' ? streetMapMinZoom : least(maps)),
        maxzoom: record?.max_zoom ?? Math.min(most(maps), of === 'streets' ? streetMapMaxZoom : 24),
        bounds:
          edges.length === 0
            ? [-180, -90, 180, 90]
            : [
                Math.min(...edges.map((it) => it.west)),
                Math.min(...edges.map((it) => it.south)),
                Math.max(...edges.map((it) => it.east)),
                Math.max(...edges.map((it) => it.north)),
              ],
        ...(isOurs ? { vector_layers: Object.keys(tileLayers).map((id) => ({ id, fields: {} })) } : {}),
      };
    },

    /** Called after each change; returns its undo. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async close(): Promise<void> {
      await Promise.all([inspections.close(), tiles.close()]);
    },
  };
}

const least = (maps: readonly MapRecord[]) => Math.min(24, ...maps.map((it) => it.min_zoom));
const most = (maps: readonly MapRecord[]) => Math.max(0, ...maps.map((it) => it.max_zoom));

/** What a map is called until somebody renames it: as its file. */
export function nameOf(path: string): string {
  const name = basename(path, extname(path)).trim().slice(0, 120);
  return name === '' ? 'Map' : name;
}

function refusalOf(error: WorkFailed): ApiError {
  const cause = { cause: error };
  switch (error.code) {
    case 'bad_map':
      return new ApiError(
        'validation_failed',
        `The file is no map that can be drawn: ${error.message}.`,
        cause,
      );
    case 'out_of_memory':
    case 'too_long':
    case 'ended':
      return new ApiError(
        'validation_failed',
        'The file is no map that can be drawn: reading it takes too much work.',
        cause,
      );
    case 'failed':
      return new ApiError('validation_failed', `The file cannot be read: ${error.message}.`, cause);
    default:
      return ofWork(error) ?? new ApiError('unavailable', error.message, cause);
  }
}
