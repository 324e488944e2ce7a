import type { Task } from '../contract/video.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import { isUnfinished } from './taskTransitions.ts';
import type { ReceivedBytes } from './terminals/terminal.ts';

/** How far the download of a task is. */
export interface Progress {
  /** 0 to 1, over the whole way to the file. */
  fraction: number;
  /** Null where the terminal sends none. */
  bytes: ReceivedBytes | null;
}

export const noProgress: Progress = { fraction: 0, bytes: null };

export function presentTask(row: TaskRow, { fraction, bytes }: Progress): Task {
  const shown = row.status === 'downloading' ? bytes : null;
  return {
    task_id: row.task_id,
    profile_id: row.profile_id,
    vehicle_id: row.vehicle_id,
    terminal_id: row.terminal_id,
    channel: row.channel,
    from: rfc3339(row.from_ms),
    to: rfc3339(row.to_ms),
    event_id: row.event_id,
    stream: row.stream,
    main_task_id: row.main_task_id,
    status: row.status,
    important: row.important,
    progress: row.status === 'done' ? 1 : Math.min(1, Math.max(0, fraction)),
    received_bytes: shown?.received ?? null,
    total_bytes: shown?.total ?? null,
    attempts: row.attempts,
    error: row.error,
    file: row.status === 'done' ? row.file : null,
    created_by: row.created_by,
    rule_id: row.rule_id,
    done_at: row.done_ms === null ? null : rfc3339(row.done_ms),
    expires_at: row.expires_ms === null || isKept(row) ? null : rfc3339(row.expires_ms),
    version: row.version,
    created_at: rfc3339(row.created_ms),
    updated_at: rfc3339(row.updated_ms),
  };
}

/** An important file does not age; its day is remembered for when it no longer is. */
function isKept({ status, important }: TaskRow): boolean {
  return status === 'done' && important;
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * When it is worth asking again, in seconds; null for a task that is finished. Two seconds leave a client that follows
 * several tasks within its calls a minute.
 */
export function retryAfterS(row: TaskRow, now_ms: number): number | null {
  if (!isUnfinished(row.status)) return null;
  if (row.status === 'downloading' || row.status === 'processing') return 2;
  if (row.status === 'waiting') return 10;
  const begins_ms = Math.max(row.to_ms, row.next_attempt_ms ?? 0);
  return Math.min(30, Math.max(2, Math.ceil((begins_ms - now_ms) / 1000)));
}
