import { byteStream, withParameterSets } from '../../media/raw/nalUnits.ts';
import { createH264Reader } from '../../media/raw/h264.ts';
import { createH265Reader } from '../../media/raw/h265.ts';
import type { Format, PictureReader } from '../../media/raw/pictures.ts';
import { payloadTypes } from './mediaPacket.ts';

/** One video frame of the clip, as a byte stream (annex B). */
export interface ClipPicture {
  data: Buffer;
  isKey: boolean;
}

export type PictureTrack = ReturnType<typeof follow>;

/** Parameter sets and messages ahead of a picture. */
const maxBufferedBytes = 256 * 1024;

/** Null for a codec that is none of H.264 and H.265. */
export function createPictureTrack(payloadType: number): PictureTrack | null {
  switch (payloadType) {
    case payloadTypes.h264:
      return follow('avc', createH264Reader());
    case payloadTypes.h265:
      return follow('hevc', createH265Reader());
    default:
      return null;
  }
}

/** Begins with the first picture that can be decoded on its own, and puts all parameter sets ahead of it. */
function follow(codec: 'avc' | 'hevc', reader: PictureReader) {
  let buffered: Buffer[] = [];
  let format: Format | null = null;

  /** Null for what holds no picture: sets that some terminals send by themselves; they go with the next picture. */
  function take(data: Buffer): ClipPicture | null {
    const nals = nalUnitsOf(data);
    const picture = nals.map((nal) => reader.read(nal).picture).find((it) => it !== null);
    if (picture === undefined) {
      const bytes = buffered.reduce((sum, it) => sum + it.length, data.length);
      buffered = bytes > maxBufferedBytes ? [] : [...buffered, Buffer.from(data)];
      return null;
    }
    const whole = buffered.length === 0 ? data : Buffer.concat([...buffered, data]);
    buffered = [];
    if (format !== null) return { data: whole, isKey: picture.isKey };
    format = picture.isKey ? reader.format() : null;
    return format === null
      ? null
      : { data: byteStream(withParameterSets(nalUnitsOf(whole), reader.parameterSets())), isKey: true };
  }

  return {
    codec,
    take,
    /** Of the first key picture; null before it. */
    format: () => format,
  };
}

/** What stands between start codes; the zeros that may end a unit are left out. */
export function nalUnitsOf(data: Buffer): Buffer[] {
  const marks: number[] = [];
  for (let at = data.indexOf('000001', 0, 'hex'); at >= 0; at = data.indexOf('000001', at + 3, 'hex'))
    marks.push(at);
  return marks.flatMap((mark, i) => {
    let end = marks[i + 1] ?? data.length;
    while (end > mark + 3 && data[end - 1] === 0) end--;
    return end > mark + 3 ? [data.subarray(mark + 3, end)] : [];
  });
}
