import { createHash } from 'node:crypto';
import { constants, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { chmod, copyFile, open, type FileHandle } from 'node:fs/promises';
import { Input, MP4, MPEG_TS, QTFF, CustomSource } from 'mediabunny';
import { isFastStart, looksLikeMp4, readTopBoxes, refuseTruncated, type TopBox } from './boxes.ts';
import { inspect, type Inspection } from './inspect.ts';
import { badMedia, MediaError, systemCode } from './mediaError.ts';
import { finishRaw } from './raw/finishRaw.ts';
import { findRawStream, type RawCodec } from './raw/rawStream.ts';
import { remux } from './remux.ts';
import { looksLikeMpegTs, whatItIs } from './sniff.ts';

export interface FinishOrder {
  /** The downloaded file; read only. */
  input: string;
  /** Where the finished MP4 goes; an older file there is replaced. */
  output: string;
  /** The requested period: raw streams without a frame rate are spread over it. */
  expected_s?: number;
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
/** Read at once to be hashed. */
const HASHED_BYTES = 1024 * 1024;
/** No fragment that is asked for is longer (setting video_max_s). */
const USUAL_LONGEST_S = 3_600;
/** ISO/IEC 14496-15, 8.3.3.1: what comes before the arrays of parameter sets. */
const HVCC_WITHOUT_SETS_BYTES = 23;
const OWNER_ONLY = 0o600;

/**
 * Checks a downloaded file (MP4 with its index at either end, fragmented MP4, QuickTime, MPEG-TS, raw H.264 or H.265)
 * and writes it as an MP4 with the index in front, synced to the disk. Nothing is re-encoded, and never the whole is
 * held in memory.
 *
 * A file that is so already, with true key marks and under a name that players know, is kept byte for byte: what the
 * camera delivered stays provably the same, and a rewrite can lose nothing.
 * @throws MediaError `bad_media`, or the system's own error; the output may then be there in part
 */
export async function finishVideo(
  order: FinishOrder,
  onProgress: (fraction: number) => void,
): Promise<FinishedVideo> {
  const found = await examine(order.input);
  const facts = Array.isArray(found)
    ? await finishContainer(order, found, onProgress)
    : await finishRawStream(order, found, onProgress);
  return { ...(await sizeAndHash(order.output)), ...facts };
}

type Facts = Omit<FinishedVideo, 'size_bytes' | 'sha256'>;

async function finishContainer(
  order: FinishOrder,
  boxes: readonly TopBox[],
  onProgress: (fraction: number) => void,
): Promise<Facts> {
  const input = new Input({ source: fileSource(order.input), formats: [MP4, QTFF, MPEG_TS] });
  try {
    const found = await unreadableIsBad(async () => {
      await disableSeekIndex(input);
      return await inspect(input, order.expected_s ?? USUAL_LONGEST_S);
    });
    const stays =
      isFastStart(boxes) && found.marksAreTrue && !found.hasForeignTracks && !(await isShunned(found));
    if (stays && (await input.getFormat()) === MP4) await keep(order);
    else await rewrite(found, order.output, onProgress);
    return factsOf(found);
  } finally {
    input.dispose();
  }
}

/**
 * H.265 under the name `hev1`, whose parameter sets may stand among the frames, is played by few; with the sets in the
 * index, as nearly all files have them, it may as well be called `hvc1` (ISO/IEC 14496-15, 8.4.1).
 */
async function isShunned({ video }: Inspection): Promise<boolean> {
  if ((await video.getInternalCodecId()) !== 'hev1') return false;
  const record: unknown = (await video.getDecoderConfig())?.description;
  return ArrayBuffer.isView(record) && record.byteLength > HVCC_WITHOUT_SETS_BYTES;
}

async function finishRawStream(
  { input, output, expected_s }: FinishOrder,
  codec: RawCodec,
  onProgress: (fraction: number) => void,
): Promise<Facts> {
  return await withFile(output, 'w', async (file) => {
    const facts = await unreadableIsBad(() =>
      finishRaw(input, codec, file, { expectedS: expected_s, onProgress }),
    );
    await file.sync();
    return {
      duration_s: milliseconds(facts.durationS),
      content_type: 'video/mp4',
      width: facts.widthPx,
      height: facts.heightPx,
      codec: facts.codec,
    };
  });
}

/**
 * The top-level boxes of an MP4, none for MPEG-TS; or which raw stream it is. Anything else is refused with the name of
 * what it is.
 */
async function examine(path: string): Promise<TopBox[] | RawCodec> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (looksLikeMpegTs(head)) return [];
    if (!looksLikeMp4(head)) {
      const raw = await findRawStream(file, head);
      if (raw === null) throw badMedia(`not a video: ${whatItIs(head)}`);
      return raw;
    }
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
    const message = error instanceof Error && error.message !== '' ? `: ${error.message}` : '';
    throw badMedia(`damaged: its frames cannot be read${message}`, error);
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
  onProgress: (fraction: number) => void,
): Promise<void> {
  await withFile(output, 'w', async (file) => {
    await unreadableIsBad(() => remux(found, file, onProgress));
    await file.sync();
  });
}

async function withFile<T>(path: string, flags: string, act: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, OWNER_ONLY);
  try {
    return await act(file);
  } finally {
    await file.close();
  }
}

async function sizeAndHash(path: string): Promise<{ size_bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let size_bytes = 0;
  await withFile(path, 'r', async (file) => {
    const bytes = Buffer.allocUnsafeSlow(HASHED_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, HASHED_BYTES, size_bytes);
      if (bytesRead === 0) return;
      hash.update(bytes.subarray(0, bytesRead));
      size_bytes += bytesRead;
    }
  });
  return { size_bytes, sha256: hash.digest('hex') };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function factsOf(found: Inspection): Facts {
  return {
    duration_s: milliseconds(found.endS - found.firstKey.timestamp),
    content_type: 'video/mp4',
    width: found.widthPx,
    height: found.heightPx,
    codec: found.codec.replace(/^hev1/, 'hvc1'),
  };
}

/**
 * Keeps mediabunny (1.61) from noting where it might seek to later: of an MPEG transport stream it holds a piece of the
 * frame for each 48 kB read, together a third of a long clip. Here clips are read only from start to end.
 * What it notes is nowhere in its public types; should it do so otherwise one day, nothing is changed.
 */
async function disableSeekIndex(input: Input): Promise<void> {
  await input.getTracks();
  const demuxer: unknown = '_demuxerPromise' in input ? await input._demuxerPromise : undefined;
  if (typeof demuxer === 'object' && demuxer !== null && 'minReferencePointByteDistance' in demuxer) {
    demuxer.minReferencePointByteDistance = Infinity;
  }
}

/** A picture, the sound beside it, and what mediabunny reads ahead. */
const CACHE_BYTES = 4 * 1024 * 1024;

/**
 * A mediabunny source over a file, for a thread of its own: it waits for the disk where it stands. mediabunny reads in
 * pieces of 64 kB, and its own `FilePathSource` spends more on going to and from the thread pool than on reading.
 * Disposing the `Input` closes the file.
 */
function fileSource(path: string): CustomSource {
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
