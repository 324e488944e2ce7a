import { chmodSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Somebody else, another process or another thread of this one, holds the lock. */
export class LockHeld extends Error {
  constructor(file: string) {
    super(`${file} is held by another host`);
    this.name = 'LockHeld';
  }
}

// SQLite result code 5 (https://sqlite.org/rescode.html#busy).
const SQLITE_BUSY = 5;

export type Lock = ReturnType<typeof acquireLock>;

/**
 * Takes the one lock that `file` stands for, at once or not at all. The operating system frees it when the
 * process ends, however it ends; the file itself stays, empty, and means nothing.
 *
 * POSIX drops a process's locks on a file as soon as that process closes any descriptor of it, so nothing in
 * this process may open `file` by other means (to copy it, say) while the lock is held.
 *
 * @param platform decides when the file can be removed
 * @throws {LockHeld}, or an Error that names the file when it cannot be used
 */
export function acquireLock(file: string, platform: NodeJS.Platform = process.platform) {
  const found = fileNumber(file);
  const database = open(file);
  const opened = found ?? fileNumber(file);
  try {
    // Without this a journal would lie beside the lock, and remain after a kill.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    // Another start, which was refused, may have discarded the file meanwhile: this lock would keep nobody out.
    if (fileNumber(file) !== opened) throw new LockHeld(file);
    if (platform !== 'win32') chmodSync(file, 0o600);
  } catch (error) {
    database.close();
    const held = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (error instanceof LockHeld) throw error;
    throw held ? new LockHeld(file) : unusable(file, error);
  }
  return {
    /** Frees the lock as if it had never been taken: a file that it has made is gone. */
    discard(): void {
      if (!database.isOpen) return;
      // While it is held, so that nobody else holds it. Windows removes no file that is open.
      if (found === null && platform !== 'win32') rmSync(file, { force: true });
      database.close();
      if (found === null && platform === 'win32') rmSync(file, { force: true });
    },
    /** Frees the lock; more than once does no harm. */
    release(): void {
      if (database.isOpen) database.close();
    },
  };
}

/** What the file is to the file system, whatever its name; null: there is none. */
function fileNumber(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw unusable(file, error);
  }
}

/** SQLite's own messages do not name the file. */
function unusable(file: string, error: unknown): Error {
  return new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
