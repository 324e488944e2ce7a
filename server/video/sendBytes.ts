import type { FileHandle } from 'node:fs/promises';
import type { Response } from 'express';

/** Large enough that few reads and writes go to a request; every client that is being sent to holds one such piece. */
const PIECE_BYTES = 256 * 1024;
/** Kept for the next request: as many as are in use at once in a busy depot. */
const MOST_SPARE = 16;
const spare: Buffer[] = [];

/**
 * Sends bytes `start` to `end` of a file, both included, as the whole body of an answer, and ends it; no faster than
 * the client takes them. Resolves when all are handed to the system, or the client has disconnected.
 * @throws the system's errors of reading; an error when the file ends before
 */
export async function sendBytes(
  file: FileHandle,
  start: number,
  end: number,
  response: Response,
): Promise<void> {
  const piece = spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    for (let at = start; at <= end;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, end + 1 - at), at);
      if (bytesRead === 0) throw new Error(`the file ends before byte ${end}`);
      at += bytesRead;
      // The chunk of a client that disconnected may still be held by its socket: it is not reused.
      if (!(await taken(response, piece.subarray(0, bytesRead)))) return;
    }
  } catch (error) {
    // Its status is sent: only closing the connection early signals the error to the client.
    response.destroy();
    throw error;
  }
  if (spare.length < MOST_SPARE) spare.push(piece);
  response.end();
}

/** Whether the system has taken the bytes; false once the client has disconnected. */
function taken(response: Response, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      resolve(false);
      return;
    }
    const closed = () => resolve(false);
    response.once('close', closed);
    response.write(bytes, (error) => {
      response.removeListener('close', closed);
      resolve(error === null || error === undefined);
    });
  });
}
