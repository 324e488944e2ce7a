import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { appVersion } from '../config.ts';
import { ApiError } from '../http/apiError.ts';
import { settingsDocument } from '../settings/settings.ts';
import { lookAtDocument } from '../store/adoption.ts';
import { openDataFolder } from '../store/dataFolder.ts';
import { diskSpace } from '../video/videoFiles.ts';
import { backUp } from '../backup/backUp.ts';
import type { AskedBackup } from '../backup/backups.ts';
import { partialName } from '../backup/manifest.ts';
import { writeBackup, type WrittenBackup } from '../backup/writeBackup.ts';

/**
 * Backs up the data folder of a host that does not run. The folder is held meanwhile.
 *
 * @throws {DataFolderError}; {ApiError}
 */
export async function backUpFolder(
  data: string,
  { to, clips }: AskedBackup,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<WrittenBackup> {
  const folder = await openDataFolder(data);
  let removePartial = (): void => undefined;
  const stop = (): void => {
    removePartial();
    process.exit(130);
  };
  try {
    const log = { info: () => undefined, warn: () => undefined };
    const read = { folder: folder.path, name: 'settings', schema: settingsDocument };
    const { data: settings } = await lookAtDocument(read, { clock: systemClock, log });
    if (settings === null) throw new ApiError('unavailable', `${resolve(data)} has no settings.json.`);
    const target = to ?? settings.backup_folder;
    if (target === '') throw new ApiError('in_use', 'No backup folder is set: name one with --to FOLDER.');
    process.once('SIGINT', stop).once('SIGTERM', stop);
    return await backUp(
      {
        data: folder.path,
        instanceId: settings.instance_id,
        appVersion,
        readSpace: diskSpace,
        clock: systemClock,
        write(order, run) {
          const partial = join(order.target, partialName(order.name));
          removePartial = () => rmSync(partial, { recursive: true, force: true });
          return writeBackup(order, run.onProgress);
        },
      },
      { to: target, clips: clips ?? settings.backup_clips },
      { onProgress, signal: new AbortController().signal },
    );
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    folder.close();
  }
}
