import { readVideoTrack, type VideoTrack } from './mp4Index.ts';

/** What a clip says of itself. */
export type ClipInfo = VideoTrack;

/** A day of pictures and sound takes less. */
const LONGEST_INDEX_BYTES = 128 * 1024 * 1024;

/**
 * Reads the index of an MP4, not its pictures; null where it has none that can be read: the browser may still play
 * the file, and says so itself when it does not.
 */
export async function readClipInfo(file: Blob): Promise<ClipInfo | null> {
  for (let at = 0; at + 8 <= file.size;) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const size = head.getUint32(0);
    const isLong = size === 1 && head.byteLength === 16;
    const length = isLong ? Number(head.getBigUint64(8)) : size === 0 ? file.size - at : size;
    const inside = isLong ? 16 : 8;
    if (length < inside) return null;
    if (head.getUint32(4) === MOOV) {
      if (length > LONGEST_INDEX_BYTES) return null;
      const bytes = await file.slice(at + inside, at + length).arrayBuffer();
      try {
        return readVideoTrack(new DataView(bytes));
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    }
    at += length;
  }
  return null;
}

/** "moov" */
const MOOV = 0x6d6f6f76;

export const isH265 = (codec: string): boolean => /^(hvc1|hev1)\./.test(codec);

/**
 * Whether a browser plays a codec, by its own word. H.265 has two names for the same pictures, and no browser
 * answers to both as it plays them.
 *
 * @param canPlayType of a video element
 */
export function canPlay(codec: string, canPlayType: (type: string) => string): boolean {
  const names = [codec, codec.replace(/^hev1/, 'hvc1')];
  return names.some((it) => canPlayType(`video/mp4; codecs="${it}"`) !== '');
}
