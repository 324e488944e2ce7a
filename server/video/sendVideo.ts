import { open, type FileHandle } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { ApiError } from '../http/apiError.ts';
import { errorCode } from '../store/documents/errorCode.ts';
import type { TaskFile } from '../store/telemetry/rows.ts';
import { isAmong, parseRange, rangeHolds } from './byteRange.ts';
import { sendBytes } from './sendBytes.ts';

export interface VideoToSend {
  path: string;
  file: TaskFile;
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
    const asked = asksPart ? parseRange(request.get('range'), file.size_bytes) : null;
    if (asked === 'unsatisfiable') {
      throw new ApiError('range_not_satisfiable', `The file has ${file.size_bytes} bytes.`, {
        headers: { 'Content-Range': `bytes */${file.size_bytes}` },
      });
    }
    const { start, end } = asked ?? { start: 0, end: file.size_bytes - 1 };
    response.status(asked === null ? 200 : 206);
    response.set({ 'Content-Type': file.content_type, 'Content-Length': String(end - start + 1) });
    if (asked !== null) response.set('Content-Range', `bytes ${start}-${end}/${file.size_bytes}`);
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
