import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { causeOf } from '../../contract/causeTexts.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import { gpxType, trackImportRoutes, type TrackImportResult } from '../../contract/trackImport.ts';
import { callerOf, type Api } from '../../http/api.ts';
import { ApiError, ofWork } from '../../http/apiError.ts';
import { createLines } from '../../http/lines.ts';
import { startWorker } from '../../startWorker.ts';
import type { Store } from '../../store/operations.ts';
import type { PositionRow } from '../../store/telemetry/rows.ts';
import type { Vehicles } from '../../vehicles/vehicles.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../../workerChannel.ts';
import { VehicleTimeMap } from '../vehicleTimeMap.ts';
import { isoTime } from '../presentPosition.ts';
import { fixesIn, positionAt, timeIn, type ReadTrack } from './importedTrack.ts';

/** A file for the thread that reads it. */
export interface TrackFile {
  format: 'gpx' | 'csv';
  text: string;
  mapping: readonly string[];
  tz: string;
  now_ms: number;
}

/** A file of the largest size as text, and its positions. */
const heap_mb = 512;
/** What waits is held: a file of up to 8 MiB. */
const waiting = { per_user: 2, all: 8 };
/** A file of the largest size takes some seconds; one that takes a minute is hostile. */
const levels_ms = [2_000, 60_000];
/** Of one commit, in which what terminals send waits: some 20 ms of work. */
const storedAtOnce = 500;

export type TrackFiles = ReturnType<typeof createTrackFiles>;

/** Reads files of positions in a thread of its own. */
export function createTrackFiles() {
  const line = createWorkerChannel<TrackFile, ReadTrack>({
    start: () => startWorker(import.meta.url, 'trackImport.worker', { heap_mb }),
    waiting,
    levels_ms,
  });
  return {
    /** @throws {ApiError} with what is wrong with the file */
    async read(file: TrackFile, ask: WorkAsk): Promise<ReadTrack> {
      try {
        return await line.run(() => file, ask);
      } catch (error) {
        throw error instanceof WorkFailed ? (refusalOf(error, file) ?? error) : error;
      }
    },
    close: (): Promise<void> => line.close(),
  };
}

function refusalOf(error: WorkFailed, { format }: TrackFile): ApiError | null {
  const about = () => [
    causeOf('file.not_imported', { format: format.toUpperCase() }),
    ...(error.causes ?? []),
  ];
  if (error.code === 'bad_file') return new ApiError('validation_failed', about(), { cause: error });
  if (error.code === 'too_large') return new ApiError('too_large', about(), { cause: error });
  return ofWork(error);
}

export interface TrackImportDeps {
  files: Pick<TrackFiles, 'read'>;
  vehicles: Pick<Vehicles, 'find'>;
  store: Pick<Store, 'positionsAt' | 'logTrackImport'>;
  /** Stores those that are not there yet; answers how many. */
  storePast: (positions: readonly PositionRow[]) => Promise<number>;
  settings: () => Pick<SettingsFields, 'timezone'>;
  clock: Clock;
}

/** One file at a time: what terminals send is stored in between. */
export function addTrackImportRoute(api: Api, deps: TrackImportDeps): void {
  const oneAtATime = createLines();
  api.handle(trackImportRoutes.import, async (call) => {
    const { params, query, text, body, request, viewer } = call;
    const { vehicle_id } = deps.vehicles.find(params.vehicle, viewer);
    const content = text ?? body;
    const file: TrackFile = {
      format: request.is(gpxType) === false ? 'csv' : 'gpx',
      text: content,
      mapping: query.mapping === undefined ? [] : [query.mapping].flat().flatMap((it) => it.split('\n')),
      tz: query.tz ?? deps.settings().timezone,
      now_ms: deps.clock.now(),
    };
    const ask = callerOf(call);
    const leave = await oneAtATime.enter('all');
    try {
      ask.signal.throwIfAborted();
      const read = await deps.files.read(file, ask);
      const dryRun = query.dry_run === '1';
      if (!dryRun) await deps.store.logTrackImport({ vehicle_id, source: query.source, rows: read.rows });
      const of = { vehicle_id, received_ms: file.now_ms, source: query.source };
      const imported = await store(read, of, dryRun, ask.signal, deps);
      return resultOf(read, imported);
    } finally {
      leave();
    }
  });
}

/** How many of the positions the vehicle has not yet; those are stored, unless it is a dry run. */
async function store(
  { table }: ReadTrack,
  of: Parameters<typeof positionAt>[2],
  dryRun: boolean,
  signal: AbortSignal,
  deps: TrackImportDeps,
): Promise<number> {
  let imported = 0;
  for (let at = 0; at < fixesIn(table); at += storedAtOnce) {
    // What was stored stays; the same file may be imported again.
    signal.throwIfAborted();
    const count = Math.min(storedAtOnce, fixesIn(table) - at);
    const rows = Array.from({ length: count }, (_, more) => positionAt(table, at + more, of));
    imported += dryRun ? (await withoutStored(rows, deps.store)).length : await deps.storePast(rows);
    await nextTurn();
  }
  return imported;
}

/** Those at whose time their vehicle has no position. */
export async function withoutStored(
  rows: readonly PositionRow[],
  { positionsAt }: Pick<Store, 'positionsAt'>,
): Promise<PositionRow[]> {
  const there = new VehicleTimeMap<PositionRow>();
  for (const row of await positionsAt([...rows])) there.set(row.vehicle_id, row.time_ms, row);
  return rows.filter(({ vehicle_id, time_ms }) => there.get(vehicle_id, time_ms) === undefined);
}

function resultOf(
  { rows, table, rejected, faults, columns }: ReadTrack,
  imported: number,
): TrackImportResult {
  const isoAt = (at: number) => {
    const time_ms = timeIn(table, at);
    return time_ms === null ? null : isoTime(time_ms);
  };
  return {
    rows,
    imported,
    duplicates: rows - rejected - imported,
    rejected,
    from: isoAt(0),
    to: isoAt(fixesIn(table) - 1),
    columns: columns,
    faults,
  };
}
