import { realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf, said } from '../contract/causeTexts.ts';
import type { Backups as BackupsState } from '../contract/backups.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { ApiError, causesOf, invalid } from '../http/apiError.ts';
import { wallClock } from '../reports/localDays.ts';
import type { Health } from '../settings/health.ts';
import { startWorker } from '../startWorker.ts';
import { currentCaller } from '../store/caller.ts';
import type { DiskSpace } from '../video/videoFiles.ts';
import { createWorkerChannel } from '../workerChannel.ts';
import { backUp, targetFolder } from './backUp.ts';
import { backupsIn, partialName, readManifest } from './manifest.ts';
import type { BackupOrder, WrittenBackup } from './writeBackup.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** A start has other things to do; and one that failed is tried again after this. */
const FIRST_LOOK_MS = MINUTE_MS;
const RETRY_MS = 60 * MINUTE_MS;
/** One that takes longer is overdue, 26 hours after the last: a folder on the network may answer nothing at all. */
const LATE_MS = 2 * 60 * MINUTE_MS;
/** So long a list, and the end of the host, wait for a folder. */
const LISTING_MS = 5_000;
/** The names of a million clips. */
const HEAP_MB = 512;
/** As many as may be kept, and some that were made by hand. */
const MOST_LISTED = 400;

type BackupSettings = Pick<
  SettingsFields,
  'timezone' | 'backup_daily' | 'backup_time' | 'backup_keep' | 'backup_folder' | 'backup_clips'
>;

export interface BackupsDeps {
  /** The data folder, which this host holds. */
  folder: string;
  instanceId: string;
  appVersion: string;
  settings: () => BackupSettings;
  /** See `secrets_kept_by` of the reply. */
  secretsKeptBy: string | null;
  health: Pick<Health, 'set'>;
  readSpace: (folder: string) => Promise<DiskSpace>;
  /** Called on behalf of whoever asked for one, when it is made. */
  onMade: (made: { path: string; clips: boolean }) => void;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** What is asked for; null: as the settings say. */
export interface AskedBackup {
  to: string | null;
  clips: boolean | null;
}

export type Backups = Awaited<ReturnType<typeof openBackups>>;

/** Backs the data folder of a running host up: one at a time, on demand and daily. */
export async function openBackups(deps: BackupsDeps) {
  const { instanceId, settings, health, clock, log } = deps;
  const data = await realpath(deps.folder);
  const closing = new AbortController();
  const isClosing = () => closing.signal.aborted;
  const channel = createWorkerChannel<BackupOrder, WrittenBackup>({
    start: () => startWorker(import.meta.url, 'backup.worker', { heap_mb: HEAP_MB }),
    clock,
  });
  let running: { started_ms: number; fraction: number; ended: Promise<unknown> } | null = null;
  let failure: { at_ms: number; causes: Cause[] } | null = null;
  let overdue: Cause[] | null = null;
  /** The daily one that is looked after. */
  let daily: { begun_ms: number; due_ms: number } | null = null;
  let tried = { due_ms: -Infinity, at: -Infinity };
  let listing: Promise<BackupsState['backups']> | null = null;
  let stopTimer = (): void => undefined;

  /** @throws {ApiError} `in_use` while another one is under way */
  function begin(
    { to, clips }: AskedBackup,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
  ): Promise<WrittenBackup> {
    if (running !== null) throw new ApiError('in_use', causeOf('backup.running'));
    const { backup_folder, backup_clips } = settings();
    const target = to ?? backup_folder;
    if (target === '') throw new ApiError('in_use', causeOf('backup.no_folder'));
    const own = { started_ms: clock.now(), fraction: 0 };
    const signals = [closing.signal, ...(signal === undefined ? [] : [signal])];
    const run = {
      signal: AbortSignal.any(signals),
      onProgress(fraction: number) {
        own.fraction = fraction;
        onProgress?.(fraction);
      },
    };
    const making = make({ to: target, clips: clips ?? backup_clips }, run)
      // Those that are named by a command are kept for good.
      .then(async (made) => {
        if (to === null) await prune(target, settings().backup_keep);
        return made;
      })
      .finally(() => (running = null));
    running = Object.assign(own, { ended: making.catch(() => undefined) });
    return making;
  }

  async function make(asked: { to: string; clips: boolean }, run: Parameters<typeof backUp>[2]) {
    const write = (order: BackupOrder, { signal, onProgress }: typeof run) =>
      channel.run(() => order, { user_id: 'host', signal, onProgress });
    try {
      const made = await backUp(
        { data, instanceId, write, clock, appVersion: deps.appVersion, readSpace: deps.readSpace },
        asked,
        run,
      );
      failure = null;
      const by = currentCaller()?.login ?? 'schedule';
      log.info({ ...made, by }, 'backup was made');
      deps.onMade({ path: made.path, clips: asked.clips });
      return made;
    } catch (error) {
      const cancelled = causeOf('backup.cancelled');
      failure = { at_ms: clock.now(), causes: run.signal.aborted ? [cancelled] : causesOf(error) };
      log.warn({ err: error }, 'backup failed');
      throw run.signal.aborted ? new ApiError('unavailable', cancelled) : error;
    }
  }

  /** Each minute. */
  function look(): void {
    stopTimer = clock.after(MINUTE_MS, look);
    const { backup_daily, backup_time, backup_folder, timezone } = settings();
    const now_ms = clock.now();
    if (!backup_daily || backup_folder === '') {
      report(null);
    } else if (daily === null) {
      const due_ms = lastAt(backup_time, timezone, now_ms);
      daily = { begun_ms: now_ms, due_ms };
      void makeDue(due_ms, backup_folder).finally(() => (daily = null));
    } else if (now_ms - daily.begun_ms >= LATE_MS) {
      report([causeOf('backup.not_finished', { due: dueWords(daily.due_ms) })]);
    }
  }

  async function makeDue(due_ms: number, folder: string): Promise<void> {
    if ((await newestIn(folder)) >= due_ms) {
      report(null);
      return;
    }
    if (running !== null) {
      await running.ended;
      return;
    }
    if (isClosing()) return;
    if (tried.due_ms === due_ms && clock.monotonic() - tried.at < RETRY_MS) return;
    tried = { due_ms, at: clock.monotonic() };
    try {
      await begin({ to: null, clips: null });
      report(null);
    } catch (error) {
      if (!isClosing()) report([causeOf('backup.not_made', { due: dueWords(due_ms) }), ...causesOf(error)]);
    }
  }

  function report(causes: Cause[] | null): void {
    overdue = causes;
    health.set('backup_overdue', causes);
  }

  /** -Infinity when none can be seen: the attempt says why. */
  async function newestIn(folder: string): Promise<number> {
    const found = await backupsIn(folder, instanceId).catch(() => null);
    return found?.finished[0]?.created_ms ?? -Infinity;
  }

  async function prune(folder: string, keep: number): Promise<void> {
    try {
      const { finished } = await backupsIn(folder, instanceId);
      for (const { name } of finished.slice(keep)) {
        // A kill in the middle leaves none that looks whole.
        const leaving = join(folder, partialName(name));
        await rename(join(folder, name), leaving);
        await rm(leaving, { recursive: true, force: true });
        log.info({ name }, 'old backup was deleted');
      }
    } catch (error) {
      log.warn({ err: error }, 'old backups were not deleted; trying again after the next one');
    }
  }

  stopTimer = clock.after(FIRST_LOOK_MS, look);

  async function listOf(folder: string): Promise<BackupsState['backups']> {
    const listed = [];
    for (const { name, created_ms } of (await backupsIn(folder, instanceId)).finished.slice(0, MOST_LISTED)) {
      const manifest = await readManifest(join(folder, name)).catch(() => null);
      if (manifest === null) continue;
      const { bytes, clips } = manifest;
      listed.push({ name, created_at: new Date(created_ms).toISOString(), bytes, clips });
    }
    return listed;
  }

  /** Each read of a folder that does not answer holds one of the few threads for files: there is one at a time. */
  function listed(folder: string): Promise<BackupsState['backups']> {
    if (folder === '') return Promise.resolve([]);
    listing ??= listOf(folder)
      .catch(() => [])
      .finally(() => (listing = null));
    const late = new Promise<[]>((resolve) => clock.after(LISTING_MS, () => resolve([])));
    return Promise.race([listing, late]);
  }

  async function state(): Promise<BackupsState> {
    const { backup_folder } = settings();
    const backups = await listed(backup_folder);
    return {
      folder: backup_folder,
      running:
        running === null
          ? null
          : { started_at: new Date(running.started_ms).toISOString(), fraction: running.fraction },
      failure:
        failure === null ? null : { at: new Date(failure.at_ms).toISOString(), ...said(...failure.causes) },
      overdue: overdue === null ? null : detailOf(overdue),
      ...(overdue === null ? {} : { overdue_causes: overdue }),
      secrets_kept_by: deps.secretsKeptBy,
      backups,
    };
  }

  return {
    /** Resolves when it is made. @throws {ApiError} `in_use`; as `backUp` does */
    run: async (...asked: Parameters<typeof begin>) => begin(...asked),
    /** Resolves when it is under way. @throws {ApiError} `in_use`; `unavailable` for the folder */
    async start(clips: boolean | null): Promise<void> {
      if (settings().backup_folder !== '') await targetFolder(settings().backup_folder, data);
      // `state` says how it ends.
      begin({ to: null, clips }).catch(() => undefined);
    },
    state,
    /** @throws {ApiError} for settings by which no backup could be made */
    async check(before: BackupSettings, after: BackupSettings): Promise<void> {
      if (after.backup_daily && after.backup_folder === '')
        throw invalid('backup_folder', 'is needed for daily backups', 'missing');
      if (after.backup_folder === '' || after.backup_folder === before.backup_folder) return;
      await targetFolder(after.backup_folder, data).catch((error: unknown) => {
        throw error instanceof ApiError
          ? invalid('backup_folder', error.causes?.[0] ?? error.message)
          : error;
      });
    },
    /** Ends what is under way; nothing of it is left. */
    async close(): Promise<void> {
      stopTimer();
      closing.abort();
      const late = new Promise((resolve) => clock.after(LISTING_MS, () => resolve(null)));
      await Promise.race([running?.ended, late]);
      await channel.close();
    },
  };
}

const dueWords = (due_ms: number): string => `${new Date(due_ms).toISOString().slice(0, 16)}Z`;

/** When it was last `HH:MM`, Unix ms: where the clocks left that out, the moment they went on. */
export function lastAt(time: string, timezone: string, now_ms: number): number {
  const clockAt = wallClock(timezone);
  const minuteAt = (at_ms: number) => clockAt(at_ms).slice(0, 16);
  const today = minuteAt(now_ms).slice(0, 10);
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  const due = minuteAt(now_ms) >= `${today} ${time}` ? `${today} ${time}` : `${yesterday} ${time}`;
  // All zones differ from UTC by quarters of an hour.
  const past_ms = (Number(time.slice(3)) % 15) * MINUTE_MS;
  let at_ms = Math.floor((now_ms - past_ms) / QUARTER_MS) * QUARTER_MS + past_ms;
  while (minuteAt(at_ms - QUARTER_MS) >= due) at_ms -= QUARTER_MS;
  return at_ms;
}
