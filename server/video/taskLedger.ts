import type { Logger } from 'pino';
import type { ChangeRow, TaskRow } from '../store/telemetry/rows.ts';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
import { advance, isUnfinished, type Happening, type TaskFacts } from './taskTransitions.ts';
import type { VideoFiles } from './videoFiles.ts';

export interface Move {
  happening: Happening;
  facts?: TaskFacts;
}

/** What happens to a task as it stands now; null: nothing. May throw: then nothing of the call is stored. */
export type Decide = (row: TaskRow) => Move | null;

/**
 * The book of all video tasks: unfinished ones in memory, all of them in the telemetry store. Changes run one after the
 * other, and each decides from what the one before has stored.
 */
export interface TaskLedger {
  /** Takes in the unfinished and done tasks of the store; before all else. */
  open(rows: readonly TaskRow[]): void;
  /** Oldest first. */
  unfinished(): readonly TaskRow[];
  row(taskId: string): Promise<TaskRow | undefined>;
  /** @throws {DiskFull}, {StoreFailed} */
  add(rows: readonly TaskRow[]): Promise<void>;
  /** Takes up tasks that others have stored. */
  takeUp(taskIds: readonly string[]): Promise<void>;
  /**
   * Lets something happen to tasks, in one write; those to which it cannot happen stay as they are. Answers the tasks
   * that changed. @throws {DiskFull}, {StoreFailed}, and what `decide` throws
   */
  change(taskIds: readonly string[], decide: Decide): Promise<TaskRow[]>;
  /** The done tasks that have this file. */
  holders(fileName: string): readonly string[];
  /** Done tasks whose file need not be kept any longer. */
  overAt(now_ms: number): string[];
  /** 0 to 1, since the download began. */
  progress(taskId: string): number;
  setProgress(taskId: string, share: number): void;
  /** Called after each write. Returns its undo. */
  onChange(listener: (rows: readonly TaskRow[]) => void): () => void;
  /** Waits for what is under way; later changes reject. */
  close(): Promise<void>;
}

export interface TaskLedgerParts {
  store: Pick<TelemetryStore, 'saveTasks' | 'tasksById'>;
  files: Pick<VideoFiles, 'remove'>;
  clock: { now(): number };
  log: Logger;
  /** Hears of each write with its numbers in the log of changes. */
  announce: (rows: TaskRow[], changes: ChangeRow[]) => void;
}

interface Kept {
  file_name: string;
  expires_ms: number | null;
}

export function createTaskLedger({ store, files, clock, log, announce }: TaskLedgerParts): TaskLedger {
  const open = new Map<string, TaskRow>();
  const kept = new Map<string, Kept>();
  const holders = new Map<string, Set<string>>();
  const shares = new Map<string, number>();
  const listeners = new Set<(rows: readonly TaskRow[]) => void>();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('the tasks are closed'));
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  }

  /** Notes a row; answers the file that nobody holds any more. */
  function note(row: TaskRow): string | null {
    if (isUnfinished(row.status)) {
      open.set(row.task_id, row);
      if (row.status === 'queued' || row.status === 'waiting') shares.delete(row.task_id);
    } else {
      open.delete(row.task_id);
      shares.delete(row.task_id);
    }
    if (row.status === 'done' && row.file_name !== null) {
      kept.set(row.task_id, { file_name: row.file_name, expires_ms: row.expires_ms });
      const ids = holders.get(row.file_name);
      if (ids === undefined) holders.set(row.file_name, new Set([row.task_id]));
      else ids.add(row.task_id);
      return null;
    }
    return letGo(row.task_id);
  }

  function letGo(taskId: string): string | null {
    const held = kept.get(taskId);
    if (held === undefined) return null;
    kept.delete(taskId);
    const ids = holders.get(held.file_name);
    ids?.delete(taskId);
    if (ids !== undefined && ids.size > 0) return null;
    holders.delete(held.file_name);
    return held.file_name;
  }

  async function write(rows: TaskRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { changes } = await store.saveTasks(rows);
    const unheld = rows.map(note);
    announce(rows, changes);
    for (const listener of listeners) listener(rows);
    for (const name of unheld) if (name !== null) await removeFile(name);
  }

  /** What cannot be removed now (Windows: while it is being sent) goes at the next start. */
  async function removeFile(name: string): Promise<void> {
    try {
      await files.remove(name);
    } catch (error) {
      log.warn({ err: error, file: name }, 'a video file could not be removed');
    }
  }

  async function rowsOf(taskIds: readonly string[]): Promise<TaskRow[]> {
    const stored = taskIds.filter((id) => !open.has(id));
    const found = stored.length === 0 ? [] : await store.tasksById(stored);
    const byId = new Map(found.map((row) => [row.task_id, row]));
    return [...new Set(taskIds)].flatMap((id) => open.get(id) ?? byId.get(id) ?? []);
  }

  return {
    open(rows) {
      for (const row of rows) note(row);
    },
    unfinished: () => [...open.values()],
    row: async (taskId) => (await rowsOf([taskId]))[0],
    add: (rows) => inTurn(() => write([...rows])),
    takeUp: (taskIds) =>
      inTurn(async () => {
        const rows = (await rowsOf(taskIds)).filter((row) => isUnfinished(row.status));
        for (const row of rows) note(row);
        for (const listener of listeners) listener(rows);
      }),
    change: (taskIds, decide) =>
      inTurn(async () => {
        const now = clock.now();
        const changed = (await rowsOf(taskIds)).flatMap((row) => {
          const move = decide(row);
          return (move === null ? null : advance(row, move.happening, move.facts ?? {}, now)) ?? [];
        });
        await write(changed);
        return changed;
      }),
    holders: (fileName) => [...(holders.get(fileName) ?? [])],
    overAt: (now_ms) =>
      [...kept].flatMap(([id, { expires_ms }]) => (expires_ms !== null && expires_ms <= now_ms ? [id] : [])),
    progress: (taskId) => shares.get(taskId) ?? 0,
    setProgress(taskId, share) {
      if (open.has(taskId)) shares.set(taskId, share);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      await last;
    },
  };
}
