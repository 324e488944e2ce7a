import { statSync } from 'node:fs';
import { BUSY_TIMEOUT_MS } from './database.ts';
import type { Database } from './database.ts';

/**
 * 16,000 pages: 100 to 400 ms of copying into the database, by how many of them are the same page again. A quarter of it
 * is what 2,000 vehicles leave in each commit when all of them send at once: no page would be spared then (measured).
 */
export const LONGEST_LOG_BYTES = 64 * 2 ** 20;
const IDLE_MS = 1_000;
/** Reads are short; one that is longer than this is not waited for, and the log grows a little more. */
const WAIT_FOR_READERS_MS = 200;

/**
 * Copies the write-ahead log into the database: when nothing has been written for a second, and when the log has
 * become long. SQLite would do it within some commit, which would then be late for its terminals.
 */
interface Checkpoints {
  /** To be called at the start, and after each commit once it has been acknowledged. */
  consider(): void;
  stop(): void;
}

/** @param report hears of a checkpoint that failed; the log is then whole, and the next one tries again */
export function createCheckpoints(
  db: Database,
  { file, longestLogBytes }: { file: string; longestLogBytes: number },
  report: (error: unknown) => void,
): Checkpoints {
  let idle: NodeJS.Timeout | undefined;
  let limit = longestLogBytes;

  function checkpoint(): void {
    try {
      db.exec(`PRAGMA busy_timeout = ${WAIT_FOR_READERS_MS}`);
      // TRUNCATE, so that the file's length says how long the log is.
      const isDone = db.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
      limit = isDone ? longestLogBytes : logBytes() + longestLogBytes;
    } catch (error) {
      limit = logBytes() + longestLogBytes;
      report(error);
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  function logBytes(): number {
    return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  return {
    consider() {
      clearTimeout(idle);
      if (logBytes() >= limit) checkpoint();
      else idle = setTimeout(checkpoint, IDLE_MS).unref();
    },
    stop: () => clearTimeout(idle),
  };
}
