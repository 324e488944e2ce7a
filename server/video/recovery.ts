import type { Logger } from 'pino';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { TaskRepository } from './taskRepository.ts';
import { unfinishedStatuses } from './taskTransitions.ts';
import type { VideoFiles } from './videoFiles.ts';

export interface RecoveryDeps {
  store: Pick<Store, 'tasksIn'>;
  ledger: TaskRepository;
  files: VideoFiles;
  /** When the file of a task that is done from now on may go, in Unix ms. */
  expiresAt: () => number;
  log: Logger;
}

/**
 * Makes tasks and files agree after a start, however the host before this one ended. The size of every file is looked
 * at; only a file that was about to get its name is read whole, or a start would take minutes on an old depot.
 */
export async function recoverVideos({ store, ledger, files, expiresAt, log }: RecoveryDeps): Promise<void> {
  await files.open();
  const unfinished = await store.tasksIn([...unfinishedStatuses]);
  const done = await store.tasksIn(['done']);
  ledger.open([...done, ...unfinished]);

  const sizes = await sizesOf([...done, ...unfinished], files);
  const isThere = ({ file, file_name }: TaskRow) =>
    file !== null && file_name !== null && sizes.get(file_name) === file.size_bytes;
  const missing = { code: 'file_missing', detail: 'The file is not in the video folder.' } as const;
  const lost = await ledger.change(idsOf(done.filter((row) => !isThere(row))), () => ({
    happening: 'lose_file',
    facts: { error: missing },
  }));

  const whole = new Set<string>();
  for (const row of unfinished.filter(isThere)) {
    const name = row.file_name;
    if (name !== null && (await files.sha256(name)) === row.file?.sha256) whole.add(row.task_id);
  }
  const interrupted = { code: 'interrupted', detail: 'The host ended during the download.' } as const;
  const resumed = await ledger.change(idsOf(unfinished), (row) =>
    whole.has(row.task_id)
      ? {
          happening: 'file_there',
          facts: { file: row.file, file_name: row.file_name, expires_ms: expiresAt() },
        }
      : { happening: 'interrupt', facts: { error: interrupted } },
  );

  const stray = (await files.list()).filter((name) => ledger.tasksByFile(name).length === 0);
  for (const name of stray) await files.remove(name);
  if (lost.length + resumed.length + stray.length > 0) {
    log.warn(
      { lost: lost.length, resumed: resumed.length, finished: whole.size, removed: stray },
      'video tasks and files were reconciled',
    );
  }
}

async function sizesOf(rows: readonly TaskRow[], files: VideoFiles): Promise<Map<string, number | null>> {
  const sizes = new Map<string, number | null>();
  for (const { file_name } of rows) {
    if (file_name !== null && !sizes.has(file_name)) sizes.set(file_name, await files.size(file_name));
  }
  return sizes;
}

function idsOf(rows: readonly TaskRow[]): string[] {
  return rows.map((row) => row.task_id);
}
