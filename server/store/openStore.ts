import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from '../clock.ts';
import { startWorker } from '../startWorker.ts';
import { currentCaller } from './caller.ts';
import type { StoreLog } from './documents/DocumentFile.ts';
import { errorCode } from './documents/Files.ts';
import { methodsOf, type Store } from './operations.ts';
import { StoreLost } from './storeErrors.ts';
import type { Adoption } from './telemetry/adopt.ts';
import { LONGEST_LOG_BYTES } from './telemetry/checkpoints.ts';
import { connectWorker, type WorkerOptions } from './telemetry/connectWorker.ts';
import type { ReaderOrders, WriterCommands, WriterReady } from './telemetry/messages.ts';
import { migrations as allMigrations, type Migration } from './telemetry/schema.ts';

/** A database was begun anew; a broken one was set aside. */
export interface TelemetryRecovery {
  /** Names in the data folder, `telemetry.db.broken-20261121T074300Z` and what lay beside it; none when it was missing. */
  quarantinedAs: string[];
  /** RFC 3339, UTC. */
  at: string;
}

export interface StoreOptions {
  /** The data folder, which this host holds. */
  folder: string;
  clock?: Clock;
  log?: StoreLog;
  onRecovered?: (recovery: TelemetryRecovery) => void;
  /** Steps of SQL that bring the database from each version to the next; `schema.ts` has the program's own. */
  migrations?: readonly Migration[];
  /** What documents held; it goes into a database that has adopted none before. */
  adopt?: Adoption | null;
  /**
   * Given where the database has adopted before: called when it is missing or broken, for what a new one takes in. Should
   * it throw, nothing was touched.
   */
  restore?: (() => Promise<Adoption>) | null;
  /** The database may grow to this many pages of 4,096 bytes, and is a full disk to its writer beyond. */
  maxPages?: number;
  /** Called after each write with what it took, and why it failed; null when it did not. */
  onWrite?: (write: { ms: number; error: unknown }) => void;
  /** For tests: why no write is to be stored now; null: it is. */
  writeFault?: () => Error | null;
  /** When the write-ahead log is as long as this it is copied into the database, however much is being written. */
  maxLogBytes?: number;
}

/**
 * The states of 10,000 vehicles, or two days of a busy depot's notifications at a start, are some 200 MB; a group of
 * commits is less. A worker that needs more dies, and its calls fail, as when it dies of anything else.
 */
const HEAP_MB = 1_024;
/** By Node's own choice, 48, what one page after the other leaves behind stays for longer: some 100 MB more (measured). */
const READER_YOUNG_MB = 12;

/** The second is there when the first is done; a page of a track takes some 10 ms. */
const READS_UNDER_WAY = 2;
/** Each of a user's calls has one read under way; 180 of them may begin in a minute. */
const READS_PER_USER = 500;

const silent: StoreLog = { info: () => undefined, warn: () => undefined };

/**
 * Opens `telemetry.db` in the folder, or begins it.
 *
 * @throws what `restore` throws; {DataFolderError} `newer_version`; {DiskFull}; {StoreFailed}
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, clock = systemClock, log = silent, onRecovered, restore = null } = options;
  const file = join(folder, 'telemetry.db');
  let epoch = '';
  // At the first start alone: what it held then is no good for a database that is begun anew later.
  let { adopt = null } = options;
  let database: WriterCommands['database'] = restore === null ? 'new' : 'adopted';
  let renewReader: () => void = () => undefined;

  const writerOptions: WorkerOptions<WriterReady> = {
    name: 'writer',
    clock,
    log,
    start: () => {
      const orders: WriterCommands = {
        file,
        now_ms: clock.now(),
        migrations: options.migrations ?? allMigrations,
        adopt,
        database,
        maxPages: options.maxPages ?? null,
        maxLogBytes: options.maxLogBytes ?? LONGEST_LOG_BYTES,
      };
      return startWorker(import.meta.url, 'writer.worker', { heap_mb: HEAP_MB, workerData: orders });
    },
    onReady(ready) {
      epoch = ready.epoch;
      // From now on none but this database will do: what the host has in memory is what it holds.
      const isLost = database === 'lost';
      if (adopt !== null) database = 'adopted';
      adopt = null;
      if (ready.copy !== null)
        log.info({ copy: ready.copy }, 'telemetry database was migrated; a copy was kept');
      if (ready.quarantinedAs.length > 0 || isLost) {
        const at = new Date(clock.now()).toISOString();
        log.warn(
          { quarantinedAs: ready.quarantinedAs },
          'telemetry database could not be read; starting with a new one',
        );
        onRecovered?.({ quarantinedAs: ready.quarantinedAs, at });
        // It still reads the file that was set aside.
        renewReader();
      }
    },
  };
  const writer = await connectWorker(writerOptions).catch(async (error: unknown) => {
    if (!(error instanceof StoreLost) || restore === null) throw error;
    adopt = await restore();
    log.warn({ error }, 'telemetry database is begun anew with the copy of the depot');
    database = 'lost';
    return connectWorker(writerOptions);
  });

  const reader = await connectWorker<null>({
    name: 'reader',
    clock,
    log,
    start: () => {
      const orders: ReaderOrders = { file };
      return startWorker(import.meta.url, 'reader.worker', {
        heap_mb: HEAP_MB,
        young_mb: READER_YOUNG_MB,
        workerData: orders,
      });
    },
    onReady: () => undefined,
    turns: { under_way: READS_UNDER_WAY, per_user: READS_PER_USER },
  }).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  renewReader = () => reader.renew();

  const written = { positions: 0, commits: 0 };
  const methods = methodsOf((side, op, args) => {
    const call = { op, args, at_ms: clock.now(), by: currentCaller() };
    return side === 'read' ? reader.call(call) : watchedWrite(() => writer.call(call));
  });

  async function watchedWrite(run: () => Promise<unknown>): Promise<unknown> {
    const begun_ms = clock.monotonic();
    let error: unknown = null;
    try {
      const fault = options.writeFault?.() ?? null;
      if (fault !== null) throw fault;
      return await run();
    } catch (failure) {
      error = failure;
      throw failure;
    } finally {
      options.onWrite?.({ ms: clock.monotonic() - begun_ms, error });
    }
  }

  return {
    ...methods,
    get epoch() {
      return epoch;
    },
    async commit(batch) {
      const result = await methods.commit(batch);
      written.commits++;
      written.positions += batch.positions.length;
      return result;
    },
    async stats() {
      const sizes = await Promise.all([file, `${file}-wal`].map(bytesOf));
      return { bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), ...written };
    },
    async close() {
      // The writer goes last: only the last connection can put away the log.
      await reader.close();
      await writer.close();
    },
  };
}

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
