import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { FilePathSource, Input, MP4, MPEG_TS, QTFF } from 'mediabunny';
import { isFastStart, looksLikeMp4, readTopBoxes, refuseTruncated } from './boxes.ts';
import type { TopBox } from './boxes.ts';
import { inspect } from './inspect.ts';
import type { Inspection } from './inspect.ts';
import { badMedia, MediaError, systemCode } from './mediaError.ts';
import { remux } from './remux.ts';
import { looksLikeMpegTs, whatItIs } from './sniff.ts';

export interface FinishOrder {
  /** The downloaded file; read only. */
  input: string;
  /** Where the finished MP4 goes; an older file there is replaced. */
  output: string;
}

export interface FinishedVideo {
  size_bytes: number;
  /** From the first decodable frame to the end of the last, to the millisecond. */
  duration_s: number;
  content_type: 'video/mp4';
  /** Of the picture as shown, in pixels. */
  width: number;
  height: number;
  /** Of the output, in lower-case hex. */
  sha256: string;
  /** As in a `codecs` parameter, e.g. `avc1.42E01E`. */
  codec: string;
}

const HEAD_BYTES = 512;
const OWNER_ONLY = 0o600;

/**
 * Checks a downloaded file (MP4 with its index at either end, fragmented MP4, QuickTime, MPEG-TS) and writes it
 * as an MP4 with the index in front, synced to the disk. Nothing is re-encoded, and never the whole is held in
 * memory.
 *
 * A file that is so already, with true key marks, is kept byte for byte: what the camera delivered stays
 * provably the same, and a rewrite can lose nothing.
 * @throws MediaError `bad_media`, or the system's own error; the output may then be there in part
 */
export async function finishVideo(
  order: FinishOrder,
  onProgress: (share: number) => void,
): Promise<FinishedVideo> {
  const boxes = await examine(order.input);
  const input = new Input({ source: new FilePathSource(order.input), formats: [MP4, QTFF, MPEG_TS] });
  try {
    const found = await unreadableIsBad(() => inspect(input));
    const stays = isFastStart(boxes) && found.marksAreTrue && !found.hasForeignTracks;
    if (stays && (await input.getFormat()) === MP4) await keep(order);
    else await rewrite(found, order.output, onProgress);
    return { ...(await sizeAndHash(order.output)), ...factsOf(found) };
  } finally {
    input.dispose();
  }
}

/** The top-level boxes of an MP4, none for MPEG-TS; anything else is refused with the name of what it is. */
async function examine(path: string): Promise<TopBox[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (looksLikeMpegTs(head)) return [];
    if (!looksLikeMp4(head)) throw badMedia(`not a video: ${whatItIs(head)}`);
    const boxes = await readTopBoxes(file, size);
    refuseTruncated(boxes, size);
    return boxes;
  } finally {
    await file.close();
  }
}

/** Whatever the reader stumbles over in the file's content is the file's fault; the system's errors are not. */
async function unreadableIsBad<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MediaError || systemCode(error) !== undefined) throw error;
    const said = error instanceof Error && error.message !== '' ? `: ${error.message}` : '';
    throw badMedia(`damaged: its frames cannot be read${said}`, error);
  }
}

async function keep({ input, output }: FinishOrder): Promise<void> {
  await copyFile(input, output, constants.COPYFILE_FICLONE);
  await chmod(output, OWNER_ONLY); // a copy takes over the mode, and a read-only one could not be synced
  await withFile(output, 'r+', (file) => file.sync());
}

async function rewrite(
  found: Inspection,
  output: string,
  onProgress: (share: number) => void,
): Promise<void> {
  await withFile(output, 'w', async (file) => {
    await unreadableIsBad(() => remux(found, file, onProgress));
    await file.sync();
  });
}

async function withFile(
  path: string,
  flags: string,
  act: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, OWNER_ONLY);
  try {
    await act(file);
  } finally {
    await file.close();
  }
}

async function sizeAndHash(path: string): Promise<{ size_bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const stream = createReadStream(path);
  await pipeline(stream, hash);
  return { size_bytes: stream.bytesRead, sha256: hash.digest('hex') };
}

function factsOf(found: Inspection): Omit<FinishedVideo, 'size_bytes' | 'sha256'> {
  return {
    duration_s: Math.round((found.endS - found.firstKey.timestamp) * 1000) / 1000,
    content_type: 'video/mp4',
    width: found.widthPx,
    height: found.heightPx,
    codec: found.codec,
  };
}
