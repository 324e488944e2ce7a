import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** What documents need of a file system. Paths are absolute; every call rejects with the system's error. */
export interface Files {
  read: (path: string) => Promise<Buffer>;
  /** A new file, readable and writable by its owner alone; `EEXIST` when the name is taken. */
  create: (path: string) => Promise<NewFile>;
  /** Puts `from` in the place of `to`, in one step. */
  rename: (from: string, to: string) => Promise<void>;
  /** A second name for the same file; `EEXIST` when the name is taken. */
  link: (from: string, to: string) => Promise<void>;
  /** A copy that has reached the disk; `EEXIST` when the name is taken. */
  copy: (from: string, to: string) => Promise<void>;
  /** Removes a file; does nothing when there is none. */
  remove: (path: string) => Promise<void>;
  /** Makes the names in a folder reach the disk. */
  syncFolder: (folder: string) => Promise<void>;
  /** Takes all rights but the owner's away; true when there were any. Does nothing when there is no file. */
  tighten: (path: string) => Promise<boolean>;
}

export interface NewFile {
  write: (content: string | Uint8Array) => Promise<void>;
  sync: () => Promise<void>;
  close: () => Promise<void>;
}

const OWNER_ONLY = 0o600;

/** The real file system, as files are on this platform. */
export const createDiskFiles = (platform: NodeJS.Platform): Files => ({
  read: (path) => fs.readFile(path),

  async create(path) {
    const file = await fs.open(path, 'wx', OWNER_ONLY);
    return {
      write: (content) => file.writeFile(content, 'utf8'),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },

  rename: platform === 'win32' ? withRetries(fs.rename) : fs.rename,
  link: fs.link,

  async copy(from, to) {
    await fs.copyFile(from, to, constants.COPYFILE_EXCL);
    // Windows flushes only what was opened for writing.
    const file = await fs.open(to, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },

  remove: (path) => fs.rm(path, { force: true }),

  async syncFolder(folder) {
    // Windows opens no folder as a file, and NTFS journals its file names.
    if (platform === 'win32') return;
    const handle = await fs.open(folder, 'r');
    try {
      await handle.sync();
    } catch (error) {
      // Some network file systems know no such call: there is nothing to be gained by failing each write.
      if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
    } finally {
      await handle.close();
    }
  },

  async tighten(path) {
    if (platform === 'win32') return false;
    try {
      const { mode } = await fs.stat(path);
      if ((mode & 0o077) === 0) return false;
      await fs.chmod(path, OWNER_ONLY);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  },
});

export const diskFiles = createDiskFiles(process.platform);

/**
 * Virus scanners and indexers on Windows hold a file open for a moment after it was written, and a rename over
 * it fails meanwhile. Eight tries with doubled pauses last 1.3 s.
 */
export function withRetries(
  rename: Files['rename'],
  wait: (ms: number) => Promise<void> = (ms) => pause(ms),
): Files['rename'] {
  return async (from, to) => {
    for (let tries = 1; ; tries++) {
      try {
        await rename(from, to);
        return;
      } catch (error) {
        const passing = ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error) ?? '');
        if (!passing || tries === 8) throw error;
        await wait(5 * 2 ** tries);
      }
    }
  };
}

/** The `code` of a system error (`ENOENT`, `ENOSPC`, ...); undefined when there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
