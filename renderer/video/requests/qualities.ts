import type { Task } from '../../../server/contract/video.ts';
import type { Translate } from '../../i18n/text.ts';
import { mostGiven, type FailureCode } from './failure.ts';

/**
 * One channel of an order. A task that names a `main_task_id` brings the small picture, and the task that it names the
 * same in full quality after it; every other task stands alone.
 */
export interface ChannelTasks {
  /** The small one of two, or the only one. */
  first: Task;
  /** Null where one task is all there is. */
  full: Task | null;
}

/** Whether the pictures of a task that the depot has deleted are kept here. */
export type IsKept = (taskId: string) => boolean;
const nothingKept: IsKept = () => false;

const UNDER_WAY: ReadonlySet<Task['status']> = new Set(['queued', 'waiting', 'downloading', 'processing']);

export const isUnderWay = (task: Task): boolean => UNDER_WAY.has(task.status);

/** Whether a task has pictures: at the depot, or kept here after the depot has deleted its own. */
export const hasPictures = (task: Task, isKept: IsKept = nothingKept): boolean =>
  task.status === 'done' || (task.status === 'expired' && isKept(task.task_id));

/** Since when all of these wait for their terminal, milliseconds; null when one of them moves, or there is none. */
export const waitingSince = (open: readonly Task[]): number | null =>
  open.length > 0 && open.every((it) => it.status === 'waiting')
    ? Math.min(...open.map((it) => Date.parse(it.updated_at)))
    : null;

/**
 * The channels of an order, by channel: of each what was ordered last. What was cancelled is left out.
 *
 * @param tasks of one vehicle and one span
 */
export function channelTasks(tasks: Iterable<Task>): Map<number, ChannelTasks> {
  const byChannel = new Map<number, Task[]>();
  for (const task of tasks) {
    if (task.status === 'cancelled') continue;
    byChannel.set(task.channel, [...(byChannel.get(task.channel) ?? []), task]);
  }
  const channels = [...byChannel].sort(([a], [b]) => a - b);
  return new Map(channels.map(([channel, list]) => [channel, newestOf(list)]));
}

function newestOf(list: readonly Task[]): ChannelTasks {
  const newest = list.reduce((a, b) => (isNewer(b, a) ? b : a));
  const first = smallOf(list, newest) ?? newest;
  return { first, full: list.find((it) => it.task_id === first.main_task_id) ?? null };
}

/** Of two that were made at once either may come first, as long as it is the same one each time. */
function isNewer(a: Task, b: Task): boolean {
  return a.created_at === b.created_at ? a.task_id > b.task_id : a.created_at > b.created_at;
}

/** For each channel of an order the task to show now: the full one when it is done, else the small one. */
export function bestTasks(tasks: readonly Task[], isKept: IsKept = nothingKept): Map<number, Task> {
  return new Map([...channelTasks(tasks)].map(([channel, it]) => [channel, bestOf(it, isKept)]));
}

/** A small one that failed is not waited for where the full one still comes. */
export function bestOf({ first, full }: ChannelTasks, isKept: IsKept = nothingKept): Task {
  if (full === null) return first;
  if (hasPictures(full, isKept)) return full;
  const isOver = !hasPictures(first, isKept) && !isUnderWay(first);
  return isOver && isUnderWay(full) ? full : first;
}

/** The small one behind a full one, which is shown when this browser cannot play the full one; null for none. */
export function smallOf(tasks: readonly Task[], task: Task): Task | null {
  const smalls = tasks.filter((it) => it.main_task_id === task.task_id && it.status !== 'cancelled');
  return smalls.length === 0 ? null : smalls.reduce((a, b) => (isNewer(b, a) ? b : a));
}

/** What becomes of the full quality of channels whose small picture is shown. */
export type FullQuality =
  /** Nothing is to come, and nothing is missing. */
  | { kind: 'none' }
  | { kind: 'waits' }
  /** 0 to 1, of the channels that it is still to come of. */
  | { kind: 'coming'; part: number }
  | { kind: 'missing'; code: FailureCode };

/** @param shown of each channel the task that is shown; `tasks` holds those that bring the full quality */
export function fullQuality({
  tasks,
  shown,
}: {
  tasks: readonly Task[];
  shown: readonly Task[];
}): FullQuality {
  const ids = new Set(shown.filter((it) => it.status === 'done').map((it) => it.main_task_id));
  const fulls = tasks.filter((it) => ids.has(it.task_id));
  const open = fulls.filter(isUnderWay);
  if (waitingSince(open) !== null) return { kind: 'waits' };
  if (open.length > 0) {
    return { kind: 'coming', part: open.reduce((sum, it) => sum + it.progress, 0) / open.length };
  }
  const missing = fulls.filter((it) => it.status === 'failed' || it.status === 'expired');
  return missing.length === 0 ? { kind: 'none' } : { kind: 'missing', code: mostGiven(missing).code };
}

/** For a cell of a row. */
export function fullQualityShort(full: FullQuality, t: Translate): string {
  if (full.kind === 'none') return '';
  const percent = full.kind === 'coming' ? Math.round(full.part * 100) : 0;
  return t(`quality.short.${full.kind}`, { percent });
}

/** In small words; null where there is nothing to say. */
export function formatFullQuality(full: FullQuality, t: Translate): string | null {
  switch (full.kind) {
    case 'none':
      return null;
    case 'waits':
      return t('quality.waits');
    case 'coming': {
      const percent = Math.round(full.part * 100);
      return percent === 0 ? t('quality.coming') : t('quality.part', { percent });
    }
    case 'missing':
      return t(`quality.missing.${full.code}`);
  }
}
