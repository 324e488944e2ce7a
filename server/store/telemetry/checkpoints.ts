import { BUSY_TIMEOUT_MS } from './database.ts';
import type { Database } from './database.ts';

/**
 * 16,000 pages: 100 to 400 ms of copying into the database, by how many of them are the same page again. A third of it
 * is what 5,000 positions of 2,000 vehicles leave that send at once: few pages are the same then (measured).
 */
export const LONGEST_LOG_BYTES = 64 * 2 ** 20;
/** A page of the database and its head. */
const FRAME_BYTES = 4_096 + 24;
const IDLE_MS = 1_000;
/** Reads are short; one that is longer than this is not waited for, and the log grows a little more. */
const WAIT_FOR_READERS_MS = 200;

/**
 * RESTART reuses the log file from its start, without allocating its blocks again; TRUNCATE gives them
 * back.
 */
type Mode = 'RESTART' | 'TRUNCATE';

/**
 * Copies the write-ahead log into the database: when nothing has been written for a second, and when the log has
 * become long. SQLite would do it within some commit, which would then be late for its terminals.
 * @param report hears of a checkpoint that failed; the log is then whole, and the next one tries again
 */
export function createCheckpoints(
  db: Database,
  { maxLogBytes }: { maxLogBytes: number },
  report: (error: unknown) => void,
) {
  let idle: NodeJS.Timeout | undefined;
  let limit = maxLogBytes;
  // What a long read has made it grow beyond that is freed when the log restarts.
  db.exec(`PRAGMA journal_size_limit = ${2 * maxLogBytes}`);

  function checkpoint(mode: Mode): void {
    try {
      db.exec(`PRAGMA busy_timeout = ${WAIT_FOR_READERS_MS}`);
      const isDone = db.get<{ busy: number }>(`PRAGMA wal_checkpoint(${mode})`)?.busy === 0;
      limit = isDone ? maxLogBytes : logBytes() + maxLogBytes;
    } catch (error) {
      report(error);
      limit = logBytes() + maxLogBytes;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** NOOP only counts; a SQLite before 3.51 copies what it can by that word, and counts as well. */
  function logBytes(): number {
    try {
      return (db.get<{ log: number }>('PRAGMA wal_checkpoint(NOOP)')?.log ?? 0) * FRAME_BYTES;
    } catch (error) {
      report(error);
      return 0;
    }
  }

  return {
    /** To be called at the start, and after each commit once it has been acknowledged. */
    consider(): void {
      clearTimeout(idle);
      if (logBytes() >= limit) checkpoint('RESTART');
      idle = setTimeout(checkpoint, IDLE_MS, 'TRUNCATE').unref();
    },
    stop: (): void => clearTimeout(idle),
  };
}
