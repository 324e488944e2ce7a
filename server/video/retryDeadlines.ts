import { retryWindowMs } from './failurePolicy.ts';

/**
 * How long each task goes on failing. The day begins when the host first sees the task, or when its fragment has
 * passed; a server start resets it, because nothing was tried while it was down.
 */
export interface RetryDeadlines {
  /** Whether the day of a task is over; begins it for one that is new. */
  isOver(task: { task_id: string; to_ms: number }, now_ms: number): boolean;
  /** Begins the days of tasks that are new and forgets those that are no longer there. */
  follow(tasks: readonly { task_id: string; to_ms: number }[], now_ms: number): void;
}

export function createRetryDeadlines(): RetryDeadlines {
  let ends = new Map<string, number>();
  const endOf = (task: { task_id: string; to_ms: number }, now_ms: number) =>
    ends.get(task.task_id) ?? Math.max(now_ms, task.to_ms) + retryWindowMs;

  return {
    isOver: (task, now_ms) => now_ms >= endOf(task, now_ms),
    follow(tasks, now_ms) {
      ends = new Map(tasks.map((task) => [task.task_id, endOf(task, now_ms)]));
    },
  };
}
