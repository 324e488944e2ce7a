import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Task } from '../../server/contract/video.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import { createResourceStore, olderByVersion, type ResourceStore } from '../resources/resourceStore.ts';
import { type FleetStream, readOnceListening } from '../stream/fleetStream.ts';

/** The newest tasks that are read at once: about 120 moments of four channels. Later ones come by the stream. */
const TASKS = 500;

/** What is older than the tasks that were read. */
export interface OlderTasks {
  phase: 'none' | 'some' | 'reading' | 'failed';
  /** All tasks made since then are known (RFC 3339); null: all that there are. */
  since: string | null;
}

export interface VideoTasks extends ResourceStore<Task> {
  older: StoreApi<OlderTasks>;
  /** Reads the next older ones. */
  readOlder(): void;
  get(taskId: string): Task | undefined;
  /** Reads a task that a link names and the list does not hold. Throws ApiProblem and Unreachable. */
  seek(taskId: string, signal: AbortSignal): Promise<Task>;
  /** Keeps the tasks of events known, however old they are. Returns its undo. */
  watchEvents(eventIds: readonly string[]): () => void;
  /** Reads at once when the last reading failed. */
  retry(): void;
  /** Called after each reading of the list, and for each task that is gone. Returns its undo. */
  onListed(run: () => void): () => void;
  onGone(run: (taskId: string) => void): () => void;
  start(): () => void;
}

/** Video tasks that this user may see: read once, then kept by the stream. */
export function createVideoTasks(deps: { api: Api; clock: Clock; stream: FleetStream }): VideoTasks {
  const { api, clock, stream } = deps;
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
      goOnAt(next_cursor, items);
      for (const eventIds of watched) readOfEvents(eventIds);
      for (const run of listed) run();
    },
    onState: (load) => tasks.setLoad(load),
  });

  return {
    ...tasks,
    get: (taskId) => tasks.store.getState().byId.get(taskId),
    async seek(task_id, signal) {
      const task = await api.request(videoRoutes.getTask, { params: { task_id }, signal });
      tasks.put([task]);
      return task;
    },
    watchEvents(eventIds) {
      watched.add(eventIds);
      readOfEvents(eventIds);
      return () => void watched.delete(eventIds);
    },
    retry: () => loader.retry(),
    older,
    readOlder: () => void readOlder(),
    onListed(run) {
      listed.add(run);
      return () => void listed.delete(run);
    },
    onGone(run) {
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
