import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Days of an ordinary depot, and small enough to send. */
const LARGEST_BYTES = 5 * 1024 * 1024;

export interface LogFile {
  folder: string;
  /** Writes at once, so that the last line before a crash is there. */
  write(text: string): void;
}

/**
 * The program's log, `fleetdeck.log`, and the one before it, `fleetdeck.old.log`. Throws when the folder cannot be
 * written.
 */
export function openLogFile(folder: string, largestBytes = LARGEST_BYTES): LogFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'fleetdeck.log');
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;

  function startNewFile(): void {
    closeSync(file);
    try {
      renameSync(path, join(folder, 'fleetdeck.old.log'));
    } finally {
      // When the old one could not be moved (held open by a viewer, on Windows), it grows on.
      file = openSync(path, 'a', 0o600);
      bytes = 0;
    }
  }

  return {
    folder,
    write(text) {
      try {
        if (bytes >= largestBytes) startNewFile();
        bytes += writeSync(file, text);
      } catch {
        // A full disk is shown on the screen; a server that stopped because it cannot log would report nothing.
      }
    },
  };
}
