import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Days of an ordinary depot, and small enough to send. */
const largestBytes = 5 * 1024 * 1024;
/** The one that is written included. */
const fileCount = 5;
/** Of one entry: what a stack or a body of an error may make of it. */
const longestEntryBytes = 64 * 1024;

export interface LogFile {
  folder: string;
  /** Writes at once, so that the last line before a crash is there. */
  write(text: string): void;
}

/**
 * A log that is bounded in all: a new file is begun at `largest_bytes`, those before it are `path.1` (the newest) and so
 * on. Throws the system's error when it cannot be written.
 */
export function openLogFile(
  path: string,
  { largest_bytes = largestBytes, count = fileCount }: { largest_bytes?: number; count?: number } = {},
): LogFile {
  const folder = dirname(resolve(path));
  mkdirSync(folder, { recursive: true });
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;

  function startNewFile(): void {
    const total = fstatSync(file).size;
    closeSync(file);
    const isMoved = moveAll(path, count);
    // What could not be moved (held open by a viewer, on Windows) grows on, up to as much as all of them may hold.
    file = openSync(path, isMoved || total < count * largest_bytes ? 'a' : 'w', 0o600);
    bytes = 0;
  }

  return {
    folder,
    write(text) {
      try {
        if (bytes >= largest_bytes) startNewFile();
        bytes += writeSync(file, text.length <= longestEntryBytes ? text : shortened(text));
      } catch {
        // A full disk is shown on the screen; a server that stopped because it cannot log would report nothing.
      }
    },
  };
}

/** Still an entry of its own: what follows begins on the next line. */
function shortened(text: string): string {
  return `${text.slice(0, longestEntryBytes)}\n`;
}

/** Makes `path` `path.1`, that `path.2` and so on; the last one goes. False when one of them cannot be moved. */
function moveAll(path: string, count: number): boolean {
  try {
    for (let age = count - 1; age > 0; age -= 1) {
      const before = age === 1 ? path : `${path}.${age - 1}`;
      if (existsSync(before)) renameSync(before, `${path}.${age}`);
    }
    return true;
  } catch {
    return false;
  }
}
