import type { FileHandle } from 'node:fs/promises';
import { badMedia } from '../mediaError.ts';
import { accessUnits } from './accessUnits.ts';
import type { Format, Picture } from './pictures.ts';
import { displayOrder } from './displayOrder.ts';
import type { Places } from './displayOrder.ts';
import type { RawCodec } from './rawStream.ts';

export interface RawScan extends Places {
  format: Format;
  /** That hold for the first key picture. */
  parameterSets: Uint8Array[];
}

/** Over two hours at 60 pictures a second: longer than any order. */
const MOST_PICTURES = 500_000;

/**
 * Reads a raw stream once and finds what it holds, and the order in which its pictures are shown.
 * @param onRead called with the number of bytes read so far
 * @throws MediaError `bad_media`
 */
export async function scanRaw(
  file: FileHandle,
  codec: RawCodec,
  onRead: (bytes: number) => void,
): Promise<RawScan> {
  const reader = codec.createReader();
  const pictures: Picture[] = [];
  let format: Format | null = null;
  let parameterSets: Uint8Array[] = [];
  for await (const { picture } of accessUnits(file, reader, onRead)) {
    if (pictures.length === MOST_PICTURES) throw badMedia(`longer than ${MOST_PICTURES} pictures`);
    if (picture.isKey && format === null) {
      format = reader.format();
      parameterSets = reader.parameterSets();
    }
    pictures.push(picture);
  }
  const trouble = reader.trouble();
  if (trouble !== null) throw badMedia(`a raw stream that cannot be put into an MP4: ${trouble}`);
  const places = displayOrder(pictures, reader.keepsOrder());
  if (places === null || format === null) {
    throw badMedia(`no key frame among its ${pictures.length} frames: nothing can be decoded`);
  }
  return { ...places, format, parameterSets };
}
