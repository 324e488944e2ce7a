import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { diskFiles, errorCode } from '../store/documents/Files.ts';

/** In bytes; free is what this user may take. */
export interface DiskSpace {
  free: number;
  total: number;
}

const ownerOnly = 0o700;

/** The video folder. File names are plain names in it. */
export type VideoFiles = ReturnType<typeof createVideoFiles>;

/** @param readSpace measures the disk that holds a folder */
export function createVideoFiles(folder: string, readSpace: (folder: string) => Promise<DiskSpace>) {
  const path = (name: string) => join(folder, name);
  const downloadPath = (name: string) => path(`${name}.part`);
  const finishedPath = (name: string) => path(`${name}.finished.part`);
  const remove = (file: string) => rm(file, { force: true });

  return {
    path,
    /** Where the terminal's bytes go. */
    downloadPath,
    /** Where the finished video goes before it gets its name. */
    finishedPath,
    async open(): Promise<void> {
      await mkdir(folder, { recursive: true, mode: ownerOnly });
    },
    /** Gives the finished video its name; when it resolves, the name has reached the disk. */
    async publish(name: string): Promise<void> {
      await diskFiles.rename(finishedPath(name), path(name));
      await diskFiles.syncFolder(folder);
    },
    /** Removes what an attempt may have left behind. */
    async removeParts(name: string): Promise<void> {
      await remove(downloadPath(name));
      await remove(finishedPath(name));
    },
    remove: (name: string): Promise<void> => remove(path(name)),
    /** In bytes; null when there is no such file. */
    async size(name: string): Promise<number | null> {
      try {
        const found = await stat(path(name));
        return found.isFile() ? found.size : null;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    /** In lower-case hex. */
    async sha256(name: string): Promise<string> {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path(name)), hash);
      return hash.digest('hex');
    },
    /** Everything in the folder that bears a name of ours: videos and `.part` files. */
    async list(): Promise<string[]> {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((it) => it.isFile() && /\.(mp4|part)$/.test(it.name)).map((it) => it.name);
    },
    space: (): Promise<DiskSpace> => readSpace(folder),
  };
}

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
