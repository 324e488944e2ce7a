import { errorCode } from '../documents/Files.ts';
import type { Failure } from './messages.ts';
import { DiskFull, StoreFailed, StoreLost, DataFolderError } from '../storeErrors.ts';

// https://sqlite.org/rescode.html; the low byte of an extended code is its primary code.
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/** The file of the shared index could not be made longer. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** A database that a newer version of the program has written. */
export class NewerVersion extends Error {
  override name = 'NewerVersion';
}

/** A step of a migration failed; the database is as it was. */
export class NotMigrated extends Error {
  override name = 'NotMigrated';
}

/** What the folder's database held is not there, or cannot be read. */
export class DatabaseLost extends Error {
  override name = 'DatabaseLost';
}

/** The file is not what SQLite has written. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

export function asFailure(error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerVersion) return { code: 'newer_version', detail };
  if (error instanceof DatabaseLost) return { code: 'lost', detail };
  if (error instanceof NotMigrated) return { code: 'not_migrated', detail };
  const isFull =
    primaryCode(error) === SQLITE_FULL ||
    sqliteCode(error) === SQLITE_IOERR_SHMSIZE ||
    errorCode(error) === 'ENOSPC' ||
    errorCode(error) === 'EDQUOT';
  return { code: isFull ? 'disk_full' : 'failed', detail };
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** What a worker has failed with, as the store's callers know it. */
export function asError({ code, detail }: Failure): DiskFull | StoreFailed | DataFolderError {
  const cause = new Error(detail);
  switch (code) {
    case 'disk_full':
      return new DiskFull('The disk that holds the data folder is full.', { cause });
    case 'failed':
      return new StoreFailed(`The telemetry store failed: ${detail}`, { cause });
    case 'lost':
      return new StoreLost(`The telemetry store is lost: ${detail}`, { cause });
    case 'newer_version':
      return new DataFolderError('newer_version', detail, cause);
    case 'not_migrated':
      return new DataFolderError(
        'unreadable',
        `${detail}. Nothing was changed: start the version that wrote the data folder, or restore a backup of it.`,
        cause,
      );
  }
}
