import { open, type FileHandle } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { ApiError } from '../http/apiError.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { TaskFile } from '../store/telemetry/rows.ts';

export interface VideoToSend {
  path: string;
  file: Pick<TaskFile, 'size_bytes' | 'sha256' | 'content_type'>;
  /** The name under which a client keeps it. */
  downloadName: string;
  /** Called when bytes of it are about to be sent, from the first one on. */
  onRead: () => void;
}

/**
 * Answers a request for a video: whole or one range, with its SHA-256 as the strong `ETag`, straight from the disk and
 * no faster than the client takes it.
 * @throws {ApiError} 416; `file_missing` when the file is not there, or not of its length
 */
export async function sendVideo(
  request: Request,
  response: Response,
  { path, file, downloadName, onRead }: VideoToSend,
): Promise<void> {
  const handle = await openWhole(path, file.size_bytes);
  if (handle === null) throw new ApiError('file_missing', 'The file is not in the video folder.');
  try {
    const etag = `"${file.sha256}"`;
    response.set({
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': contentDisposition(downloadName),
      ETag: etag,
    });
    if (isAmong(request.get('if-none-match'), etag)) {
      response.status(304).end();
      return;
    }
    // Ranges are for GET alone (RFC 9110 section 14.2).
    const asksPart = request.method === 'GET' && rangeHolds(request.get('if-range'), etag);
    const requested = asksPart ? parseRange(request.get('range'), file.size_bytes) : null;
    if (requested === 'unsatisfiable') {
      throw new ApiError('range_not_satisfiable', `The file has ${file.size_bytes} bytes.`, {
        headers: { 'Content-Range': `bytes */${file.size_bytes}` },
      });
    }
    const { start, end } = requested ?? { start: 0, end: file.size_bytes - 1 };
    response.status(requested === null ? 200 : 206);
    response.set({ 'Content-Type': file.content_type, 'Content-Length': String(end - start + 1) });
    if (requested !== null) response.set('Content-Range', `bytes ${start}-${end}/${file.size_bytes}`);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    onRead();
    await sendBytes(handle, start, end, response);
  } finally {
    await handle.close();
  }
}

/** Null when the file is not there, or not of its length. */
export async function openWhole(path: string, size_bytes: number): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  let isWhole = false;
  try {
    isWhole = (await handle.stat()).size === size_bytes;
  } finally {
    if (!isWhole) await handle.close();
  }
  return isWhole ? handle : null;
}

/** RFC 6266: ASCII for old clients, the name itself as UTF-8. */
export function contentDisposition(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

/** Bytes from `start` to `end`, both included. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header asks of a file (RFC 9110 section 14.2): one range; `unsatisfiable`; or null for the whole file,
 * which also answers what is malformed, in other units, or asks for several ranges at once.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether an entity tag is among those of `If-None-Match`, compared weakly (RFC 9110 section 13.1.2). */
export function isAmong(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((it) => it.trim().replace(/^W\//, '') === etag);
}

/** Whether `If-Range` lets the range be sent: no such header, or the same strong tag (RFC 9110 section 13.1.5). */
export function rangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag;
}

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
