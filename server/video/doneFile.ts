import { ApiError } from '../http/apiError.ts';
import type { TaskFile, TaskRow } from '../store/telemetry/rows.ts';

export interface DoneFile {
  file: TaskFile;
  /** In the video folder. */
  file_name: string;
}

/** The file of a task that is done; throws 409 `task_not_done`, 410 `file_expired` or `file_missing`. */
export function doneFile({ status, file, file_name, error }: TaskRow): DoneFile {
  if (status === 'expired') {
    throw error?.code === 'file_missing'
      ? new ApiError('file_missing', error.detail)
      : new ApiError(
          'file_expired',
          'The file was removed: its time was over, the disk was needed, or somebody deleted it.',
        );
  }
  if (status !== 'done' || file === null || file_name === null) {
    throw new ApiError('task_not_done', `The task is ${status}.`);
  }
  return { file, file_name };
}

/**
 * `AB-1234 channel 1 2026-11-21 04-43-00Z.mp4`, or `… full quality.mp4` of the main stream: signs that a file system
 * forbids are left out.
 */
export function clipName(
  row: Pick<TaskRow, 'channel' | 'from_ms' | 'terminal_id' | 'stream'>,
  vehicle: { name: string; plate: string | null } | undefined,
): string {
  const quality = row.stream === 'main' ? ' full quality' : '';
  return `${who(row, vehicle)} channel ${row.channel} ${fileTime(row.from_ms)}${quality}.mp4`;
}

/** How a vehicle is called in the name of a file. */
export function who(
  { terminal_id }: Pick<TaskRow, 'terminal_id'>,
  vehicle: { name: string; plate: string | null } | undefined,
): string {
  const name = vehicle?.plate ?? vehicle?.name ?? terminal_id;
  return name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '_');
}

/** `2026-11-21 04-43-00Z` */
export function fileTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}Z`;
}
