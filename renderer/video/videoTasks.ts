import { createStore } from 'zustand/vanilla';
import { type Task, videoRoutes } from '../../server/contract/video.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';
import { type FleetStream, readOnceListening } from '../stream/fleetStream.ts';
import { bestTasks, isUnderWay } from './requests/qualities.ts';
import { orderIdOf } from './requests/videoOrders.ts';

/** The newest tasks that are read at once: about 120 moments of four channels. Later ones come by the stream. */
const TASKS = 500;
/** After so many more the list is read anew, and what lies before it is let go of: weeks of them would pile up. */
const MOST_MORE = 5_000;

/** What is older than the tasks that were read. */
export interface OlderTasks {
  phase: 'none' | 'some' | 'reading' | 'failed';
  /** All tasks made since then are known (RFC 3339); null: all that there are. */
  since: string | null;
}

/** Video tasks that this user may see: read once, then kept by the stream. */
export function createVideoTasks({
  api,
  clock,
  stream,
  shownTask,
}: {
  api: Api;
  clock: Clock;
  stream: FleetStream;
  /** Of the order that is looked at. */
  shownTask: () => string | undefined;
}) {
  const tasks = createResourceStore<Task>({
    idOf: (it) => it.task_id,
    isOlder: olderByVersion,
    mayReturn: true,
  });
  const listed = new Set<() => void>();
  const gone = new Set<(taskId: string) => void>();
  const older = createStore<OlderTasks>(() => ({ phase: 'none', since: null }));
  const watched = new Set<readonly string[]>();
  let cursor: string | null = null;
  let renewAt = MOST_MORE;
  const goOnAt = (next: string | null, items: readonly Task[]) => {
    cursor = next;
    older.setState(
      next === null ? { phase: 'none', since: null } : { phase: 'some', since: oldestOf(items) },
    );
  };

  const loader = createLoader({
    clock,
    read: async (signal) => {
      const known = [...tasks.store.getState().byId.values()];
      return { known, ...(await api.request(videoRoutes.tasks, { query: { limit: TASKS }, signal })) };
    },
    take: ({ known, items, next_cursor }) => {
      const missing = missingTasks(known, items, next_cursor === null);
      tasks.remove(missing.map((it) => it.task_id));
      tasks.put(items);
      if (renewAt === Infinity) tasks.forget(beforeList(known, items, shownTask()));
      renewAt = tasks.store.getState().byId.size + MOST_MORE;
      goOnAt(next_cursor, items);
      for (const eventIds of watched) readOfEvents(eventIds);
      for (const run of listed) run();
    },
    onState: (load) => tasks.setLoad(load),
  });

  return {
    ...tasks,
    get: (taskId: string) => tasks.store.getState().byId.get(taskId),
    /** Reads a task that a link names and the list does not hold. Throws ApiProblem and Unreachable. */
    async seek(task_id: string, signal: AbortSignal) {
      const task = await api.request(videoRoutes.getTask, { params: { task_id }, signal });
      tasks.put([task]);
      return task;
    },
    /** Keeps the tasks of events known, however old they are. Returns its undo. */
    watchEvents(eventIds: readonly string[]) {
      watched.add(eventIds);
      readOfEvents(eventIds);
      return () => void watched.delete(eventIds);
    },
    /** Reads at once when the last reading failed. */
    retry: () => loader.retry(),
    older,
    /** Reads the next older ones. */
    readOlder: () => void readOlder(),
    /** Called after each reading of the list. Returns its undo. */
    onListed(run: () => void) {
      listed.add(run);
      return () => void listed.delete(run);
    },
    /** Called for each task that is gone. Returns its undo. */
    onGone(run: (taskId: string) => void) {
      gone.add(run);
      return () => void gone.delete(run);
    },
    start() {
      const undo = [
        readOnceListening({
          stream,
          clock,
          read: () => loader.load(),
          retry: () => loader.retry(),
        }),
        stream.on('task', (message) => {
          if (!('deleted' in message)) {
            tasks.put([message]);
            if (tasks.store.getState().byId.size < renewAt) return;
            renewAt = Infinity;
            loader.load();
            return;
          }
          tasks.remove([message.task_id]);
          for (const run of gone) run(message.task_id);
        }),
      ];
      return () => {
        undo.forEach((run) => run());
        loader.stop();
      };
    },
  };

  /** What the list holds needs no asking, and as long as it is on its way nobody knows what that is. */
  function readOfEvents(eventIds: readonly string[]): void {
    if (older.getState().since === null) return;
    for (const event_id of eventIds) {
      api.request(videoRoutes.tasks, { query: { event_id, limit: TASKS } }).then(
        ({ items }) => tasks.put(items),
        // What could not be read is asked for again with the next reading of the list.
        () => undefined,
      );
    }
  }

  async function readOlder(): Promise<void> {
    const from = cursor;
    if (from === null || older.getState().phase === 'reading') return;
    older.setState({ phase: 'reading' });
    try {
      const page = await api.request(videoRoutes.tasks, { query: { limit: TASKS, cursor: from } });
      // Read anew meanwhile, the list goes on from its own end.
      if (cursor !== from) return;
      tasks.put(page.items);
      renewAt += page.items.length;
      goOnAt(page.next_cursor, page.items);
    } catch {
      if (cursor === from) older.setState({ phase: 'failed' });
    }
  }
}

const oldestOf = (items: readonly Task[]): string | null =>
  items.reduce<string | null>((min, it) => (min === null || it.created_at < min ? it.created_at : min), null);

/** What was known before a list was asked for, and lies within it, but is not in it: it is gone or out of sight. */
function missingTasks(known: readonly Task[], listed: readonly Task[], isWhole: boolean): Task[] {
  const ids = new Set(listed.map((it) => it.task_id));
  const oldest = oldestOf(listed) ?? '\uffff';
  return known.filter((it) => !ids.has(it.task_id) && (isWhole || it.created_at >= oldest));
}

/** What was known of a time before the list begins, and is over; but for the order of a task that is looked at. */
function beforeList(known: readonly Task[], listed: readonly Task[], shownId: string | undefined): string[] {
  const oldest = oldestOf(listed) ?? '';
  const shown = known.find((it) => it.task_id === shownId);
  const isShown = (it: Task) => shown !== undefined && orderIdOf(it) === orderIdOf(shown);
  return known
    .filter((it) => it.created_at < oldest && !isUnderWay(it) && !isShown(it))
    .map((it) => it.task_id);
}

/** A guess out of less than this is none. */
const LEAST_SEEN_MS = 2_000;

/** How fast downloads come in, seen since this console looks. */
export function createPace() {
  const begun = new Map<string, { at: number; part: number }>();
  return {
    /** Takes what is known of tasks now; milliseconds. */
    see(tasks: Iterable<Task>, now: number) {
      for (const task of tasks) {
        if (task.status !== 'downloading') begun.delete(task.task_id);
        else if (!begun.has(task.task_id)) begun.set(task.task_id, { at: now, part: task.progress });
      }
    },
    /** Seconds until each channel of these has its first picture, at the speed so far; null while nobody can say. */
    secondsLeft(order: { tasks: readonly Task[] }, now: number) {
      let speed = 0;
      let running = 0;
      const awaited = [...bestTasks(order.tasks).values()].filter(isUnderWay);
      for (const task of awaited) {
        const start = begun.get(task.task_id);
        if (start === undefined || now - start.at < LEAST_SEEN_MS || task.progress <= start.part) continue;
        speed += (task.progress - start.part) / ((now - start.at) / 1_000);
        running += 1;
      }
      if (running === 0) return null;
      const left = awaited.reduce((sum, it) => sum + (1 - it.progress), 0);
      return Math.max(1, Math.round(left / speed));
    },
  };
}
