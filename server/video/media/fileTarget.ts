import type { FileHandle } from 'node:fs/promises';
import { WritableStream } from 'node:stream/web';
import { StreamTarget } from 'mediabunny';
import type { StreamTargetChunk } from 'mediabunny';

/** Bytes gathered before a write: large enough for few writes, small against the worker's memory. */
const GATHERED_BYTES = 1024 * 1024;

/**
 * A mediabunny target that writes into an open file. mediabunny's own `FilePathTarget` takes a short write
 * (a disk that fills up) for a whole one; here the rest is written, or the error comes out. What is written is gathered
 * in one buffer that serves again; mediabunny would take a new one for each write. The file is whole once the output is
 * finalized.
 */
export function fileTarget(file: FileHandle): StreamTarget {
  const gathered = Buffer.allocUnsafeSlow(GATHERED_BYTES);
  let start = 0;
  let length = 0;

  async function flush(): Promise<void> {
    const bytes = gathered.subarray(0, length);
    length = 0;
    await writeWhole(file, bytes, start);
  }

  async function write({ data, position }: StreamTargetChunk): Promise<void> {
    if (length > 0 && (position !== start + length || length + data.byteLength > GATHERED_BYTES))
      await flush();
    if (data.byteLength > GATHERED_BYTES) {
      await writeWhole(file, data, position);
      return;
    }
    if (length === 0) start = position;
    gathered.set(data, length);
    length += data.byteLength;
  }

  return new StreamTarget(new WritableStream<StreamTargetChunk>({ write, close: flush }));
}

async function writeWhole(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < data.byteLength) {
    const { bytesWritten } = await file.write(data, written, data.byteLength - written, position + written);
    written += bytesWritten;
  }
}
