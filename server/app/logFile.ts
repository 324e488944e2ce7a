import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Days of an ordinary depot, and small enough to send. */
const largestBytes = 5 * 1024 * 1024;
/** The one that is written included. */
const fileCount = 5;
/** Of one entry: what a stack or a body of an error may make of it. */
const longestEntryBytes = 64 * 1024;
/** A day of an ordinary depot, and what can be read through before it is handed on. */
const recentBytes = 256 * 1024;

export interface LogFile {
  folder: string;
  /** Its last lines, also of earlier starts; of 256 KiB at most. */
  recent: () => string[];
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
    recent() {
      // One of which only the end is read has nothing of the file before it: lines between them would be missing.
      const before = bytes >= recentBytes || count < 2 ? '' : lastOf(`${path}.1`, recentBytes - bytes);
      return linesOf(before + lastOf(path, recentBytes));
    },
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

/** A log that is written elsewhere, of which the last lines are kept in memory. */
export function keepRecent(to: { write(text: string): unknown }): Pick<LogFile, 'recent' | 'write'> {
  let kept: string[] = [];
  let length = 0;
  return {
    recent: () => linesOf(kept.join('')),
    write(text) {
      to.write(text);
      const entry = text.length <= longestEntryBytes ? text : shortened(text);
      kept.push(entry);
      length += entry.length;
      // Half of it goes at a time, so that not every line moves all others.
      if (length <= 2 * recentBytes) return;
      let gone = 0;
      while (length > recentBytes) length -= kept[gone++]?.length ?? 0;
      kept = kept.slice(gone);
    },
  };
}

/** Whole lines, the newest of them at the end: of one that is cut nobody could say what in it is secret. */
function linesOf(text: string): string[] {
  const first = text.length > recentBytes ? text.indexOf('\n', text.length - recentBytes - 1) + 1 : 0;
  return text
    .slice(first)
    .split('\n')
    .filter((line) => line !== '');
}

/** The end of a file, without the line that is cut; nothing of one that is not there. */
function lastOf(path: string, most: number): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Math.min(most, size);
    const buffer = Buffer.alloc(bytes);
    const read = readSync(file, buffer, 0, bytes, size - bytes);
    const text = buffer.toString('utf8', 0, read);
    return size > bytes ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    closeSync(file);
  }
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
