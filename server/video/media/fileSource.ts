import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CustomSource } from 'mediabunny';

/** A picture, the sound beside it, and what mediabunny reads ahead. */
const CACHE_BYTES = 4 * 1024 * 1024;

/**
 * A mediabunny source over a file, for a thread of its own: it waits for the disk where it stands. mediabunny reads in
 * pieces of 64 kB, and its own `FilePathSource` spends more on going to and from the thread pool than on reading.
 * Disposing the `Input` closes the file.
 */
export function fileSource(path: string): CustomSource {
  const file = openSync(path, 'r');
  return new CustomSource({
    getSize: () => fstatSync(file).size,
    read: (start, end) => readWhole(file, start, end - start),
    dispose: () => closeSync(file),
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
  });
}

function readWhole(file: number, start: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, start + read);
    if (more === 0) throw new Error(`it ended after ${start + read} bytes while it was read`);
    read += more;
  }
  return bytes;
}
