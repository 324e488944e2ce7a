import type { Task } from '../../../server/contract/video.ts';

/** What belongs together: the channels of one vehicle over one span of time. */
export interface VideoOrder {
  /** Of the vehicle and the span: the same span ordered again is the same order. */
  id: string;
  vehicleId: string;
  profileId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  eventId: string | null;
  orderedBy: string;
  orderedAt: number;
  /** The newest task of each channel, by channel. */
  tasks: readonly Task[];
  phase: 'under_way' | 'ready' | 'failed';
}

const UNDER_WAY: ReadonlySet<Task['status']> = new Set(['queued', 'waiting', 'downloading', 'processing']);

export const isUnderWay = (task: Task): boolean => UNDER_WAY.has(task.status);
export const orderIdOf = (task: Pick<Task, 'vehicle_id' | 'from' | 'to'>): string =>
  `${task.vehicle_id} ${task.from} ${task.to}`;

/** Whether a task has pictures: at the depot, or kept here after the depot has deleted its own. */
export const hasPictures = (task: Task, isKept: (taskId: string) => boolean): boolean =>
  task.status === 'done' || (task.status === 'expired' && isKept(task.task_id));

/** Orders out of tasks, the newest first. A channel that was cancelled is left out, and an order with no other. */
export function videoOrders(tasks: Iterable<Task>, isKept: (taskId: string) => boolean): VideoOrder[] {
  const byOrder = new Map<string, Map<number, Task>>();
  for (const task of tasks) {
    if (task.status === 'cancelled') continue;
    const id = orderIdOf(task);
    const channels = byOrder.get(id) ?? new Map<number, Task>();
    byOrder.set(id, channels);
    const known = channels.get(task.channel);
    if (known === undefined || known.created_at < task.created_at) channels.set(task.channel, task);
  }
  const orders: VideoOrder[] = [];
  for (const [id, channels] of byOrder) {
    const ordered = [...channels.values()].sort((a, b) => a.channel - b.channel);
    const newest = ordered.reduce((a, b) => (b.created_at > a.created_at ? b : a));
    orders.push({
      id,
      vehicleId: newest.vehicle_id,
      profileId: newest.profile_id,
      from: Date.parse(newest.from),
      to: Date.parse(newest.to),
      eventId: ordered.find((it) => it.event_id !== null)?.event_id ?? null,
      orderedBy: newest.created_by,
      orderedAt: Date.parse(newest.created_at),
      tasks: ordered,
      phase: ordered.some(isUnderWay)
        ? 'under_way'
        : ordered.some((it) => hasPictures(it, isKept))
          ? 'ready'
          : 'failed',
    });
  }
  return orders.sort((a, b) => b.orderedAt - a.orderedAt || (a.id < b.id ? -1 : 1));
}

/** The vehicle's orders with pictures right before and after one, by the time that they show. */
export function neighbours(
  order: VideoOrder,
  all: readonly VideoOrder[],
): { previous: VideoOrder | undefined; next: VideoOrder | undefined } {
  const mine = all.filter(
    (it) => it.vehicleId === order.vehicleId && it.phase === 'ready' && it.id !== order.id,
  );
  const byTime = mine.toSorted((a, b) => a.from - b.from);
  return {
    previous: byTime.findLast((it) => it.from < order.from),
    next: byTime.find((it) => it.from > order.from),
  };
}

export interface OrderProgress {
  /** Channels that are ready. */
  done: number;
  of: number;
  /** 0 to 1, of all channels. */
  part: number;
  /** Nothing moves, because the terminal is off line: since when, milliseconds. */
  waitsSince: number | null;
}

export function orderProgress({ tasks }: VideoOrder): OrderProgress {
  const done = tasks.filter((it) => it.status === 'done').length;
  const open = tasks.filter(isUnderWay);
  const waits = open.length > 0 && open.every((it) => it.status === 'waiting');
  const sum = tasks.reduce((total, it) => total + partOf(it), 0);
  return {
    done,
    of: tasks.length,
    part: sum / tasks.length,
    waitsSince: waits ? Math.min(...open.map((it) => Date.parse(it.updated_at))) : null,
  };
}

/** How far a channel is, 0 to 1; one that has failed counts as not begun. */
export function partOf(task: Task): number {
  if (task.status === 'done') return 1;
  return isUnderWay(task) ? task.progress : 0;
}

/** The bytes of all files that are done. */
export const orderBytes = ({ tasks }: VideoOrder): number =>
  tasks.reduce((sum, it) => sum + (it.file?.size_bytes ?? 0), 0);

/** Why an order has no pictures: the reason that most channels give, in the first one's own words. */
export function failureOf({ tasks }: VideoOrder): { code: FailureCode; detail: string } {
  const failures = tasks.map((it) => ({ code: failureCode(it), detail: it.error?.detail ?? '' }));
  const counts = new Map<FailureCode, number>();
  for (const { code } of failures) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = failures.toSorted((a, b) => (counts.get(b.code) ?? 0) - (counts.get(a.code) ?? 0));
  return most ?? { code: 'internal', detail: '' };
}

export type FailureCode = NonNullable<Task['error']>['code'] | 'expired';

function failureCode(task: Task): FailureCode {
  if (task.error !== null) return task.error.code;
  return task.status === 'expired' ? 'expired' : 'internal';
}

/** What a channel lacks at its end, in seconds; less than this is how cameras cut. */
const LEAST_GAP_S = 2;

/** The span that a done channel has no picture of, in seconds from the order's beginning; null for none. */
export function gapOf(
  order: Pick<VideoOrder, 'from' | 'to'>,
  task: Task,
): { fromS: number; toS: number } | null {
  const lengthS = (order.to - order.from) / 1_000;
  if (task.file === null) return { fromS: 0, toS: lengthS };
  return lengthS - task.file.duration_s < LEAST_GAP_S ? null : { fromS: task.file.duration_s, toS: lengthS };
}
