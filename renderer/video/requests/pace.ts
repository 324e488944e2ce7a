import type { Task } from '../../../server/contract/video.ts';
import { bestTasks, isUnderWay } from './qualities.ts';

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

export type Pace = ReturnType<typeof createPace>;
