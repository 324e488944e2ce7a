import type { Notification } from '../../server/contract/notifications.ts';
import type { Task } from '../../server/contract/video.ts';

/** The video cell of a row. */
export type VideoProgress =
  /** Nothing was ordered: the pictures are on the vehicle, if it has cameras. */
  | { kind: 'none' }
  | { kind: 'waiting'; since: string }
  | { kind: 'loading'; done: number; of: number; part: number }
  | { kind: 'ready'; done: number; of: number; taskId: string }
  | { kind: 'gone' }
  | { kind: 'failed'; detail: string };

const UNDER_WAY = new Set<Task['status']>(['queued', 'waiting', 'downloading', 'processing']);

/** How far the video of a notification has come: of the newest order for each channel of its last events. */
export function videoProgress(
  notification: Pick<Notification, 'event_ids'>,
  tasks: Iterable<Task>,
): VideoProgress {
  const events = new Set(notification.event_ids);
  const newest = new Map<number, Task>();
  for (const task of tasks) {
    if (task.event_id === null || !events.has(task.event_id) || task.status === 'cancelled') continue;
    const known = newest.get(task.channel);
    if (known === undefined || known.created_at < task.created_at) newest.set(task.channel, task);
  }
  const ordered = [...newest.values()];
  const first = ordered[0];
  if (first === undefined) return { kind: 'none' };

  const done = ordered.filter((task) => task.status === 'done');
  const underWay = ordered.filter((task) => UNDER_WAY.has(task.status));
  if (underWay.length > 0) {
    if (underWay.every((task) => task.status === 'waiting')) {
      return {
        kind: 'waiting',
        since: underWay.map((task) => task.updated_at).sort()[0] ?? first.updated_at,
      };
    }
    const sum = ordered.reduce((total, task) => total + (task.status === 'done' ? 1 : task.progress), 0);
    return { kind: 'loading', done: done.length, of: ordered.length, part: sum / ordered.length };
  }
  const ready = done[0];
  if (ready !== undefined)
    return { kind: 'ready', done: done.length, of: ordered.length, taskId: ready.task_id };
  const gone = ordered.every((task) => task.status === 'expired' || task.error?.code === 'no_recording');
  if (gone) return { kind: 'gone' };
  return { kind: 'failed', detail: ordered.find((task) => task.error !== null)?.error?.detail ?? '' };
}
