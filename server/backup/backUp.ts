import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { causeOf } from '../contract/causeTexts.ts';
import { ApiError } from '../http/apiError.ts';
import { writableFolder } from '../settings/writableFolder.ts';
import { copiedFiles, SNAPSHOTS } from '../store/dataFolder.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { DiskSpace } from '../video/videoFiles.ts';
import { WorkFailed } from '../workerChannel.ts';
import { backupName, backupsIn, CLIPS, DATABASE, partialName } from './manifest.ts';
import { isFullDisk, picturesIn, type BackupOrder, type WrittenBackup } from './writeBackup.ts';

/** Left free beside what a backup takes: hosts and the system write to the same disk. */
export const SPARE_BYTES = 64 * 1_024 * 1_024;

export interface BackUpDeps {
  /** The data folder, absolute. */
  data: string;
  instanceId: string;
  appVersion: string;
  readSpace: (folder: string) => Promise<DiskSpace>;
  write: (order: BackupOrder, run: BackupRun) => Promise<WrittenBackup>;
  clock: Pick<Clock, 'now'>;
}

export interface BackupRun {
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Backs a data folder up into a folder that is there. What an earlier one left that was killed is removed.
 *
 * @throws {ApiError} that says why; nothing is left then. `disk_full`; `unavailable`
 */
export async function backUp(
  deps: BackUpDeps,
  { to, clips }: { to: string; clips: boolean },
  run: BackupRun,
): Promise<WrittenBackup> {
  const { data, instanceId, clock } = deps;
  const target = await targetFolder(to, data);
  let partial: string | null = null;
  try {
    const { finished, partial: left } = await backupsIn(target, instanceId);
    for (const name of left) await rm(join(target, name), { recursive: true, force: true });
    await checkSpace(deps, target, clips);
    const created_ms = clock.now();
    let name = backupName(instanceId, created_ms);
    for (let count = 2; finished.some((it) => it.name === name); count++)
      name = backupName(instanceId, created_ms, count);
    partial = join(target, partialName(name));
    const order = {
      data,
      target,
      name,
      clips,
      created_ms,
      instance_id: instanceId,
      app_version: deps.appVersion,
    };
    return await deps.write(order, run);
  } catch (error) {
    // A thread that was ended has left it.
    if (partial !== null) await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    run.signal.throwIfAborted();
    throw worded(error, target);
  }
}

/**
 * Its path without symbolic links.
 *
 * @throws {ApiError} `unavailable` for a folder that is not there, cannot be written, or lies in the data folder
 */
export async function targetFolder(to: string, data: string): Promise<string> {
  try {
    return await writableFolder(to, data);
  } catch (error) {
    throw worded(error, to);
  }
}

async function checkSpace({ data, readSpace }: BackUpDeps, target: string, clips: boolean): Promise<void> {
  const names = [DATABASE, `${DATABASE}-wal`, ...copiedFiles];
  for (const folder of clips ? [SNAPSHOTS, CLIPS] : [SNAPSHOTS])
    names.push(...(await picturesIn(data, folder)).map((name) => join(folder, name)));
  let needed = SPARE_BYTES;
  for (const name of names) needed += await bytesOf(join(data, name));
  const { free } = await readSpace(target);
  if (free < needed)
    throw new ApiError(
      'disk_full',
      causeOf('backup.no_space', { folder: target, needed_mb: megabytes(needed), free_mb: megabytes(free) }),
    );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

function worded(error: unknown, target: string): ApiError {
  if (error instanceof ApiError) return error;
  if (isFullDisk(error) || (error instanceof WorkFailed && error.code === 'disk_full'))
    return new ApiError('disk_full', causeOf('backup.disk_full', { folder: target }), { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('unavailable', causeOf('backup.failed', { folder: target, reason }), { cause: error });
}
