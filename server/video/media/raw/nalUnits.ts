import type { FileHandle } from 'node:fs/promises';
import { badMedia } from '../mediaError.ts';
import type { Picture, PictureReader } from './pictures.ts';

const READ_BYTES = 1024 * 1024;
const START_CODE = Buffer.from([0, 0, 1]);

/**
 * No picture is larger: the coded picture buffer of H.264 level 5.2 is 30 MB (ITU-T H.264, table A-1), of H.265's main
 * tier 7.5 to 30 MB (ITU-T H.265, table A.8).
 */
const MOST_PICTURE_BYTES = 32 * 1024 * 1024;

/** Whether bytes begin as a byte stream does (ITU-T H.264 and H.265, annex B): zeros, and a start code. */
export function beginsWithStartCode(head: Uint8Array): boolean {
  const first = head.findIndex((byte) => byte !== 0);
  return first >= 2 && head[first] === 1;
}

/**
 * The NAL units of a byte stream in their order, without start codes, none empty. A unit shares its memory with the
 * piece of the file that was read: keep a copy, not the unit.
 * @param upTo bytes of the file to look at
 * @param onRead called after each read with the number of bytes read so far
 * @throws MediaError `bad_media` for a unit larger than any picture
 */
export async function* nalUnits(
  file: FileHandle,
  { upTo = Infinity, onRead = () => undefined }: { upTo?: number; onRead?: (bytes: number) => void } = {},
): AsyncGenerator<Buffer, void> {
  let buffered: Buffer = Buffer.alloc(0);
  let position = 0;
  let isInside = false;
  for (;;) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(READ_BYTES),
      0,
      Math.min(READ_BYTES, upTo - position),
      position,
    );
    if (bytesRead === 0) break;
    position += bytesRead;
    onRead(position);
    const bytes = Buffer.concat([buffered, buffer.subarray(0, bytesRead)]);
    // A start code may lie across the border of two reads.
    let search = Math.max(0, buffered.length - 2);
    let begin = 0;
    for (let code; (code = bytes.indexOf(START_CODE, search)) !== -1; search = begin) {
      if (isInside) yield* unit(bytes.subarray(begin, code));
      isInside = true;
      begin = code + START_CODE.length;
    }
    buffered = isInside ? bytes.subarray(begin) : bytes.subarray(-2);
    if (buffered.length > MOST_PICTURE_BYTES) throw tooLarge();
  }
  if (isInside) yield* unit(buffered);
}

/** Zeros at its end belong to the byte stream (annex B: trailing_zero_8bits, zero_byte). */
function* unit(bytes: Buffer): Generator<Buffer, void> {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  if (end > MOST_PICTURE_BYTES) throw tooLarge();
  if (end > 0) yield bytes.subarray(0, end);
}

function tooLarge(): Error {
  return badMedia(`damaged: one of its pictures would be larger than ${MOST_PICTURE_BYTES} bytes`);
}

const LONG_START_CODE = Buffer.from([0, 0, 0, 1]);

/** NAL units as a byte stream (ITU-T H.264 and H.265, annex B). */
export function byteStream(nals: readonly Uint8Array[]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [LONG_START_CODE, nal]));
}

/**
 * A clip's first picture carries all parameter sets: the MP4's index is made of them, and a camera may have sent them
 * long before.
 */
export function withParameterSets(nals: readonly Uint8Array[], sets: readonly Uint8Array[]): Uint8Array[] {
  const isSet = (nal: Uint8Array) => sets.some((set) => Buffer.compare(set, nal) === 0);
  return [...sets, ...nals.filter((nal) => !isSet(nal))];
}

/** All NAL units that make one picture. */
interface AccessUnit {
  nals: Uint8Array[];
  picture: Picture;
}

/** Slices in one picture are fewer: H.264 allows one for each of 36,864 macroblocks (table A-1). */
const MOST_UNITS = 40_000;

/**
 * Cuts a byte stream into its pictures, each with what stands ahead of it (ITU-T H.264, 7.4.1.2.3; H.265, 7.4.2.4.4).
 * What comes before the first picture goes with that.
 * @throws MediaError `bad_media` for a picture larger than any
 */
export async function* accessUnits(
  file: FileHandle,
  reader: PictureReader,
  onRead: (bytes: number) => void,
): AsyncGenerator<AccessUnit, void> {
  let nals: Uint8Array[] = [];
  let bytes = 0;
  let picture: Picture | null = null;
  for await (const nal of nalUnits(file, { onRead })) {
    const place = reader.read(nal);
    if (picture !== null && (place.opens || place.picture !== null)) {
      yield { nals, picture };
      nals = [];
      bytes = 0;
      picture = null;
    }
    nals.push(nal);
    bytes += nal.length;
    if (bytes > MOST_PICTURE_BYTES || nals.length > MOST_UNITS) throw tooLarge();
    picture ??= place.picture;
  }
  if (picture !== null) yield { nals, picture };
}
