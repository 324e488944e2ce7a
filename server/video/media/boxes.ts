import type { FileHandle } from 'node:fs/promises';
import { badMedia } from './mediaError.ts';

/** One top-level box of an MP4: ISO/IEC 14496-12, 4.2. */
export interface TopBox {
  type: string;
  start: number;
  /** Bytes that the box claims; more than the file has when it was cut short. */
  size: number;
}

/** Boxes that may stand first in a file of the MP4 family (`ftyp`, or older QuickTime and bare fragments). */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'sidx', 'moof']);

export function looksLikeMp4(head: Uint8Array): boolean {
  return head.length >= 8 && FIRST_BOXES.has(boxType(Buffer.from(head), 4));
}

/** Walks the top-level boxes up to the file's end or the first thing that is no box. */
export async function readTopBoxes(file: FileHandle, fileSize: number): Promise<TopBox[]> {
  const boxes: TopBox[] = [];
  const header = Buffer.alloc(16);
  let start = 0;
  while (start + 8 <= fileSize) {
    const { bytesRead } = await file.read(header, 0, 16, start);
    const type = boxType(header, 4);
    const size = boxSize(header, bytesRead, fileSize - start);
    if (!/^[\x20-\x7e©]{4}$/.test(type) || size < 8) break;
    boxes.push({ type, start, size });
    start += size;
  }
  return boxes;
}

function boxType(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}

function boxSize(header: Buffer, headerBytes: number, rest: number): number {
  const size = header.readUInt32BE(0);
  if (size === 0) return rest; // reaches to the end of the file
  if (size > 1) return size;
  return headerBytes === 16 ? Number(header.readBigUInt64BE(8)) : rest + 1;
}

/**
 * Refuses a file whose media or index is provably cut short. A fragmented file cut exactly between two
 * fragments cannot be distinguished from a shorter recording and passes.
 * @throws MediaError `bad_media`
 */
export function refuseTruncated(boxes: readonly TopBox[], fileSize: number): void {
  const cut = boxes.find(
    (box) => box.start + box.size > fileSize && ['moov', 'mdat', 'moof'].includes(box.type),
  );
  if (cut !== undefined) {
    throw badMedia(
      `truncated: the file ends after ${fileSize} bytes, its ${cut.type} box reaches to byte ${cut.start + cut.size}`,
    );
  }
  if (!boxes.some((box) => box.type === 'moov')) {
    throw badMedia(
      `no index (moov box) in its ${fileSize} bytes: truncated, or never finished by the camera`,
    );
  }
}

/** Whether the index comes before all media, once, and nothing is fragmented. */
export function isFastStart(boxes: readonly TopBox[]): boolean {
  const moov = boxes.findIndex((box) => box.type === 'moov');
  const mdat = boxes.findIndex((box) => box.type === 'mdat');
  return moov !== -1 && moov < mdat && !boxes.some((box) => box.type === 'moof');
}
