import type { FileHandle } from 'node:fs/promises';
import { WritableStream } from 'node:stream/web';
import { StreamTarget } from 'mediabunny';
import type { StreamTargetChunk } from 'mediabunny';

/** Bytes gathered before a write: large enough for few writes, small against the worker's memory. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * A mediabunny target that writes into an open file. mediabunny's own `FilePathTarget` takes a short write
 * (a disk that fills up) for a whole one; here the rest is written, or the error comes out.
 */
export function fileTarget(file: FileHandle): StreamTarget {
  const writable = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => writeWhole(file, data, position),
  });
  return new StreamTarget(writable, { chunked: true, chunkSize: CHUNK_BYTES });
}

async function writeWhole(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < data.byteLength) {
    const { bytesWritten } = await file.write(data, written, data.byteLength - written, position + written);
    written += bytesWritten;
  }
}
