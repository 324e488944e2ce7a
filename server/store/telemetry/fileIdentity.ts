import { statSync } from 'node:fs';
import { errorCode } from '../documents/Files.ts';

/**
 * Watches over the place of a file that is open. SQLite goes on writing into one that was deleted or replaced under its
 * hands: all of that would be gone with the process, though it was acknowledged.
 *
 * @returns what is wrong with the place now, in words; null: the file stands where it was opened. Throws the system's
 * errors, as of a disk that cannot be read.
 */
export function watchPlace(file: string): () => string | null {
  const opened = numberOf(file);
  return () => {
    const there = numberOf(file);
    if (there === opened) return null;
    return there === null
      ? 'the database file was deleted or moved while it was in use'
      : 'another file was put in the place of the database while it was in use';
  };
}

/** The device and the number of the file on it; null where there is none. */
function numberOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
