import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import type { Clock } from '../../clock/clock.ts';
import { runMany } from '../../vehicles/manage/runMany.ts';
import { FITS, type Deed } from './deeds.ts';

export interface ManyState {
  /** What is being done, and how far; null while nothing is. */
  work: { deed: Deed; done: number; of: number; waitsUntil: number | null } | null;
  /** How the last work ended; null before the first one, and once it was read. */
  outcome: Outcome | null;
}

export interface Outcome {
  deed: Deed;
  /** What has gone on by itself since it was ticked is not counted. */
  done: number;
  failed: number;
  /** Of the first that failed. */
  error: unknown;
  /** Somebody ended it before all were done. */
  isStopped: boolean;
}

/** Work on many tasks, one after the other; it goes on wherever the operator looks. */
export interface ManyTasks {
  store: StoreApi<ManyState>;
  /** Those that the deed does not fit are left alone, and while it works it takes nothing else on. */
  run(deed: Deed, tasks: readonly Task[]): void;
  /** Ends it after the task that is under way. */
  stop(): void;
  /** The outcome was read. */
  forget(): void;
}

export function createManyTasks(parts: {
  clock: Clock;
  get: (taskId: string) => Task | undefined;
  act: (deed: Deed, task: Task) => Promise<void>;
}): ManyTasks {
  const store = createStore<ManyState>(() => ({ work: null, outcome: null }));
  let abort: AbortController | null = null;

  async function work(deed: Deed, items: readonly Task[], signal: AbortSignal): Promise<void> {
    const tell = (done: number, waitsUntil: number | null) =>
      store.setState({ work: { deed, done, of: items.length, waitsUntil } });
    store.setState({ outcome: null });
    tell(0, null);
    let leftAlone = 0;
    const { done, failed } = await runMany({
      items,
      act: (task) => {
        // It may have gone on since it was ticked.
        const now = parts.get(task.task_id) ?? task;
        if (FITS[deed](now)) return parts.act(deed, now);
        leftAlone += 1;
        return Promise.resolve();
      },
      clock: parts.clock,
      signal,
      onProgress: tell,
    });
    store.setState({
      work: null,
      outcome: {
        deed,
        done: done.length - leftAlone,
        failed: failed.length,
        error: failed[0]?.error ?? null,
        isStopped: signal.aborted,
      },
    });
  }

  return {
    store,
    run(deed, tasks) {
      const items = tasks.filter(FITS[deed]);
      if (items.length === 0 || store.getState().work !== null) return;
      abort = new AbortController();
      void work(deed, items, abort.signal);
    },
    stop: () => abort?.abort(),
    forget: () => store.setState({ outcome: null }),
  };
}
