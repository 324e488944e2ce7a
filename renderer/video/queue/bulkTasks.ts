import { createStore } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import type { Clock } from '../../clock/clock.ts';
import { runBulk } from '../../resources/runBulk.ts';
import { isUnderWay } from '../requests/qualities.ts';

export interface ManyState {
  /** What is being done, and how far; null while nothing is. */
  work: { action: BulkAction; done: number; of: number; waitsUntil: number | null } | null;
  /** How the last work ended; null before the first one, and once it was read. */
  outcome: Outcome | null;
}

export interface Outcome {
  action: BulkAction;
  /** What has gone on by itself since it was ticked is not counted. */
  done: number;
  failed: number;
  /** Of the first that failed. */
  error: unknown;
  /** Somebody ended it before all were done. */
  isStopped: boolean;
}

/** Work on many tasks, one after the other; it goes on wherever the operator looks. */
export function createBulkTasks(deps: {
  clock: Clock;
  get: (taskId: string) => Task | undefined;
  actions: TaskActions;
}) {
  const store = createStore<ManyState>(() => ({ work: null, outcome: null }));
  let abort: AbortController | null = null;

  async function work(action: BulkAction, items: readonly Task[], signal: AbortSignal): Promise<void> {
    const notify = (done: number, waitsUntil: number | null) =>
      store.setState({ work: { action, done, of: items.length, waitsUntil } });
    store.setState({ outcome: null });
    notify(0, null);
    let leftAlone = 0;
    const { done, failed } = await runBulk({
      items,
      act: (task) => {
        // It may have gone on since it was ticked.
        const now = deps.get(task.task_id) ?? task;
        if (isApplicable[action](now)) return runAction[action](deps.actions, now);
        leftAlone += 1;
        return Promise.resolve();
      },
      clock: deps.clock,
      signal,
      onProgress: notify,
    });
    store.setState({
      work: null,
      outcome: {
        action,
        done: done.length - leftAlone,
        failed: failed.length,
        error: failed[0]?.error ?? null,
        isStopped: signal.aborted,
      },
    });
  }

  return {
    store,
    /** Tasks to which the action does not apply are skipped, and while one runs no other starts. */
    run(action: BulkAction, tasks: readonly Task[]) {
      const items = tasks.filter(isApplicable[action]);
      if (items.length === 0 || store.getState().work !== null) return;
      abort = new AbortController();
      void work(action, items, abort.signal);
    },
    /** Ends it after the task that is under way. */
    stop: () => abort?.abort(),
    /** The outcome was read. */
    forget: () => store.setState({ outcome: null }),
  };
}

/** What can be done to many tasks at once. */
export const BULK_ACTIONS = ['retry', 'cancel', 'mark', 'unmark', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Whether an action applies to a task in its present state. */
export const isApplicable: Record<BulkAction, (task: Task) => boolean> = {
  retry: ({ status }) => status === 'failed' || status === 'cancelled' || status === 'expired',
  cancel: isUnderWay,
  mark: ({ important, status }) => !important && status !== 'cancelled' && status !== 'expired',
  unmark: ({ important }) => important,
  delete: ({ status }) => status === 'done',
};

/** What can be done to tasks. All throw ApiProblem and Unreachable. */
export interface TaskActions {
  /** Tries failed and expired ones again. */
  retry(tasks: readonly Task[]): Promise<void>;
  /** Ends what is under way. */
  cancel(tasks: readonly Task[]): Promise<void>;
  /** Keeps their files until somebody deletes them, or no longer. */
  mark(tasks: readonly Task[], important: boolean): Promise<void>;
  /** Deletes files at the depot and here. */
  remove(tasks: readonly Task[]): Promise<void>;
}

/** Does it to one. */
export const runAction: Record<BulkAction, (actions: TaskActions, task: Task) => Promise<void>> = {
  retry: (actions, task) => actions.retry([task]),
  cancel: (actions, task) => actions.cancel([task]),
  mark: (actions, task) => actions.mark([task], true),
  unmark: (actions, task) => actions.mark([task], false),
  delete: (actions, task) => actions.remove([task]),
};
