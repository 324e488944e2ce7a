import { randomUUID } from 'node:crypto';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { FragmentSpec } from './fragments.ts';
import type { ProfileRecord } from './profileRecord.ts';

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
