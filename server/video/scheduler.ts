import type { TaskRow } from '../store/telemetry/rows.ts';
import {
  createOfflineTerminals,
  decideRetry,
  pauseAfter,
  type Failure,
  retryWindowMs,
} from './failurePolicy.ts';
import { startDownload, type Download, type DownloadDeps, type Ending } from './downloads.ts';
import { fragmentKey } from './fragments.ts';
import { groupFragments, planDownloads, type Fragment } from './fragmentQueue.ts';
import type { ProfileRecord } from './profileRecord.ts';
import type { FailureReason } from './terminals/terminal.ts';

export interface SchedulerDeps extends DownloadDeps {
  profileOf: (profileId: string) => ProfileRecord | undefined;
}

/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;
/** The wall clock may be set while the host waits for a moment of it. */
const maxSleepMs = 60_000;

/** Fetches what is asked for: one fragment of a terminal at a time, several terminals at once. */
export function createScheduler(deps: SchedulerDeps) {
  const { ledger, clock, log, profileOf } = deps;
  const downloads = new Map<string, Download>();
  const followed = new Set<Promise<void>>();
  const asked = new Map<string, Promise<void>>();
  const away = createOfflineTerminals();
  const patience = createRetryDeadlines();
  const online = new Map<string, boolean>();
  const failures = new Map<string, FailureReason[]>();
  /** Tasks that the scheduler itself is changing: not to be taken up twice. */
  const touched = new Set<string>();
  const stopping = new AbortController();
  let running = false;
  let looking = false;
  let stopTimer = (): void => undefined;
  let stopListening = (): void => undefined;
  let notBefore = 0;
  let overtakings: ReadonlyMap<string, number> = new Map();
  let passes = 0;

  /** Many changes of one turn are looked at once. */
  function wake(): void {
    if (!running || looking) return;
    looking = true;
    queueMicrotask(() => {
      looking = false;
      if (running) look();
    });
  }

  function look(): void {
    stopTimer();
    const now_ms = clock.now();
    const paused = notBefore - clock.monotonic();
    if (paused > 0) {
      stopTimer = clock.after(paused, wake);
      return;
    }
    const rows = ledger.unfinished();
    patience.follow(rows, now_ms);
    const fragments = groupFragments(rows);
    forgetFailures(fragments);
    const idle = fragments.filter((it) => !tend(it));
    stopAbandoned(fragments);
    const orphans = idle.filter((it) => profileOf(it.profile_id) === undefined);
    touch(
      orphans.flatMap((it) => it.rows),
      () => ({ happening: 'cancel' }),
    );
    askAway(rows, now_ms);
    const plan = planDownloads(
      idle.filter((it) => profileOf(it.profile_id) !== undefined),
      {
        now_ms,
        running: new Set(downloads.keys()),
        busy: new Set([...[...downloads.values()].map((it) => it.profile_id), ...asked.keys()]),
        away: away.ids(),
        room: deps.settings().video_max_downloads - downloads.size,
        overtakings,
        passes,
      },
    );
    const error = { code: 'terminal_offline', detail: 'The camera cannot be reached.' } as const;
    touch(plan.park, () => ({ happening: 'terminal_away', facts: { error } }));
    ({ overtakings, passes } = plan);
    for (const fragment of plan.start) start(fragment);
    sleepUntil([plan.wakeAt, away.nextAt()], now_ms);
  }

  function sleepUntil(moments: readonly (number | null)[], now_ms: number): void {
    const next = Math.min(...moments.map((it) => it ?? Infinity));
    if (next !== Infinity) stopTimer = clock.after(Math.min(Math.max(0, next - now_ms), maxSleepMs), wake);
  }

  /** True when the fragment's tasks are active: being fetched, or being queued again. */
  function tend({ key, rows }: Fragment): boolean {
    const download = downloads.get(key);
    if (download === undefined) {
      // Left by a store that failed when the download ended.
      const strays = rows.filter((row) => row.status === 'downloading' || row.status === 'processing');
      touch(strays, () => ({ happening: 'interrupt' }));
      return strays.length > 0;
    }
    const others = rows.filter((row) => row.status === 'queued' || row.status === 'waiting');
    const isUnderWay = others.length < rows.length;
    if (isUnderWay && !download.stopped) watch(others, (free) => download.join(free));
    return true;
  }

  function stopAbandoned(fragments: readonly Fragment[]): void {
    const wanted = new Set(fragments.map((it) => it.key));
    for (const download of downloads.values()) if (!wanted.has(download.key)) download.stop();
  }

  function forgetFailures(fragments: readonly Fragment[]): void {
    const wanted = new Set(fragments.map((it) => it.key));
    for (const key of failures.keys()) if (!wanted.has(key) && !downloads.has(key)) failures.delete(key);
  }

  function touch(rows: readonly TaskRow[], decide: Parameters<typeof ledger.change>[1]): void {
    watch(rows, (free) =>
      ledger.change(
        free.map((row) => row.task_id),
        decide,
      ),
    );
  }

  /** Changes tasks that are not being changed already; should the store fail, they are looked at again later. */
  function watch(rows: readonly TaskRow[], act: (free: TaskRow[]) => Promise<unknown>): void {
    const free = rows.filter((row) => !touched.has(row.task_id));
    if (free.length === 0) return;
    for (const row of free) touched.add(row.task_id);
    act(free)
      .catch(storeFailed)
      .finally(() => {
        for (const row of free) touched.delete(row.task_id);
        wake();
      });
  }

  function storeFailed(error: unknown): void {
    if (!running) return;
    log.error({ err: error }, 'video tasks could not be stored; retrying later');
    notBefore = clock.monotonic() + storePauseMs;
  }

  /** Asks terminals that are off line and wanted whether they are back. */
  function askAway(rows: readonly TaskRow[], now_ms: number): void {
    const wanted = new Set(rows.map((row) => row.profile_id));
    for (const id of away.ids()) if (!wanted.has(id)) away.forget(id);
    for (const id of away.due(now_ms)) {
      const profile = profileOf(id);
      if (profile === undefined || asked.has(id)) continue;
      const question = ask(profile)
        .catch(storeFailed)
        .finally(() => {
          asked.delete(id);
          wake();
        });
      asked.set(id, question);
    }
  }

  async function ask(profile: ProfileRecord): Promise<void> {
    const { profile_id, kind, connection } = profile;
    const isBack = await isOnline();
    if (stopping.signal.aborted) return;
    online.set(profile_id, isBack);
    if (isBack) {
      away.returned(profile_id);
      return;
    }
    const now_ms = clock.now();
    away.missed(profile_id, now_ms);
    const tired = ledger
      .unfinished()
      .filter(
        (row) => row.profile_id === profile_id && row.status === 'waiting' && patience.isOver(row, now_ms),
      );
    await ledger.change(
      tired.map((row) => row.task_id),
      (row) => ({ happening: 'give_up', facts: { error: row.error } }),
    );

    async function isOnline(): Promise<boolean> {
      try {
        return await deps.terminals[kind].isOnline({
          terminal_id: deps.terminalOf(profile),
          connection,
          signal: stopping.signal,
        });
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error, profile_id }, 'request to camera failed');
        return false;
      }
    }
  }

  function start(fragment: Fragment): void {
    const profile = profileOf(fragment.profile_id);
    if (profile === undefined) return;
    const download = startDownload(fragment, profile, deps);
    downloads.set(fragment.key, download);
    const end = follow(download).finally(() => followed.delete(end));
    followed.add(end);
  }

  async function follow(download: Download): Promise<void> {
    try {
      await settle(download, await download.ending);
    } catch (error) {
      storeFailed(error);
    } finally {
      downloads.delete(download.key);
      wake();
    }
  }

  async function settle({ key, profile_id }: Download, ending: Ending): Promise<void> {
    const ids = ledger
      .unfinished()
      .filter((row) => fragmentKey(row) === key)
      .map((row) => row.task_id);
    switch (ending.kind) {
      case 'done':
        away.forget(profile_id);
        online.set(profile_id, true);
        failures.delete(key);
        return;
      case 'stopped':
        await ledger.change(ids, () => ({ happening: 'interrupt', facts: { error: interrupted } }));
        return;
      case 'failed':
        await failed(key, profile_id, ids, ending.failure);
    }
  }

  async function failed(
    key: string,
    profileId: string,
    ids: readonly string[],
    failure: Failure,
  ): Promise<void> {
    const now_ms = clock.now();
    const row = [...(failures.get(key) ?? []), failure.fault];
    failures.set(key, row);
    if (failure.fault === 'offline') {
      away.missed(profileId, now_ms);
      online.set(profileId, false);
    } else if (failure.fault !== 'disk_full' && failure.fault !== 'failed') {
      away.forget(profileId);
      online.set(profileId, true);
    }
    const alike = row.filter((fault) => fault === failure.fault).length;
    await ledger.change(ids, (task) => {
      const { happening, error } = decideRetry(failure, alike, patience.isOver(task, now_ms));
      const facts =
        happening === 'postpone' ? { error, next_attempt_ms: now_ms + pauseAfter(row.length) } : { error };
      return { happening, facts };
    });
  }

  return {
    /** Looks for work now, and from now on whenever a task changes. */
    start(): void {
      running = true;
      for (const row of ledger.unfinished()) {
        if (row.status !== 'waiting') continue;
        away.remember(row.profile_id);
        online.set(row.profile_id, false);
      }
      stopListening = ledger.onChange(wake);
      wake();
    },

    /** Whether the terminal of a profile could be reached when it was last tried; null: it was not tried yet. */
    wasOnline: (profileId: string): boolean | null => online.get(profileId) ?? null,

    /** Videos that are being fetched. */
    running: (): number => downloads.size,

    /** A profile was changed or deleted: its waiting tasks are retried, or cancelled. */
    async profileChanged(profileId: string): Promise<void> {
      away.forget(profileId);
      online.delete(profileId);
      const rows = ledger.unfinished().filter((row) => row.profile_id === profileId);
      for (const row of rows) failures.delete(fragmentKey(row));
      const ids = rows.map((row) => row.task_id);
      const isGone = profileOf(profileId) === undefined;
      await ledger.change(ids, (row) => {
        if (isGone) return { happening: 'cancel' };
        return row.status === 'waiting' || row.next_attempt_ms !== null ? { happening: 'ask_anew' } : null;
      });
    },

    /** Ends all downloads; their tasks are queued again. */
    async stop(): Promise<void> {
      running = false;
      stopListening();
      stopTimer();
      stopping.abort(new Error('the host ends'));
      for (const download of downloads.values()) download.stop();
      await Promise.all([...asked.values(), ...followed]);
    },
  };
}

const interrupted = { code: 'interrupted', detail: 'The host ended during the download.' } as const;

/**
 * How long each task goes on failing. The day begins when the host first sees the task, or when its fragment has
 * passed; a server start resets it, because nothing was tried while it was down.
 */
function createRetryDeadlines() {
  let ends = new Map<string, number>();
  const endOf = (task: { task_id: string; to_ms: number }, now_ms: number) =>
    ends.get(task.task_id) ?? Math.max(now_ms, task.to_ms) + retryWindowMs;

  return {
    /** Whether the day of a task is over; begins it for one that is new. */
    isOver: (task: { task_id: string; to_ms: number }, now_ms: number): boolean =>
      now_ms >= endOf(task, now_ms),
    /** Begins the days of tasks that are new and forgets those that are no longer there. */
    follow(tasks: readonly { task_id: string; to_ms: number }[], now_ms: number): void {
      ends = new Map(tasks.map((task) => [task.task_id, endOf(task, now_ms)]));
    },
  };
}
