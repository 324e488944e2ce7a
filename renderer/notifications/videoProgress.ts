import type { Notification } from '../../server/contract/notifications.ts';
import type { Task } from '../../server/contract/video.ts';
import { fullQuality, type FullQuality, bestTasks, isUnderWay } from '../video/requests/qualities.ts';
import { orderProgress } from '../video/requests/videoOrders.ts';

/** The video cell of a row. */
export type VideoProgress =
  /** Nothing was ordered: the pictures are on the vehicle, if it has cameras. */
  | { kind: 'none' }
  /** Milliseconds since 1970. What has come of it already plays: `taskId` is one that is done, null for none. */
  | { kind: 'waiting'; done: number; of: number; since: number; taskId: string | null }
  | { kind: 'loading'; done: number; of: number; part: number; taskId: string | null }
  /** Whatever becomes of the full quality, where small pictures came first. */
  | { kind: 'ready'; done: number; of: number; taskId: string; full: FullQuality }
  | { kind: 'gone' }
  | { kind: 'failed'; detail: string };

/** How far the video of a notification has come: of the newest order for each channel of its last events. */
export function videoProgress(
  notification: Pick<Notification, 'event_ids'>,
  tasks: Iterable<Task>,
): VideoProgress {
  const events = new Set(notification.event_ids);
  const ordered = [...tasks].filter((it) => it.event_id !== null && events.has(it.event_id));
  const shown = [...bestTasks(ordered).values()];
  const [first] = shown;
  if (first === undefined) return { kind: 'none' };

  const { done, of, part, waitsSince } = orderProgress({ shown });
  const ready = shown.find((task) => task.status === 'done');
  const taskId = ready?.task_id ?? null;
  if (waitsSince !== null) return { kind: 'waiting', done, of, since: waitsSince, taskId };
  if (shown.some(isUnderWay)) return { kind: 'loading', done, of, part, taskId };
  if (ready !== undefined) {
    const full = fullQuality({ tasks: ordered, shown });
    return { kind: 'ready', done, of, taskId: ready.task_id, full };
  }
  const gone = shown.every((task) => task.status === 'expired' || task.error?.code === 'no_recording');
  if (gone) return { kind: 'gone' };
  return { kind: 'failed', detail: shown.find((task) => task.error !== null)?.error?.detail ?? '' };
}
