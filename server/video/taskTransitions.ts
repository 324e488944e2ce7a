import type { TaskStatus } from '../contract/video.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';

/** What each happening makes of a task's status; where nothing stands, it cannot happen to such a task. */
const transitions = {
  /** A download begins, or the task joins one that is under way. */
  begin: { queued: 'downloading', waiting: 'downloading' },
  /** All bytes are here. */
  received: { downloading: 'processing' },
  /** The facts of the file are stored before it gets its name: a restart can distinguish it from an incomplete one. */
  state_file: { processing: 'processing' },
  /** The file is in its place: fetched for this task, or for another one of the same fragment. */
  file_there: { queued: 'done', waiting: 'done', downloading: 'done', processing: 'done' },
  /** The terminal is off line. */
  terminal_away: { queued: 'waiting', waiting: 'waiting', downloading: 'waiting' },
  /** It did not work this time and is tried again later. */
  postpone: { queued: 'queued', waiting: 'queued', downloading: 'queued', processing: 'queued' },
  /** The host ends, or ended, in the middle of it. */
  interrupt: { downloading: 'queued', processing: 'queued' },
  give_up: { queued: 'failed', waiting: 'failed', downloading: 'failed', processing: 'failed' },
  cancel: { queued: 'cancelled', waiting: 'cancelled', downloading: 'cancelled', processing: 'cancelled' },
  /** Somebody changed what is asked for, or where it is fetched from. */
  ask_anew: { queued: 'queued', waiting: 'queued' },
  retry: { failed: 'queued', cancelled: 'queued', expired: 'queued' },
  remove_file: { done: 'expired' },
  /** The time to keep the file is over. */
  age: { done: 'expired' },
  /** Its file had to go because the disk, or what all videos may take of it, was full. */
  make_room: { done: 'expired' },
  /** The file is not where it should be. */
  lose_file: { done: 'expired' },
  /** Somebody says whether its file is to be kept; nothing else of it changes. */
  mark: {
    queued: 'queued',
    waiting: 'waiting',
    downloading: 'downloading',
    processing: 'processing',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    expired: 'expired',
  },
} as const satisfies Record<string, Partial<Record<TaskStatus, TaskStatus>>>;

export type Transition = keyof typeof transitions;
export const happenings = Object.keys(transitions) as Transition[];

export const unfinishedStatuses = ['queued', 'waiting', 'downloading', 'processing'] as const;

export function isUnfinished(status: TaskStatus): boolean {
  return unfinishedStatuses.some((it) => it === status);
}

/** The status after `happening`; null when it cannot happen to a task of this status. */
export function next(status: TaskStatus, happening: Transition): TaskStatus | null {
  const row: Partial<Record<TaskStatus, TaskStatus>> = transitions[happening];
  return row[status] ?? null;
}

export type TaskFacts = Partial<
  Pick<
    TaskRow,
    | 'error'
    | 'next_attempt_ms'
    | 'file'
    | 'file_name'
    | 'expires_ms'
    | 'stream'
    | 'main_task_id'
    | 'channel'
    | 'from_ms'
    | 'to_ms'
    | 'important'
  >
>;

/**
 * The task after `happening`, one version on; null when it cannot happen to it. What the old status knew (an error, a
 * pause, a file) is dropped unless `facts` state it again, or the task was only marked; an expired task remembers when
 * it was done.
 */
export function advance(
  row: TaskRow,
  happening: Transition,
  facts: TaskFacts,
  now_ms: number,
): TaskRow | null {
  const status = next(row.status, happening);
  if (status === null) return null;
  const known: TaskFacts & Pick<TaskRow, 'done_ms'> =
    happening === 'mark'
      ? row
      : {
          error: null,
          next_attempt_ms: null,
          file: null,
          file_name: null,
          expires_ms: status === 'expired' ? row.expires_ms : null,
          done_ms: status === 'done' ? now_ms : status === 'expired' ? row.done_ms : null,
        };
  return {
    ...row,
    ...known,
    ...facts,
    attempts: row.attempts + (happening === 'begin' ? 1 : 0),
    status,
    updated_ms: now_ms,
    version: row.version + 1,
  };
}
