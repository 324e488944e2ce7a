import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { startWorker } from '../../startWorker.ts';
import type { StoreLog } from '../documents/DocumentFile.ts';
import { actingUser } from '../actingUser.ts';
import { errorCode } from '../documents/errorCode.ts';
import { LONGEST_LOG_BYTES } from './checkpoints.ts';
import { connectWorker } from './connectWorker.ts';
import type { ReaderOrders, WriterCommands, WriterReady } from './messages.ts';
import { packPositions } from './packedPositions.ts';
import type { Slice } from './newestFirst.ts';
import type { readOps } from './readOps.ts';
import type { PositionRow } from './rows.ts';
import { migrations as allMigrations } from './schema.ts';
import type { PageQuery, TelemetryStore } from './telemetryStore.ts';
import type { writeOps } from './writeOps.ts';

/** A broken database was set aside, and an empty one begun. */
export interface TelemetryRecovery {
  /** Names in the data folder, `telemetry.db.broken-20261121T074300Z` and what lay beside it. */
  setAside: string[];
  /** RFC 3339, UTC. */
  at: string;
}

export interface TelemetryStoreOptions {
  /** The data folder, which this host holds. */
  folder: string;
  clock?: Clock;
  log?: StoreLog;
  onRecovered?: (recovery: TelemetryRecovery) => void;
  /** Steps of SQL that bring the database from each version to the next; `schema.ts` has the program's own. */
  migrations?: readonly string[];
  /** The database may grow to this many pages of 4,096 bytes, and is a full disk to its writer beyond. */
  maxPages?: number;
  /** When the write-ahead log is as long as this it is copied into the database, however much is being written. */
  maxLogBytes?: number;
}

/**
 * The states of 10,000 vehicles, or two days of a busy depot's notifications at a start, are some 200 MB; a group of
 * commits is less. A worker that needs more dies, and its calls fail, as when it dies of anything else.
 */
const HEAP_MB = 1_024;

/** The second is there when the first is done; a page of a track takes some 10 ms. */
const READS_UNDER_WAY = 2;
/** Each of a user's calls has one read under way; 180 of them may begin in a minute. */
const READS_PER_USER = 500;

/** Taking over 2,000 positions from the reader holds up the main thread for some 6 ms (measured). */
const TRACK_PAGE = 2_000;

const silent: StoreLog = { info: () => undefined, warn: () => undefined };

/**
 * Opens `telemetry.db` in the folder, or begins it.
 *
 * @throws {DataFolderError} `newer_version`; {DiskFull}; {StoreFailed}
 */
export async function openTelemetryStore(options: TelemetryStoreOptions): Promise<TelemetryStore> {
  const { folder, clock = systemClock, log = silent, onRecovered } = options;
  const file = join(folder, 'telemetry.db');
  let epoch = '';
  let renewReader: () => void = () => undefined;

  const writer = await connectWorker<typeof writeOps, WriterReady>({
    name: 'writer',
    clock,
    log,
    start: () => {
      const orders: WriterCommands = {
        file,
        now_ms: clock.now(),
        migrations: options.migrations ?? allMigrations,
        maxPages: options.maxPages ?? null,
        maxLogBytes: options.maxLogBytes ?? LONGEST_LOG_BYTES,
      };
      return startWorker(import.meta.url, 'writer.worker', { heap_mb: HEAP_MB, workerData: orders });
    },
    onReady(ready) {
      epoch = ready.epoch;
      if (ready.copy !== null)
        log.info({ copy: ready.copy }, 'telemetry database was migrated; a copy was kept');
      if (ready.setAside.length > 0) {
        const at = new Date(clock.now()).toISOString();
        log.warn({ setAside: ready.setAside }, 'telemetry database was corrupt; starting with an empty one');
        onRecovered?.({ setAside: ready.setAside, at });
        // It still reads the file that was set aside.
        renewReader();
      }
    },
  });

  const reader = await connectWorker<typeof readOps, null>({
    name: 'reader',
    clock,
    log,
    start: () => {
      const orders: ReaderOrders = { file };
      return startWorker(import.meta.url, 'reader.worker', { heap_mb: HEAP_MB, workerData: orders });
    },
    onReady: () => undefined,
    turns: { user: actingUser, under_way: READS_UNDER_WAY, per_user: READS_PER_USER },
  }).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  renewReader = () => reader.renew();

  const written = { positions: 0, commits: 0 };

  function track(query: Parameters<TelemetryStore['track']>[0]): AsyncGenerator<PositionRow[]> {
    // The next page may be asked for by a socket that was written to: it is read for the same user still.
    const asCaller = AsyncLocalStorage.snapshot();
    async function* pages(): AsyncGenerator<PositionRow[]> {
      let from_ms = query.from_ms;
      for (;;) {
        const order = { ...query, from_ms, limit: TRACK_PAGE };
        const page = await asCaller(() => reader.call('trackPage', order));
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (last === undefined || page.length < TRACK_PAGE) return;
        from_ms = last.time_ms + 1;
      }
    }
    return pages();
  }

  return {
    get epoch() {
      return epoch;
    },

    async commit(batch) {
      const packed = { ...batch, positions: packPositions(batch.positions) };
      const result = await writer.call('commit', { batch: packed, at_ms: clock.now() });
      written.commits++;
      written.positions += batch.positions.length;
      return result;
    },
    saveNotifications: (rows) => writer.call('saveNotifications', { rows, at_ms: clock.now() }),
    saveSnoozes: (rows) => writer.call('saveSnoozes', { rows, at_ms: clock.now() }),
    deleteSnoozes: (snoozes) => writer.call('deleteSnoozes', { snoozes, at_ms: clock.now() }),
    saveDeliveries: (rows) => writer.call('saveDeliveries', rows),
    saveTasks: (rows) => writer.call('saveTasks', { rows, at_ms: clock.now() }),
    saveAccess: (rows) => writer.call('saveAccess', rows),
    saveTerminalCommands: (rows) => writer.call('saveTerminalCommands', { rows, at_ms: clock.now() }),
    recordChanges: (changes) => writer.call('recordChanges', { changes, at_ms: clock.now() }),
    noteUnknown: (unknownTerminals) => writer.call('noteUnknown', unknownTerminals),
    forgetUnknown: (ids) => writer.call('forgetUnknown', ids),
    saveSessions: (rows) => writer.call('saveSessions', rows),
    deleteSessions: (ids) => writer.call('deleteSessions', ids),
    saveIdempotent: (row) => writer.call('saveIdempotent', row),
    trimIdempotent: (user_id, max) => writer.call('trimIdempotent', { user_id, max }),
    async purgeVehicle(vehicle_id) {
      await writer.call('purgeVehicle', vehicle_id);
      while ((await writer.call('sweepPurged', null)).more);
    },
    prune: (before) => writer.call('prune', before),

    positionsAt: (keys) => reader.call('positionsAt', keys),
    track,
    vehicleStates: () => reader.call('vehicleStates', null),
    refused: (page) => reader.call('refused', page),
    unknownTerminals: () => reader.call('unknownTerminals', null),
    events: (query) => wholePage(query, (it) => reader.call('events', it)),
    notifications: (query) => wholePage(query, (it) => reader.call('notifications', it)),
    notificationsById: (ids) => reader.call('notificationsById', ids),
    recentNotifications: (since_ms) => reader.call('recentNotifications', since_ms),
    ruleVersion: (rule_id, version) => reader.call('ruleVersion', { rule_id, version }),
    snoozes: () => reader.call('snoozes', null),
    waitingDeliveries: () => reader.call('waitingDeliveries', null),
    deliveriesOf: (id) => reader.call('deliveriesOf', id),
    tasks: (query) => wholePage(query, (it) => reader.call('tasks', it)),
    tasksById: (ids) => reader.call('tasksById', ids),
    tasksIn: (statuses) => reader.call('tasksIn', statuses),
    accessOf: (task_id) => reader.call('accessOf', task_id),
    terminalCommands: (query) => reader.call('terminalCommands', query),
    terminalCommandsById: (ids) => reader.call('terminalCommandsById', ids),
    openTerminalCommands: () => reader.call('openTerminalCommands', null),
    sessions: () => reader.call('sessions', null),
    idempotent: (key) => reader.call('idempotent', key),
    changesAfter: (seq, limit) => reader.call('changesAfter', { seq, limit }),
    lastSeq: () => reader.call('lastSeq', null),

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

/** Slices of a list until the page is full or there is no more; other reads come in between. */
async function wholePage<Query extends PageQuery, Row>(
  query: Query,
  read: (query: Query) => Promise<Slice<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let { before } = query; ;) {
    const limit = query.limit - rows.length;
    const slice = await read({ ...query, limit, ...(before && { before }) });
    rows.push(...slice.rows);
    if (slice.next === null || rows.length >= query.limit) return rows;
    before = slice.next;
  }
}

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
