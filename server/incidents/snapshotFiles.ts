import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ApiError } from '../http/apiError.ts';
import { checkSpace } from '../maps/mapUploads.ts';
import { SNAPSHOTS } from '../store/dataFolder.ts';
import { diskFiles } from '../store/documents/Files.ts';
import { writeFileAtomically } from '../store/documents/writeFileAtomically.ts';
import type { Store } from '../store/operations.ts';
import { ActRefused, DiskFull } from '../store/storeErrors.ts';

/** The pictures that people attached to incidents. */
export type SnapshotFiles = Awaited<ReturnType<typeof openSnapshotFiles>>;

export async function openSnapshotFiles({
  folder: data,
  store,
  freeBytes,
  log,
}: {
  /** The data folder. */
  folder: string;
  store: Pick<Store, 'snapshotIds'>;
  /** What may be written to the disk beside its reserve. */
  freeBytes: () => Promise<number>;
  log: Logger;
}) {
  const folder = join(data, SNAPSHOTS);
  const path = (snapshotId: string) => join(folder, `${snapshotId}.jpg`);
  /** Those whose records are not stored yet. */
  const underWay = new Set<string>();
  await mkdir(folder, { recursive: true, mode: 0o700 });

  /**
   * Deletes the files that no incident has: of incidents that were deleted, and of snapshots whose record was not stored
   * before the host ended.
   */
  async function sweep(): Promise<void> {
    const found = (await readdir(folder)).filter((it) => /^[\w-]+\.jpg(\.tmp)?$/.test(it));
    if (found.length === 0) return;
    // In this order: what is stored meanwhile is under way now, or has its record when these are read.
    const kept = new Set(underWay);
    for (const id of await store.snapshotIds()) kept.add(id);
    const gone = found.filter((it) => !kept.has(it.split('.')[0] ?? ''));
    for (const name of gone) await diskFiles.remove(join(folder, name));
    if (gone.length > 0) log.info({ files: gone.length }, 'snapshots of no incident were deleted');
  }
  await sweep().catch((error: unknown) => log.error({ err: error }, 'old snapshots were not deleted'));

  return {
    path,
    sweep,
    /**
     * Writes a file, and then its record by `record`; a file without a record does not stay.
     *
     * @throws ApiError 507 when the disk has no space beside its reserve; {DiskFull}; what `record` throws
     */
    async add<T>(snapshotId: string, bytes: Buffer, record: () => Promise<T>): Promise<T> {
      await checkSpace(bytes.length, freeBytes);
      underWay.add(snapshotId);
      try {
        await writeFileAtomically(diskFiles, path(snapshotId), bytes, { backUp: false });
        return await record();
      } catch (error) {
        // After another failure the record may be stored: the next sweep knows.
        if (error instanceof ActRefused || error instanceof DiskFull || error instanceof ApiError)
          await diskFiles.remove(path(snapshotId));
        throw error;
      } finally {
        underWay.delete(snapshotId);
      }
    },
    remove: (snapshotId: string): Promise<void> => diskFiles.remove(path(snapshotId)),
  };
}
