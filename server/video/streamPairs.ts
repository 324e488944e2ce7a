import type { TaskRow } from '../store/telemetry/rows.ts';

/** The pairs of a small recording and the full one that it names, while the small one is unfinished or done. */
export interface StreamPairs {
  /** @param matters whether the task is unfinished or done */
  note(row: TaskRow, matters: boolean): void;
  /** The task of the other recording; null for one that stands alone. */
  otherOf(row: TaskRow): string | null;
}

export function createStreamPairs(): StreamPairs {
  const subStreamOf = new Map<string, string>();
  const fullOf = new Map<string, string>();

  return {
    note({ task_id, main_task_id }, matters) {
      const before = fullOf.get(task_id);
      if (before !== undefined) subStreamOf.delete(before);
      fullOf.delete(task_id);
      if (main_task_id === null || !matters) return;
      fullOf.set(task_id, main_task_id);
      subStreamOf.set(main_task_id, task_id);
    },
    otherOf: ({ task_id, main_task_id }) => main_task_id ?? subStreamOf.get(task_id) ?? null,
  };
}

/** A task that came to its end, and how the other one of its pair stands; null: neither unfinished nor done. */
export interface Ended {
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
