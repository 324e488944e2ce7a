import { open, readFile, type FileHandle } from 'node:fs/promises';
import { chunksOf, type Chunk, type Segments } from './chunks.ts';
import { parallelRequests, type RangeSource } from './rangeSource.ts';

/** How much is copied again at most after a crash: it is not yet known to be on the disk. */
const syncBytes = 8 * 1024 * 1024;
/** Between two looks at the disk. */
const bytesBetweenLooks = 32 * 1024 * 1024;

/**
 * Copies the tiles of a region to the end of its file, one after the other, from where an earlier run ended; a few
 * requests are under way at a time.
 *
 * @throws SourceError; what `checkSpace` throws; the system's errors of writing; the signal's reason
 */
export async function copyRegion(
  { head_bytes, bytes, received }: { head_bytes: number; bytes: number; received: number },
  source: Pick<RangeSource, 'read'>,
  files: { head: string; segments: string },
  {
    signal,
    checkSpace,
    onReceived,
    save,
  }: {
    signal: AbortSignal;
    checkSpace: (bytes: number) => Promise<void>;
    /** Bytes of the file that are written. */
    onReceived: (bytes: number) => void;
    /** Called when they are on the disk. */
    save: () => Promise<void>;
  },
): Promise<void> {
  const chunks = chunksOf(await readSegments(files.segments), received - head_bytes);
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const underWay: Promise<Buffer[]>[] = [];
  function request(): void {
    const next = chunks.next();
    if (next.done === true) return;
    const parts = read(next.value);
    // The first that fails ends all of them; it is awaited in its turn.
    parts.catch((error: unknown) => failed.abort(error));
    underWay.push(parts);
  }
  async function read(chunk: Chunk): Promise<Buffer[]> {
    const range = await source.read(chunk.offset, chunk.length, both);
    return chunk.parts.map(({ at, length }) => range.subarray(at, at + length));
  }

  const file = await open(files.head, 'r+');
  let now = received;
  let [synced, looked] = [received, -Infinity];
  try {
    // What lies beyond may not be whole.
    await file.truncate(received);
    for (let i = 0; i < parallelRequests; i++) request();
    for (let parts = underWay.shift(); parts !== undefined; parts = underWay.shift()) {
      if (now - looked >= bytesBetweenLooks) {
        await checkSpace(bytes - now);
        looked = now;
      }
      const buffers = await parts;
      request();
      const length = buffers.reduce((sum, it) => sum + it.length, 0);
      await writeAll(file, buffers, length, now);
      now += length;
      onReceived(now);
      if (now - synced < syncBytes) continue;
      await file.datasync();
      synced = now;
      await save();
    }
  } finally {
    failed.abort(new Error('the copy has ended'));
    await Promise.allSettled(underWay);
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
    await save();
  }
}

async function readSegments(path: string): Promise<Segments> {
  const bytes = await readFile(path);
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

async function writeAll(file: FileHandle, buffers: Buffer[], length: number, position: number) {
  const { bytesWritten } = await file.writev(buffers, position);
  // The system writes less than it was given when the disk is full.
  if (bytesWritten < length) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
}
