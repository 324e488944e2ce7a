import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf } from '../../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { id } from '../../contract/fields.ts';
import { mapRegion, type MapRegion, type RegionEstimate } from '../../contract/mapRegions.ts';
import { ApiError, causesOf, invalid, notFound, ofWork } from '../../http/apiError.ts';
import { checkQuota } from '../../http/quotas.ts';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../../workerChannel.ts';
import { fileCauses, MapFileError } from '../mapFile.ts';
import type { Maps } from '../maps.ts';
import { checkSpace } from '../mapUploads.ts';
import { copyRegion } from './copyRegion.ts';
import {
  createRangeSource,
  SourceError,
  sourceUrlError,
  type RangeSource,
  type RangeSourceDeps,
} from './rangeSource.ts';
import { planRegion, type RegionPlan } from './regionPlan.ts';
import type { RegionOrder, RegionResult } from './regions.worker.ts';

/** Lies beside what was copied. */
const regionFile = mapRegion.extend({
  user_id: id,
  /** Once its tiles are listed: of the source, and of the file that is made. */
  plan: z
    .object({
      head_bytes: z.int(),
      version: z.object({ bytes: z.int(), etag: z.string().nullable(), modified: z.string().nullable() }),
    })
    .nullable(),
});
type Region = z.infer<typeof regionFile>;

export type NewRegion = Pick<MapRegion, 'name' | 'url' | 'area' | 'max_zoom'>;

/** Nobody goes on with it any more. */
const abandonedAfterMs = 7 * 86_400_000;
/** The largest region takes some seconds. */
const workTimes_ms = [60_000];
const workHeap_mb = 768;
const waitingWork = { per_user: 16, all: 32 };
const estimateMs = 60_000;
const estimateAttempts = 3;

export type MapRegions = Awaited<ReturnType<typeof openMapRegions>>;

/** Regions of maps that are copied from servers elsewhere, one at a time; they outlive the host. */
export async function openMapRegions(
  deps: RangeSourceDeps & {
    maps: Pick<Maps, 'folder' | 'addOwn' | 'checkQuota'>;
    /** What may be written to the disk beside its reserve. */
    freeBytes: () => Promise<number>;
    clock: Clock;
    log: Logger;
  },
) {
  const { maps, freeBytes, clock, log } = deps;
  const work = createWorkerChannel<RegionOrder, RegionResult>({
    start: () => startWorker(import.meta.url, 'regions.worker', { heap_mb: workHeap_mb }),
    waiting: waitingWork,
    levels_ms: workTimes_ms,
  });
  const regions = new Map<string, Region>();
  let running: { region: Region; stop: AbortController; ended: Promise<void> } | null = null;
  let estimating = false;
  /** What operators ask for, one after the other. */
  const commands = new PQueue({ concurrency: 1 });

  const pathOf = (regionId: string, what: 'tiles' | 'segments' | 'json') =>
    join(maps.folder, `${regionId}.region-${what}`);

  /** What the host knows after a crash. */
  async function save(region: Region, change: Partial<Region> = {}): Promise<void> {
    Object.assign(region, change, { updated_at: new Date(clock.now()).toISOString() });
    const path = pathOf(region.region_id, 'json');
    await writeFile(`${path}.new`, JSON.stringify(region), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }

  async function forget(regionId: string): Promise<void> {
    regions.delete(regionId);
    await rm(pathOf(regionId, 'json'), { force: true });
    await rmCopied(regionId);
  }

  async function rmCopied(regionId: string): Promise<void> {
    await rm(pathOf(regionId, 'tiles'), { force: true });
    await rm(pathOf(regionId, 'segments'), { force: true });
  }

  /** Of the state document, or of what was copied, which a host that was killed may have left behind it. */
  async function readBack(): Promise<void> {
    const names = (await readdir(maps.folder)).filter((name) => name.includes('.region-'));
    for (const name of names.filter((it) => it.endsWith('.region-json'))) {
      try {
        const region = regionFile.parse(JSON.parse(await readFile(join(maps.folder, name), 'utf8')));
        const isAbandoned = clock.now() - Date.parse(region.updated_at) >= abandonedAfterMs;
        if (!isAbandoned) regions.set(region.region_id, region);
      } catch (error) {
        log.warn({ err: error, file: name }, 'the download of a region cannot be read; it is deleted');
      }
    }
    for (const name of names) {
      const [regionId = ''] = name.split('.region-');
      if (!regions.has(regionId) || name.endsWith('.new')) await rm(join(maps.folder, name), { force: true });
    }
  }

  function find(regionId: string): Region {
    const region = regions.get(regionId);
    if (region === undefined) throw notFound('region');
    return region;
  }

  function present({ plan: _, user_id: __, ...region }: Region): MapRegion {
    return region;
  }

  function check({ url, area }: Pick<NewRegion, 'url' | 'area'>): void {
    const fault = sourceUrlError(url, deps);
    if (fault !== null) throw invalid('url', fault);
    if (area.west >= area.east) throw invalid('area', 'its west is not west of its east');
    if (area.south >= area.north) throw invalid('area', 'its south is not south of its north');
  }

  function begin(region: Region): void {
    const stop = new AbortController();
    const ended = run(region, stop.signal).catch((error: unknown) => {
      log.error({ err: error, region_id: region.region_id }, 'the state of a download could not be written');
    });
    running = { region, stop, ended };
    void ended.then(() => {
      if (running?.stop === stop) running = null;
    });
  }

  /** Ends what is under way, and leaves what was copied. */
  async function halt(region: Region): Promise<void> {
    if (running?.region !== region) return;
    running.stop.abort(new Error('the download was stopped'));
    await running.ended;
  }

  async function run(region: Region, signal: AbortSignal): Promise<void> {
    const source = createRangeSource(region.url, deps, {
      known: region.plan?.version ?? null,
      onInterruption: (causes) =>
        Object.assign(region, causes === null ? notInterrupted : interruptedBy(causes)),
    });
    try {
      await advance(region, source, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { causes, isOver } = faultOf(error);
      log.warn({ err: error, region_id: region.region_id }, 'the download of a region failed');
      if (isOver) {
        await rmCopied(region.region_id);
        Object.assign(region, { plan: null, tiles: null, bytes: null, received: 0 });
      }
      const fault = { fault: detailOf(causes), fault_causes: causes };
      await save(region, { phase: 'failed', ...fault, ...notInterrupted });
    } finally {
      source.close();
    }
  }

  async function advance(region: Region, source: RangeSource, signal: AbortSignal): Promise<void> {
    const { region_id, user_id } = region;
    const caller = { user_id, signal };
    const files = { head: pathOf(region_id, 'tiles'), segments: pathOf(region_id, 'segments') };
    await checkThere(region, files);
    if (region.plan === null) {
      region.phase = 'listing';
      const { layout } = await planRegion(region, source, work, files, caller);
      const { tiles, bytes, head_bytes } = layout;
      const version = source.version();
      if (version === null) throw new Error('the source has not answered');
      await save(region, { tiles, bytes, received: head_bytes, plan: { head_bytes, version } });
    }
    const { plan, bytes } = region;
    if (plan === null || bytes === null) throw new Error('the tiles are not listed');
    if (region.received < bytes) {
      await save(region, { phase: 'copying' });
      await copyRegion({ ...plan, bytes, received: region.received }, source, files, {
        signal,
        checkSpace: (left) => checkSpace(left, freeBytes),
        onReceived: (received) => (region.received = received),
        save: () => save(region),
      });
    }
    await save(region, { phase: 'checking' });
    const { map_id } = await maps.addOwn(files.head, region.name, caller);
    // The host need not know it any more when it starts again.
    await rm(pathOf(region_id, 'json'), { force: true });
    await rm(files.segments, { force: true });
    Object.assign(region, { phase: 'done', map_id, updated_at: new Date(clock.now()).toISOString() });
  }

  /** What a crash of the machine has taken is copied again. */
  async function checkThere(region: Region, files: { head: string; segments: string }): Promise<void> {
    if (region.plan === null) return;
    const sizes = await Promise.all(
      [files.head, files.segments].map((path) =>
        stat(path).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    if ((sizes[0] ?? 0) >= region.received && (sizes[1] ?? 0) > 0) return;
    Object.assign(region, { plan: null, tiles: null, bytes: null, received: 0 });
  }

  await readBack();
  for (const region of regions.values()) {
    if (region.phase !== 'paused' && region.phase !== 'failed') begin(region);
  }

  const command = <T>(act: () => Promise<T>): Promise<T> => commands.add(act);

  return {
    list: (): MapRegion[] => [...regions.values()].map(present),
    get: (regionId: string): MapRegion => present(find(regionId)),

    /** @throws ApiError 400, 409, 503 with what is wrong with the source */
    async estimate(
      asked: Pick<NewRegion, 'url' | 'area' | 'max_zoom'>,
      caller: WorkAsk,
    ): Promise<RegionEstimate> {
      check(asked);
      if (estimating) throw new ApiError('in_use', causeOf('map.estimating'));
      estimating = true;
      const late = new AbortController();
      const stopTimer = clock.after(estimateMs, () =>
        late.abort(new SourceError('away', causeOf('region.too_slow'))),
      );
      const source = createRangeSource(asked.url, deps, { attempts: estimateAttempts });
      try {
        const signal = AbortSignal.any([caller.signal, late.signal]);
        const plan = await planRegion(asked, source, work, null, { ...caller, signal });
        return estimateOf(plan, source.version()?.bytes ?? 0, await freeBytes());
      } catch (error) {
        caller.signal.throwIfAborted();
        throw refusalOf(error);
      } finally {
        stopTimer();
        source.close();
        estimating = false;
      }
    },

    /** @throws ApiError 400, 409, 507 */
    start: (asked: NewRegion, { user_id }: Pick<WorkAsk, 'user_id'>) =>
      command(async () => {
        check(asked);
        const all = [...regions.values()];
        const unfinished = all.filter(({ phase }) => phase !== 'done').length;
        checkQuota('map_regions', unfinished, 1);
        maps.checkQuota();
        await checkSpace(1, freeBytes);
        for (const { region_id } of all) await forget(region_id);
        const now = new Date(clock.now()).toISOString();
        const region: Region = {
          region_id: randomUUID(),
          ...asked,
          ...{ phase: 'listing', tiles: null, bytes: null, received: 0, interruption: null, fault: null },
          ...{ map_id: null, created_at: now, updated_at: now, user_id, plan: null },
        };
        try {
          await save(region);
        } catch (error) {
          await forget(region.region_id);
          throw error;
        }
        regions.set(region.region_id, region);
        begin(region);
        return present(region);
      }),

    /** @throws ApiError 404; 409 when there is nothing left to be paused */
    pause: (regionId: string) =>
      command(async () => {
        const region = find(regionId);
        const { phase } = region;
        if (phase === 'checking') throw new ApiError('in_use', causeOf('map.checking'));
        if (phase !== 'listing' && phase !== 'copying') return present(region);
        await halt(region);
        const now = region.phase;
        // It may have failed, or ended, before it was stopped.
        if (now === 'failed' || now === 'done') return present(region);
        await save(region, { phase: 'paused', ...notInterrupted });
        return present(region);
      }),

    /** @throws ApiError 404, 409 when there are as many maps as may be */
    resume: (regionId: string) =>
      command(async () => {
        const region = find(regionId);
        if (region.phase !== 'paused' && region.phase !== 'failed') return present(region);
        maps.checkQuota();
        await halt(region);
        await save(region, {
          phase: region.plan === null ? 'listing' : 'copying',
          fault: null,
          fault_causes: [],
        });
        begin(region);
        return present(region);
      }),

    /** @throws ApiError 404 */
    cancel: (regionId: string) =>
      command(async () => {
        await halt(find(regionId));
        await forget(regionId);
      }),

    async close(): Promise<void> {
      await command(async () => {
        if (running !== null) await halt(running.region);
      });
      await work.close();
    },
  };
}

const notInterrupted = { interruption: null, interruption_causes: [] };
const interruptedBy = (causes: Cause[]) => ({
  interruption: detailOf(causes),
  interruption_causes: causes,
});

function estimateOf({ about, ...plan }: RegionPlan, source_bytes: number, free: number): RegionEstimate {
  const { kind, schema, licence } = about;
  const { head_bytes: _, ...layout } = plan.layout;
  const { area, min_zoom, max_zoom } = plan;
  const free_bytes = Math.max(0, Math.floor(free));
  return { ...layout, source_bytes, free_bytes, area, min_zoom, max_zoom, kind, schema, licence };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof SourceError) {
    return error.code === 'away' ? new ApiError('unavailable', error.causes) : invalid('url', error.causes);
  }
  if (isBadFile(error)) return invalid('url', [causeOf('map.unusable'), ...fileCauses(error)]);
  return error instanceof WorkFailed ? (ofWork(error) ?? error) : error;
}

const isBadFile = (error: unknown) =>
  error instanceof MapFileError || (error instanceof WorkFailed && error.code === 'bad_map');

/** For the operator; and whether what was copied is of no use any more. */
function faultOf(error: unknown): { causes: Cause[]; isOver: boolean } {
  if (isBadFile(error)) return { causes: [causeOf('map.unusable'), ...fileCauses(error)], isOver: true };
  if (error instanceof SourceError) return { causes: error.causes, isOver: error.code === 'changed' };
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  if (isFull) return { causes: [causeOf('region.disk_full')], isOver: false };
  // An inspection that finds the file wrong would find it wrong again.
  return {
    causes: causesOf(error),
    isOver: error instanceof ApiError && error.code === 'validation_failed',
  };
}
