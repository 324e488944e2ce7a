import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Acts, Once } from '../store/acts.ts';
import type { Store } from '../store/operations.ts';
import { StoreFailed } from '../store/storeErrors.ts';
import type { EventRow, TaskRow, Written } from '../store/telemetry/rows.ts';
import { noProgress, type Progress } from './presentTask.ts';
import { advance, isUnfinished, type TaskFacts, type Transition } from './taskTransitions.ts';
import type { VideoFiles } from './videoFiles.ts';

/** A file in the video folder that done tasks have. */
export interface KeptFile {
  file_name: string;
  size_bytes: number;
  /** When the last of its tasks was done. */
  done_ms: number;
  /** One of its tasks is important, or needed. */
  important: boolean;
}

export interface TransitionRequest {
  happening: Transition;
  facts?: TaskFacts;
}

/** What happens to a task as it stands now; null: nothing. May throw: then nothing of the call is stored. */
export type Decide = (row: TaskRow) => TransitionRequest | null;

export interface TaskRepositoryParts {
  store: Pick<Store, 'tasksById'>;
  /** Whether something needs the clip of a task, so that it neither ages nor gives way; left out: nothing does. */
  isNeeded?: (taskId: string) => boolean;
  acts: Pick<Acts, 'run'>;
  files: Pick<VideoFiles, 'remove'>;
  clock: { now(): number };
  log: Logger;
  /** Publishes what was stored, with its numbers in the log of changes. */
  onChange: (rows: TaskRow[], written: Written) => void;
  /**
   * Stores tasks and the events of their end in one commit, with what rules make of them; publishes all of it after
   * `onStored`, which is called as soon as it is stored. @throws {DiskFull}, {StoreFailed}
   */
  commitWithEvents: CommitWithEvents;
}

export type CommitWithEvents = (
  events: EventRow[],
  tasks: TaskRow[],
  onStored: () => void,
) => Promise<unknown>;

type Kept = Pick<TaskRow, 'expires_ms' | 'important'> & {
  file_name: string;
  size_bytes: number;
  done_ms: number;
};

/** Rows that were read of late are kept: a player asks for the same video a hundred times. */
const mostRecent = 256;

/**
 * The book of all video tasks: unfinished ones in memory, all of them in the telemetry store. Changes run one after the
 * other, and each decides from what the one before has stored.
 */
export type TaskRepository = ReturnType<typeof createTaskRepository>;

export function createTaskRepository({
  store,
  acts,
  files,
  clock,
  log,
  onChange,
  commitWithEvents,
  isNeeded = () => false,
}: TaskRepositoryParts) {
  const open = new Map<string, TaskRow>();
  const recent = new Map<string, TaskRow>();
  const kept = new Map<string, Kept>();
  const tasksByFile = new Map<string, Set<string>>();
  const pairs = createStreamPairs();
  /** By order: a channel that is there while others are still on their way. */
  const pending = new Map<string, TaskRow>();
  const progress = new Map<string, Progress>();
  const listeners = new Set<(rows: readonly TaskRow[]) => void>();
  const queue = new PQueue({ concurrency: 1 });
  let closed = false;
  /** Counts the beginnings and ends of writes. */
  let writes = 0;

  function runSequentially<T>(act: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('the tasks are closed'));
    return queue.add(act);
  }

  /** Notes a row; answers the file that nobody holds any more. */
  function note(row: TaskRow): string | null {
    recent.delete(row.task_id);
    pairs.note(row, isUnfinished(row.status) || row.status === 'done');
    if (isUnfinished(row.status)) {
      open.set(row.task_id, row);
      if (row.status === 'queued' || row.status === 'waiting') progress.delete(row.task_id);
    } else {
      open.delete(row.task_id);
      progress.delete(row.task_id);
    }
    if (row.status === 'done' && row.file_name !== null) {
      const { file_name, expires_ms, important } = row;
      const size_bytes = row.file?.size_bytes ?? 0;
      kept.set(row.task_id, { file_name, size_bytes, expires_ms, important, done_ms: row.done_ms ?? 0 });
      const ids = tasksByFile.get(row.file_name);
      if (ids === undefined) tasksByFile.set(row.file_name, new Set([row.task_id]));
      else ids.add(row.task_id);
      return null;
    }
    return letGo(row.task_id);
  }

  function letGo(taskId: string): string | null {
    const held = kept.get(taskId);
    if (held === undefined) return null;
    kept.delete(taskId);
    const ids = tasksByFile.get(held.file_name);
    ids?.delete(taskId);
    if (ids !== undefined && ids.size > 0) return null;
    tasksByFile.delete(held.file_name);
    return held.file_name;
  }

  async function write(rows: TaskRow[], once?: Once<unknown>): Promise<void> {
    if (rows.length === 0 && once === undefined) return;
    const news = newsOfOrders(rows);
    const events = videoEvents(news.rows);
    let unheld: (string | null)[] = [];
    writes++;
    const onStored = () => {
      writes++;
      for (const [order, row] of news.pending)
        if (row === null) pending.delete(order);
        else pending.set(order, row);
      unheld = rows.map(note);
    };
    if (events.length === 0) {
      await acts.run(
        (act) =>
          act.write('saveTasks', rows, (written) => {
            onStored();
            onChange(rows, written);
          }),
        { once },
      );
    } else {
      await commitWithEvents(events, rows, onStored);
    }
    for (const listener of listeners) listener(rows);
    for (const name of unheld) if (name !== null) await removeFile(name);
  }

  /**
   * That the video is there is published once for an order, when the last of its channels has ended; that one could not be
   * fetched at once. `pending` is what the orders wait with afterwards, null for nothing.
   */
  function newsOfOrders(rows: readonly TaskRow[]): { rows: TaskRow[]; pending: Map<string, TaskRow | null> } {
    const ended = endedBy(rows);
    const endedIds = new Set(ended.map(({ row }) => row.task_id));
    const news = newsOf(ended);
    const published = news.filter((row) => row.status !== 'done');
    const waiting = new Map<string, TaskRow | null>();
    for (const order of new Set(ended.map(({ row }) => orderOf(row)))) {
      const done = news.find((row) => row.status === 'done' && orderOf(row) === order);
      const first = pending.get(order) ?? done;
      if (first === undefined) continue;
      const goesOn = [...open.values()].some(
        (row) => !endedIds.has(row.task_id) && orderOf(row) === order && isAwaited(row, news),
      );
      waiting.set(order, goesOn ? first : null);
      if (!goesOn) published.push({ ...first, updated_ms: clock.now() });
    }
    return { rows: published, pending: waiting };
  }

  /** Of the two recordings of a channel the small one is shown first, unless the full one is there already. */
  function isAwaited(row: TaskRow, news: readonly TaskRow[]): boolean {
    const other = pairs.otherOf(row);
    if (other === null) return true;
    const isThere = kept.has(other) || news.some((it) => it.task_id === other && it.status === 'done');
    return !isThere && !pairs.isFullOfPair(row);
  }

  /** Those that end by a write, each with how the other one of its pair stands after it. */
  function endedBy(rows: readonly TaskRow[]): Ended[] {
    const written = new Map(rows.map((row) => [row.task_id, row]));
    const standingOf = (taskId: string | null) => {
      if (taskId === null) return null;
      const row = written.get(taskId);
      if (row === undefined ? open.has(taskId) : isUnfinished(row.status)) return 'unfinished';
      return (row === undefined ? kept.has(taskId) : row.status === 'done') ? 'done' : null;
    };
    return rows
      .filter((row) => open.has(row.task_id) && !isUnfinished(row.status))
      .map((row) => {
        const other = pairs.otherOf(row);
        return { row, other, standing: standingOf(other) };
      });
  }

  /** What cannot be removed now (Windows: while it is being sent) goes at the next start. */
  async function removeFile(name: string): Promise<void> {
    try {
      await files.remove(name);
    } catch (error) {
      log.warn({ err: error, file: name }, 'video file could not be removed');
    }
  }

  async function rowsOf(taskIds: readonly string[]): Promise<TaskRow[]> {
    const known = new Map(taskIds.map((id) => [id, open.get(id) ?? recent.get(id)]));
    const stored = taskIds.filter((id) => known.get(id) === undefined);
    const before = writes;
    const found = stored.length === 0 ? [] : await store.tasksById(stored);
    const byId = new Map(found.map((row) => [row.task_id, row]));
    // What was read while something was written may be older than what was written.
    if (before === writes) for (const row of found) remember(row);
    return [...known].flatMap(([id, row]) => open.get(id) ?? row ?? byId.get(id) ?? []);
  }

  async function takeUp(taskIds: readonly string[]): Promise<void> {
    const rows = (await rowsOf(taskIds)).filter((row) => isUnfinished(row.status));
    for (const row of rows) note(row);
    for (const listener of listeners) listener(rows);
  }

  function remember(row: TaskRow): void {
    if (isUnfinished(row.status)) return;
    recent.set(row.task_id, row);
    const [oldest] = recent.keys();
    if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  }

  return {
    /** Takes in the unfinished and done tasks of the store; before all else. */
    open(rows: readonly TaskRow[]): void {
      for (const row of rows) note(row);
    },
    /** Oldest first. */
    unfinished: (): readonly TaskRow[] => [...open.values()],
    row: async (taskId: string): Promise<TaskRow | undefined> => (await rowsOf([taskId]))[0],
    /**
     * Adds what is made of the unfinished tasks, all of it or nothing, and answers the result; `make` may throw.
     * @throws {DiskFull}; {StoreFailed}: they may be stored all the same, and are taken up then
     */
    add: <T>(
      make: (unfinished: readonly TaskRow[]) => { rows: TaskRow[]; result: T },
      once?: Once<T>,
    ): Promise<T> =>
      runSequentially(async () => {
        const { rows, result } = make([...open.values()]);
        try {
          await write(rows, once && { ...once, present: () => once.present(result) });
        } catch (error) {
          if (error instanceof StoreFailed) await takeUp(rows.map((it) => it.task_id)).catch(() => undefined);
          throw error;
        }
        return result;
      }),
    /** Takes up tasks that others have stored. */
    takeUp: (taskIds: readonly string[]): Promise<void> => runSequentially(() => takeUp(taskIds)),
    /**
     * Lets something happen to tasks, in one write; those to which it cannot happen stay as they are. Answers the tasks
     * that changed. @throws {DiskFull}, {StoreFailed}, and what `decide` throws
     */
    change: (taskIds: readonly string[], decide: Decide): Promise<TaskRow[]> =>
      runSequentially(async () => {
        const now = clock.now();
        const changed = (await rowsOf(taskIds)).flatMap((row) => {
          const move = decide(row);
          return (move === null ? null : advance(row, move.happening, move.facts ?? {}, now)) ?? [];
        });
        await write(changed);
        return changed;
      }),
    /** The done tasks that have this file. */
    tasksByFile: (fileName: string): readonly string[] => [...(tasksByFile.get(fileName) ?? [])],
    /** Every file that done tasks have. */
    kept: (): KeptFile[] =>
      [...tasksByFile].map(([file_name, ids]) => {
        const held = [...ids].flatMap((id) => kept.get(id) ?? []);
        return {
          file_name,
          size_bytes: Math.max(0, ...held.map((it) => it.size_bytes)),
          done_ms: Math.max(0, ...held.map((it) => it.done_ms)),
          important: held.some((it) => it.important) || [...ids].some(isNeeded),
        };
      }),
    /** Done tasks whose file need not be kept any longer. */
    overAt: (now_ms: number): string[] =>
      [...kept].flatMap(([id, { expires_ms, important }]) =>
        expires_ms !== null && expires_ms <= now_ms && !important && !isNeeded(id) ? [id] : [],
      ),
    /** Since the download began; it is held in memory alone. */
    progress: (taskId: string): Progress => progress.get(taskId) ?? noProgress,
    setProgress(taskId: string, now: Progress): void {
      if (open.has(taskId)) progress.set(taskId, now);
    },
    /** Called after each write. Returns its undo. */
    onChange(listener: (rows: readonly TaskRow[]) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Waits for what is under way; later changes reject. */
    async close(): Promise<void> {
      closed = true;
      await queue.onIdle();
    },
  };
}

/** The pairs of a small recording and the full one that it names, while the small one is unfinished or done. */
function createStreamPairs() {
  const subStreamOf = new Map<string, string>();
  const fullOf = new Map<string, string>();

  return {
    /** @param matters whether the task is unfinished or done */
    note({ task_id, main_task_id }: TaskRow, matters: boolean): void {
      const before = fullOf.get(task_id);
      if (before !== undefined) subStreamOf.delete(before);
      fullOf.delete(task_id);
      if (main_task_id === null || !matters) return;
      fullOf.set(task_id, main_task_id);
      subStreamOf.set(main_task_id, task_id);
    },
    isFullOfPair: ({ task_id }: TaskRow): boolean => subStreamOf.has(task_id),
    /** The task of the other recording; null for one that stands alone. */
    otherOf: ({ task_id, main_task_id }: TaskRow): string | null =>
      main_task_id ?? subStreamOf.get(task_id) ?? null,
  };
}

/** The channels of one vehicle over one span of time. */
const orderOf = ({ vehicle_id, from_ms, to_ms }: TaskRow): string => `${vehicle_id} ${from_ms} ${to_ms}`;

/** A task that came to its end, and how the other one of its pair stands; null: neither unfinished nor done. */
interface Ended {
  row: TaskRow;
  other: string | null;
  standing: 'unfinished' | 'done' | null;
}

/**
 * Of the tasks that ended in one write, those whose end is published. A pair is one video to the viewer: that
 * it is there is reported once, and that it could not be fetched only when neither came.
 */
export function newsOf(ended: readonly Ended[]): TaskRow[] {
  return ended
    .filter(({ row, other, standing }) => {
      const together = ended.find((it) => it.row.task_id === other);
      if (together?.row.status === row.status) return row.main_task_id !== null;
      return standing !== 'done' && (standing === null || row.status !== 'failed');
    })
    .map(({ row }) => row);
}

/** The events of finished tasks for the rules: the video is there, or it could not be fetched. */
function videoEvents(rows: readonly TaskRow[]): EventRow[] {
  return rows.flatMap((row): EventRow[] => {
    if (row.status !== 'done' && row.status !== 'failed') return [];
    return [
      {
        event_id: eventId(row),
        kind: row.status === 'done' ? 'video_done' : 'video_failed',
        vehicle_id: row.vehicle_id,
        time_ms: row.updated_ms,
        received_ms: row.updated_ms,
        late: false,
        lat: null,
        lon: null,
        geozone_id: null,
        details: {
          measured: null,
          threshold: null,
          unit: null,
          duration_s: (row.to_ms - row.from_ms) / 1_000,
          alarm: row.status === 'failed' ? (row.error?.code ?? null) : null,
          limit_source: null,
          ended_at: null,
          fixes: [],
          task_id: row.task_id,
        },
        rule_id: null,
        rule_version: null,
      },
    ];
  });
}

/** The same end reported twice is one event; a retry that fails is another. */
function eventId({ task_id, status, attempts }: TaskRow): string {
  const hash = createHash('sha256').update(`${task_id} ${status} ${attempts}`).digest('hex');
  // A UUID of version 8 (RFC 9562, 5.8), whose other bits are our own.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
