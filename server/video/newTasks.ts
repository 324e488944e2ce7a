import { randomUUID } from 'node:crypto';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { FragmentSpec } from './fragments.ts';
import type { ProfileRecord } from './profileRecord.ts';
import { queueFull } from '../http/apiError.ts';

/** What is ordered, by whom, and why. */
export interface TaskRequest
  extends
    FragmentSpec,
    Pick<TaskRow, 'event_id' | 'stream' | 'important' | 'created_by' | 'rule_id' | 'created_ms'> {
  /** First the small recording, for a picture in seconds, then the full one; where the terminal may have both. */
  sub_stream_first: boolean;
}

/** The tasks of an order: one, or a small one and the full one that it names. To be stored in one transaction. */
export function newTasks(
  profile: ProfileRecord,
  terminalId: string,
  { sub_stream_first, ...asked }: TaskRequest,
): [TaskRow, ...TaskRow[]] {
  const one: TaskRow = {
    ...asked,
    task_id: randomUUID(),
    profile_id: profile.profile_id,
    vehicle_id: profile.vehicle_id,
    terminal_id: terminalId,
    main_task_id: null,
    status: 'queued',
    attempts: 0,
    next_attempt_ms: null,
    error: null,
    file: null,
    file_name: null,
    updated_ms: asked.created_ms,
    done_ms: null,
    expires_ms: null,
    version: 1,
  };
  if (!sub_stream_first || asked.stream !== null || !mayHaveBoth(profile)) return [one];
  const full: TaskRow = { ...one, task_id: randomUUID(), stream: 'main' };
  return [{ ...one, stream: 'sub', main_task_id: full.task_id }, full];
}

/** JT/T 1078 knows a main and a sub-stream; a profile that names one says which exists or is requested. */
function mayHaveBoth({ kind, connection }: ProfileRecord): boolean {
  return kind === 'jt1078' && connection.stream === undefined;
}

/**
 * Unfinished tasks that there may be: the scheduler looks at all of them whenever one changes. A terminal brings one
 * fragment at a time, some tens an hour; what rules order counts to the terminal and to all, not to a user.
 */
export const taskBounds = { per_user: 1_000, per_terminal: 200, all: 10_000 };

/** Downloads take minutes. */
const retryS = 60;

/** Throws 429 `queue_full` for tasks of one order that would be too many beside those that are unfinished. */
export function checkTaskBounds(
  unfinished: readonly TaskRow[],
  wanted: readonly TaskRow[],
  bounds: typeof taskBounds = taskBounds,
): void {
  const [first] = wanted;
  if (first === undefined) return;
  const { profile_id, created_by, rule_id } = first;
  let [ofTerminal, ofUser] = [0, 0];
  for (const row of unfinished) {
    if (row.profile_id === profile_id) ofTerminal += 1;
    if (rule_id === null && row.rule_id === null && row.created_by === created_by) ofUser += 1;
  }
  check(ofTerminal, bounds.per_terminal, 'for this terminal');
  check(ofUser, bounds.per_user, 'of this user');
  check(unfinished.length, bounds.all, 'in all');

  function check(count: number, max: number, whose: string): void {
    if (count + wanted.length <= max) return;
    throw queueFull(`${count} video tasks ${whose} are unfinished, and no more than ${max} may be.`, retryS);
  }
}
