import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { SettingsFields } from '../contract/settings.ts';
import type { KeptFile, TaskRepository } from './taskRepository.ts';
import { TerminalError } from './terminals/terminal.ts';
import type { DiskSpace, VideoFiles } from './videoFiles.ts';

type Settings = Pick<SettingsFields, 'video_min_free_pct' | 'video_min_free_bytes' | 'video_quota_bytes'>;

export interface DiskQuotaDeps {
  files: Pick<VideoFiles, 'space'>;
  ledger: Pick<TaskRepository, 'kept' | 'tasksByFile' | 'change'>;
  settings: () => Settings;
  log: Logger;
}

/** Keeps the videos within what they may take of the disk. Old files give way to new ones, important ones never. */
export type DiskQuota = ReturnType<typeof createDiskQuota>;

export function createDiskQuota({ files, ledger, settings, log }: DiskQuotaDeps) {
  /** Two checks at once would both delete files for the same shortage. */
  const queue = new PQueue({ concurrency: 1 });

  async function evict(bytes: number, files: readonly KeptFile[]): Promise<void> {
    const names = filesToEvict(files, bytes);
    if (names.length === 0) return;
    const taskIds = names.flatMap((name) => ledger.tasksByFile(name));
    const changed = await ledger.change(taskIds, (row) =>
      row.important ? null : { happening: 'make_room' },
    );
    log.info(
      { wanted_bytes: bytes, files: names.length, expired: changed.length },
      'old videos were deleted to free disk space',
    );
  }

  return {
    /**
     * Frees disk space for a download if possible.
     * @throws {TerminalError} `disk_full` when only the disk's reserve is left even so
     */
    check: (): Promise<void> =>
      queue.add(async () => {
        const short = shortOf(await files.space(), settings());
        if (short <= 0) return;
        const kept = ledger.kept();
        if (short <= givable(kept)) await evict(short, kept);
        const space = await files.space();
        if (shortOf(space, settings()) > 0) throw noDiskQuota(space, settings());
      }),
    /** Gives up what is too much by now, but for a file that somebody has waited for and that just came. */
    tidy: (justCame?: string): Promise<void> =>
      queue.add(async () => {
        const { video_quota_bytes } = settings();
        const kept = ledger.kept();
        const all = kept.reduce((sum, it) => sum + it.size_bytes, 0);
        const tooMany = video_quota_bytes === 0 ? 0 : all - video_quota_bytes;
        const short = shortOf(await files.space(), settings());
        const others = kept.filter((it) => it.file_name !== justCame);
        await evict(Math.max(tooMany, short <= givable(others) ? short : 0), others);
      }),
  };
}

/** When something else fills the disk, giving up all videos would lose them and help nobody. */
function givable(files: readonly KeptFile[]): number {
  return files.reduce((sum, it) => sum + (it.important ? 0 : it.size_bytes), 0);
}

/** How many bytes are missing of the reserve; none when it is not positive. */
function shortOf({ free, total }: DiskSpace, settings: Settings): number {
  return reserveOf(total, settings) - free;
}

/** What videos leave free, in bytes. */
export function reserveOf(
  total: number,
  { video_min_free_pct, video_min_free_bytes }: Omit<Settings, 'video_quota_bytes'>,
): number {
  return Math.max((total * video_min_free_pct) / 100, video_min_free_bytes);
}

function noDiskQuota({ free, total }: DiskSpace, settings: Settings): TerminalError {
  const reserve = reserveOf(total, settings);
  return new TerminalError(
    'disk_full',
    `The disk of the host has ${gigabytes(free)} GB free; ${gigabytes(reserve)} GB are kept in reserve.`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}

/**
 * The files to give up so that at least `bytes` become free: oldest first, never an important one. All others together
 * may be fewer bytes than that.
 */
export function filesToEvict(files: readonly KeptFile[], bytes: number): string[] {
  const names: string[] = [];
  let freed = 0;
  for (const file of files.filter((it) => !it.important).toSorted((a, b) => a.done_ms - b.done_ms)) {
    if (freed >= bytes) break;
    names.push(file.file_name);
    freed += file.size_bytes;
  }
  return names;
}
