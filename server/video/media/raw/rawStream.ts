import type { FileHandle } from 'node:fs/promises';
import { badMedia } from '../mediaError.ts';
import { createH264Reader } from './h264.ts';
import { parseH264Sps } from './h264ParameterSets.ts';
import { createH265Reader } from './h265.ts';
import { parseH265Sps } from './h265ParameterSets.ts';
import { beginsWithStartCode, nalUnits } from './nalUnits.ts';
import type { PictureReader } from './pictures.ts';
import { readable } from './bits.ts';

export interface RawCodec {
  name: 'avc' | 'hevc';
  createReader: () => PictureReader;
}

const H264: RawCodec = { name: 'avc', createReader: createH264Reader };
const H265: RawCodec = { name: 'hevc', createReader: createH265Reader };

/** A camera that is joined in the middle sends its parameter sets with the next key frame: seconds, some megabytes. */
const SEARCHED_BYTES = 16 * 1024 * 1024;

/**
 * Which raw stream a file holds, by the first readable sequence parameter set in it; null for none. The two standards
 * cannot be taken for each other: the header byte of the one's set is a slice's in the other.
 * @param head the file's first bytes
 */
export async function findRawStream(file: FileHandle, head: Uint8Array): Promise<RawCodec | null> {
  if (!beginsWithStartCode(head)) return null;
  let isFirst = true;
  for await (const nal of nalUnits(file, { upTo: SEARCHED_BYTES })) {
    const [first = 0, second = 0] = nal;
    // H.264: forbidden_zero_bit 0, nal_ref_idc not 0, type 7.
    if ((first & 0x9f) === 0x07 && (first & 0x60) !== 0 && readable(() => parseH264Sps(nal)) !== null)
      return H264;
    // H.265: forbidden_zero_bit 0, type 33, layer 0, temporal id 0.
    if (first === 0x42 && second === 0x01 && readable(() => parseH265Sps(nal)) !== null) return H265;
    // MPEG program streams and older video begin with codes from 80 on, where both standards have a zero bit.
    if (isFirst && (first & 0x80) !== 0) return null;
    isFirst = false;
  }
  throw badMedia('a raw stream that names no picture size (no sequence parameter set): it cannot be decoded');
}
