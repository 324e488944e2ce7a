import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { diskFiles, errorCode } from '../store/documents/Files.ts';

/** The video folder. File names are plain names in it. */
export interface VideoFiles {
  open(): Promise<void>;
  path(name: string): string;
  /** Where the terminal's bytes go. */
  downloadPath(name: string): string;
  /** Where the finished video goes before it gets its name. */
  finishedPath(name: string): string;
  /** Gives the finished video its name; when it resolves, the name has reached the disk. */
  publish(name: string): Promise<void>;
  /** Removes what an attempt may have left behind. */
  removeParts(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** In bytes; null when there is no such file. */
  size(name: string): Promise<number | null>;
  /** In lower-case hex. */
  sha256(name: string): Promise<string>;
  /** Everything in the folder that bears a name of ours: videos and `.part` files. */
  list(): Promise<string[]>;
  space(): Promise<DiskSpace>;
}

/** In bytes; free is what this user may take. */
export interface DiskSpace {
  free: number;
  total: number;
}

const ownerOnly = 0o700;

/** @param readSpace measures the disk that holds a folder */
export function createVideoFiles(
  folder: string,
  readSpace: (folder: string) => Promise<DiskSpace>,
): VideoFiles {
  const path = (name: string) => join(folder, name);
  const downloadPath = (name: string) => path(`${name}.part`);
  const finishedPath = (name: string) => path(`${name}.finished.part`);
  const remove = (file: string) => rm(file, { force: true });

  return {
    path,
    downloadPath,
    finishedPath,
    async open() {
      await mkdir(folder, { recursive: true, mode: ownerOnly });
    },
    async publish(name) {
      await diskFiles.rename(finishedPath(name), path(name));
      await diskFiles.syncFolder(folder);
    },
    async removeParts(name) {
      await remove(downloadPath(name));
      await remove(finishedPath(name));
    },
    remove: (name) => remove(path(name)),
    async size(name) {
      try {
        const found = await stat(path(name));
        return found.isFile() ? found.size : null;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    async sha256(name) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path(name)), hash);
      return hash.digest('hex');
    },
    async list() {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((it) => it.isFile() && /\.(mp4|part)$/.test(it.name)).map((it) => it.name);
    },
    space: () => readSpace(folder),
  };
}

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
