import type { Task } from '../../../server/contract/video.ts';
import { isUnderWay } from '../requests/qualities.ts';

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

/** What an action needs. */
export interface TaskActs {
  retry(tasks: readonly Task[]): Promise<void>;
  cancel(tasks: readonly Task[]): Promise<void>;
  mark(tasks: readonly Task[], important: boolean): Promise<void>;
  remove(tasks: readonly Task[]): Promise<void>;
}

/** Does it to one. Throws ApiProblem and Unreachable. */
export function runBulkAction(video: TaskActs, action: BulkAction, task: Task): Promise<void> {
  switch (action) {
    case 'retry':
      return video.retry([task]);
    case 'cancel':
      return video.cancel([task]);
    case 'mark':
      return video.mark([task], true);
    case 'unmark':
      return video.mark([task], false);
    case 'delete':
      return video.remove([task]);
  }
}
