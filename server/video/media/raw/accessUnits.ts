import type { FileHandle } from 'node:fs/promises';
import { MOST_PICTURE_BYTES, nalUnits, tooLarge } from './nalUnits.ts';
import type { Picture, PictureReader } from './pictures.ts';

/** All NAL units that make one picture. */
export interface AccessUnit {
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
