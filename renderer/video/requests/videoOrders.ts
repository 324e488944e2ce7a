import type { Task } from '../../../server/contract/video.ts';
import { mostGiven, type Failure } from './failure.ts';
import { bestOf, channelTasks, hasPictures, isUnderWay, waitingSince, type IsKept } from './qualities.ts';

/** What belongs together: the channels of one vehicle over one span of time. */
export interface VideoRequest {
  /** Of the vehicle and the span: the same span ordered again is the same order. */
  id: string;
  vehicleId: string;
  profileId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  eventId: string | null;
  orderedBy: string;
  /** The rule that ordered it by itself. */
  ruleId: string | null;
  orderedAt: number;
  /** What was ordered last for each channel, by channel: the only task, or the small one and then the full one. */
  tasks: readonly Task[];
  /** The one to show now of each channel, by channel. */
  shown: readonly Task[];
  /** Of what is shown: an order whose small pictures are there is ready, whatever becomes of the full ones. */
  phase: 'under_way' | 'ready' | 'failed';
}

export const orderIdOf = (task: Pick<Task, 'vehicle_id' | 'from' | 'to'>): string =>
  `${task.vehicle_id} ${task.from} ${task.to}`;

/** Orders out of tasks, the newest first. A channel that was cancelled is left out, and an order with no other. */
export function videoOrders(tasks: Iterable<Task>, isKept: IsKept): VideoRequest[] {
  const byOrder = new Map<string, Task[]>();
  for (const task of tasks) {
    const id = orderIdOf(task);
    const known = byOrder.get(id);
    if (known === undefined) byOrder.set(id, [task]);
    else known.push(task);
  }
  const orders = [...byOrder].flatMap(([id, list]) => orderOf(id, list, isKept) ?? []);
  return orders.sort((a, b) => b.orderedAt - a.orderedAt || (a.id < b.id ? -1 : 1));
}

function orderOf(id: string, list: readonly Task[], isKept: IsKept): VideoRequest | null {
  const channels = [...channelTasks(list).values()];
  const tasks = channels.flatMap(({ first, full }) => (full === null ? [first] : [first, full]));
  const [head] = tasks;
  if (head === undefined) return null;
  const newest = tasks.reduce((a, b) => (b.created_at > a.created_at ? b : a), head);
  const shown = channels.map((it) => bestOf(it, isKept));
  return {
    id,
    vehicleId: newest.vehicle_id,
    profileId: newest.profile_id,
    from: Date.parse(newest.from),
    to: Date.parse(newest.to),
    eventId: tasks.find((it) => it.event_id !== null)?.event_id ?? null,
    orderedBy: newest.created_by,
    ruleId: newest.rule_id,
    orderedAt: Date.parse(newest.created_at),
    tasks,
    shown,
    phase: shown.some(isUnderWay)
      ? 'under_way'
      : shown.some((it) => hasPictures(it, isKept))
        ? 'ready'
        : 'failed',
  };
}

/** The vehicle's orders with pictures right before and after one, by the time that they show. */
export function neighbours(
  order: VideoRequest,
  all: readonly VideoRequest[],
): { previous: VideoRequest | undefined; next: VideoRequest | undefined } {
  const current = all.filter(
    (it) => it.vehicleId === order.vehicleId && it.phase === 'ready' && it.id !== order.id,
  );
  const byTime = current.toSorted((a, b) => a.from - b.from);
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

/** How far the pictures are that are shown first. */
export function orderProgress({ shown }: Pick<VideoRequest, 'shown'>): OrderProgress {
  return {
    done: shown.filter((it) => it.status === 'done').length,
    of: shown.length,
    part: shown.reduce((total, it) => total + partOf(it), 0) / shown.length,
    waitsSince: waitingSince(shown.filter(isUnderWay)),
  };
}

/** How far a channel is, 0 to 1; one that has failed counts as not begun. */
export function partOf(task: Task): number {
  if (task.status === 'done') return 1;
  return isUnderWay(task) ? task.progress : 0;
}

/** The bytes of all files that are shown. */
export const orderBytes = ({ shown }: Pick<VideoRequest, 'shown'>): number =>
  shown.reduce((sum, it) => sum + (it.file?.size_bytes ?? 0), 0);

/** Why an order has no pictures: the reason that most channels give, in the first one's own words. */
export const failureOf = ({ shown }: Pick<VideoRequest, 'shown'>): Failure => mostGiven(shown);

/** What a retry would bring: nobody needs the small picture of a channel whose full one is there. */
export function toRetry({ tasks }: Pick<VideoRequest, 'tasks'>): readonly Task[] {
  const done = new Set(tasks.filter((it) => it.status === 'done').map((it) => it.task_id));
  return tasks.filter(
    (it) =>
      (it.status === 'failed' || it.status === 'expired') &&
      (it.main_task_id === null || !done.has(it.main_task_id)),
  );
}

/** What a channel lacks, in seconds; less than this is how cameras cut and networks hurry. */
export const LEAST_GAP_S = 2;

/**
 * The longest span at an end of the order that a done channel has no picture of, in seconds from the order's beginning;
 * null for none.
 */
export function gapOf(
  order: Pick<VideoRequest, 'from' | 'to'>,
  { file }: Pick<Task, 'file'>,
): { fromS: number; toS: number } | null {
  const lengthS = (order.to - order.from) / 1_000;
  if (file === null) return { fromS: 0, toS: lengthS };
  const beginsS = file.starts_at === null ? 0 : (Date.parse(file.starts_at) - order.from) / 1_000;
  const ahead = { fromS: 0, toS: Math.min(beginsS, lengthS) };
  const behind = { fromS: Math.max(0, beginsS + file.duration_s), toS: lengthS };
  const longest = ahead.toS > behind.toS - behind.fromS ? ahead : behind;
  return longest.toS - longest.fromS < LEAST_GAP_S ? null : longest;
}
