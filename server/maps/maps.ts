import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { stamps } from '../contract/fields.ts';
import { streetMapMaxZoom, streetMapMinZoom, tileLayers } from '../contract/mapLayers.ts';
import { map as mapContract, type Map as MapReply } from '../contract/maps.ts';
import type { NewOnlineMap } from '../contract/onlineMaps.ts';
import { ApiError, causesOf, checkVersion, invalid, notFound, ofWork } from '../http/apiError.ts';
import { checkQuota } from '../http/quotas.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import { startWorker } from '../startWorker.ts';
import type { Document } from '../store/documents/Document.ts';
import { isUnreadable, readable } from '../store/sealing.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../workerChannel.ts';
import { createDrawnTiles } from './drawnTiles.ts';
import { fileCauses, type MapAbout } from './mapFile.ts';
import type { MapOrder, MapResult } from './maps.worker.ts';
import type { OnlineMaps } from './online/onlineMaps.ts';
import type { ReadSource } from './online/readSource.ts';
import type { OnlineMap } from './online/tileFetcher.ts';
import { byRank, type DrawnMap, type ReadableMap } from './readTiles.ts';

const mapRecord = mapContract.omit({ path: true, url: true, fault: true, fault_causes: true }).extend({
  /** Of a file that was added by its path; null: it lies in the data folder under the name of its id. */
  path: z.string().nullable(),
  /** Where it is online: what was typed, and the template of its tiles; null: it is a file. */
  online: z.object({ url: z.string(), tiles: z.string() }).nullable().default(null),
});
export type MapRecord = z.infer<typeof mapRecord>;

/** `maps.json`; 1: without online sources, which are none by default. */
export const mapsDocument = z.object({ maps: z.array(mapRecord), version: stamps.version });
export const mapsSchema = { version: 2, migrations: [(data: unknown) => data] };
export type MapsDocument = z.infer<typeof mapsDocument>;
export const noMaps: MapsDocument = { maps: [], version: 1 };

/** The same with each address of an online source, which may bear a key, replaced. */
export const replaceMapSecrets = (
  { maps, ...rest }: MapsDocument,
  by: (secret: string) => string,
): MapsDocument => ({
  maps: maps.map(({ online, ...it }) => ({
    ...it,
    online: online && { url: by(online.url), tiles: by(online.tiles) },
  })),
  ...rest,
});

/** The same without the keys that addresses of online sources may bear. */
export const mapsInLog = ({ maps, ...rest }: MapsDocument): object => ({
  ...rest,
  maps: maps.map(({ online, ...it }) => ({ ...it, online: online && new URL(online.url).origin })),
});

/** In the data folder: files that were uploaded, uploads under way, the cache of online sources. */
export const mapFolderOf = (dataFolder: string): string => join(dataFolder, 'maps');

/** The inspection of a file reads some thousand tiles and directories. */
const inspectionTimes_ms = [10_000, 120_000];
const inspectionHeap_mb = 768;
const waitingInspections = { per_user: 2, all: 8 };

export type Maps = Awaited<ReturnType<typeof openMaps>>;

/** The map files of the depot: which there are, and their tiles, which threads read. */
export async function openMaps({
  document,
  folder,
  online,
  clock,
  log,
}: {
  document: Document<MapsDocument>;
  /** The data folder. */
  folder: string;
  online: OnlineMaps;
  clock: Clock;
  log: Logger;
}) {
  const own = mapFolderOf(folder);
  await mkdir(own, { recursive: true, mode: 0o700 });
  const faults = new Map<string, Cause[]>();
  const listeners = new Set<() => void>();
  const inspections = createWorkerChannel<MapOrder, MapResult>({
    start: () => startWorker(import.meta.url, 'maps.worker', { heap_mb: inspectionHeap_mb }),
    waiting: waitingInspections,
    levels_ms: inspectionTimes_ms,
  });
  const tiles = createDrawnTiles({
    online,
    onlineMap(mapId) {
      const record = document.data.maps.find((it) => it.map_id === mapId);
      return record !== undefined && isOnline(record) ? record : null;
    },
    onFault(map_id, causes) {
      const detail = detailOf(causes);
      const known = faults.get(map_id);
      if (known !== undefined && detailOf(known) === detail) return;
      faults.set(map_id, causes);
      log.warn({ map_id, detail }, 'a map file cannot be read');
    },
  });

  const pathOf = (record: MapRecord) => record.path ?? join(own, `${record.map_id}.${record.format}`);
  const fileNames = () => new Set(document.data.maps.map((it) => basename(pathOf(it))));
  for (const name of await readdir(own)) {
    // Of a map that was removed while its file was open, or of a host that ended in between.
    if (/\.(pmtiles|mbtiles)(-\w+)?$/.test(name) && !fileNames().has(name)) await rm(join(own, name));
  }

  let from: MapsDocument | null = null;
  let ranked: { files: ReadableMap[]; all: DrawnMap[] } = { files: [], all: [] };
  /** All maps by rank, as threads read them: a file wins over an online source. */
  function byRankNow(): typeof ranked {
    if (from === document.data) return ranked;
    from = document.data;
    const of = <P>(records: readonly MapRecord[], pathFor: (record: MapRecord) => P) =>
      byRank(records).map((record) => {
        const { map_id, kind, schema, area, min_zoom, max_zoom, shown } = record;
        return { map_id, kind, schema, area, min_zoom, max_zoom, shown, path: pathFor(record) };
      });
    const files = of(
      from.maps.filter((it) => it.online === null),
      pathOf,
    );
    ranked = { files, all: [...files, ...of(from.maps.filter(isOnline), () => null)] };
    return ranked;
  }

  function find(mapId: string): MapRecord {
    const record = document.data.maps.find((it) => it.map_id === mapId);
    if (record === undefined) throw notFound('map');
    return record;
  }

  function present({ online: source, ...record }: MapRecord, viewer: Viewer): MapReply {
    const { map_id, bytes } = record;
    return {
      ...record,
      bytes: source === null ? bytes : online.cachedBytes(map_id),
      path: isDealer(viewer) ? record.path : null,
      url: isDealer(viewer) && source !== null ? readable(source.url) : null,
      ...faultOf(map_id, source),
    };
  }

  function faultOf(map_id: string, source: MapRecord['online']): Pick<MapReply, 'fault' | 'fault_causes'> {
    const ofSource = () =>
      source !== null && isUnreadable(source.url) ? [causeOf('map_source.sealed')] : online.fault(map_id);
    const fault_causes = source === null ? faults.get(map_id) : ofSource();
    return fault_causes === undefined ? { fault: null } : { fault: detailOf(fault_causes), fault_causes };
  }

  function changed(): void {
    for (const listener of listeners) listener();
  }

  async function readOnline(asked: NewOnlineMap, caller: WorkAsk): Promise<ReadSource> {
    const { source, sample } = await online.read(asked);
    if (sample === null || source.about.kind === 'imagery') return source;
    try {
      await inspections.run(() => ({ kind: 'check', ...sample }), caller);
      return source;
    } catch (error) {
      if (error instanceof WorkFailed && error.code === 'bad_map') {
        throw invalid('url', [causeOf('map_source.not_drawn'), ...causesOf(error)]);
      }
      throw error instanceof WorkFailed ? refusalOf(error) : error;
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

  function addFile(
    { tile_type: _, ...about }: MapAbout,
    more: Pick<MapRecord, 'map_id' | 'name' | 'bytes' | 'path'>,
  ): Promise<MapRecord> {
    return add({ ...about, ...more, online: null, shown: true });
  }

  async function add(fields: Omit<MapRecord, 'version' | 'created_at' | 'updated_at'>): Promise<MapRecord> {
    const now = new Date(clock.now()).toISOString();
    const record: MapRecord = {
      ...fields,
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
    /** All map files by rank, as threads read them; online sources are none. */
    readable: (): readonly ReadableMap[] => byRankNow().files,
    /** Those of streets that are drawn, with what has to stand beside a print of them. */
    streetFiles: (): (ReadableMap & { licence: string })[] =>
      byRankNow()
        .files.filter((it) => it.shown && it.kind === 'streets')
        .map((it) => ({ ...it, licence: find(it.map_id).licence })),
    checkQuota: () => checkQuota('maps', document.data.maps.length, 1),

    /** Takes a file where it lies. @throws ApiError 400 with what is wrong with it, 409 when it is a map already */
    async addByPath(given: string, name: string | undefined, caller: WorkAsk): Promise<MapRecord> {
      if (!isAbsolute(given)) throw invalid('path', 'is not absolute', 'format');
      const path = resolve(given);
      if (!relative(folder, path).startsWith('..')) throw invalid('path', causeOf('map.in_data_folder'));
      const found = await stat(path).catch((error: unknown) => {
        throw invalid('path', [causeOf('map.path_unreadable'), ...fileCauses(error)]);
      });
      if (!found.isFile()) throw invalid('path', 'is no file');
      if (document.data.maps.some((it) => it.path === path)) {
        throw new ApiError('in_use', causeOf('map.file_known'));
      }
      checkQuota('maps', document.data.maps.length, 1);
      const about = await inspect(path, caller);
      return addFile(about, { map_id: randomUUID(), name: name ?? nameOf(path), bytes: found.size, path });
    },

    /** Takes a file of our own folder, which is then a map's or still where it was. @throws as `addByPath` */
    async addOwn(part: string, name: string, caller: WorkAsk): Promise<MapRecord> {
      const map_id = randomUUID();
      const about = await inspect(part, caller);
      const { size } = await stat(part);
      const path = join(own, `${map_id}.${about.format}`);
      await rename(part, path);
      try {
        return await addFile(about, { map_id, name, bytes: size, path: null });
      } catch (error) {
        await rename(path, part);
        throw error;
      }
    },

    /** Reads an online source as it is read when it is added. @throws ApiError 400 with what is wrong with it */
    readOnline,

    /** @throws as `readOnline` */
    async addOnline(asked: NewOnlineMap, shown: boolean, caller: WorkAsk): Promise<MapRecord> {
      checkQuota('maps', document.data.maps.length, 1);
      const { about, tiles: template } = await readOnline(asked, caller);
      return add({
        ...about,
        ...{ map_id: randomUUID(), format: 'online', bytes: 0, path: null, shown },
        online: { url: asked.url, tiles: template },
      });
    },

    /** @throws ApiError 404, also of a map that is no online source */
    async clearCache(mapId: string): Promise<void> {
      if (find(mapId).online === null) throw notFound('online source');
      await online.clear(mapId);
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
      if (record.online !== null) {
        online.forget(mapId);
        await online.clear(mapId);
      }
      if (record.online !== null || record.path !== null) return;
      // Where a thread has it open, on Windows it goes at the next start.
      await rm(pathOf(record), { force: true }).catch((error: unknown) => {
        log.warn({ err: error, map_id: mapId }, 'the file of a removed map could not be deleted yet');
      });
    },

    /** See `DrawnTiles`. @throws ApiError 404, 429, 503 */
    async tile(of: string, z: number, x: number, y: number, user_id: string) {
      if (x >= 2 ** z || y >= 2 ** z) throw notFound('tile');
      if (of !== 'streets' && of !== 'imagery') find(of);
      const maps = byRankNow().all;
      return tiles.draw({ version: document.data.version, maps, of, z, x, y }, user_id);
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

const isOnline = (record: MapRecord): record is MapRecord & OnlineMap => record.online !== null;

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
      return new ApiError('validation_failed', [causeOf('map.not_drawable'), ...causesOf(error)], cause);
    case 'out_of_memory':
    case 'too_long':
    case 'ended':
      return new ApiError('validation_failed', causeOf('map.too_costly'), cause);
    case 'failed':
      return new ApiError('validation_failed', [causeOf('map.unreadable'), ...causesOf(error)], cause);
    default:
      return ofWork(error) ?? new ApiError('unavailable', error.message, cause);
  }
}
