import { EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny';

/** One picture as cut from an MP4: its NAL units, without lengths or start codes. */
export interface RawPicture {
  nals: Buffer[];
  isKey: boolean;
  data: Uint8Array;
}

export interface RawSource {
  parameterSets: Buffer[];
  pictures: RawPicture[];
}

/** Takes an H.264 MP4 apart. */
export async function takeApart(path: string): Promise<RawSource> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const description: unknown = (await track?.getDecoderConfig())?.description;
  if (track === null || !ArrayBuffer.isView(description)) throw new Error('not an H.264 MP4');
  const pictures: RawPicture[] = [];
  for await (const { data, type } of new EncodedPacketSink(track).packets()) {
    pictures.push({ nals: units(Buffer.from(data)), isKey: type === 'key', data: Buffer.from(data) });
  }
  input.dispose();
  const record = Buffer.from(description.buffer, description.byteOffset, description.byteLength);
  return { parameterSets: setsOf(record), pictures };
}

export function pictureAt({ pictures }: RawSource, index: number): RawPicture {
  const picture = pictures[index];
  if (picture === undefined) throw new Error(`no picture ${index}`);
  return picture;
}

/** ISO/IEC 14496-15, 5.3.3.1 */
function setsOf(record: Buffer): Buffer[] {
  const sets: Buffer[] = [];
  let at = 5;
  for (const mask of [0x1f, 0xff]) {
    const count = record.readUInt8(at++) & mask;
    for (let i = 0; i < count; i++) {
      const length = record.readUInt16BE(at);
      sets.push(record.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return sets;
}

export function units(sample: Buffer): Buffer[] {
  const nals: Buffer[] = [];
  for (let at = 0; at + 4 <= sample.length;) {
    const length = sample.readUInt32BE(at);
    nals.push(sample.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return nals;
}

const long = Buffer.from([0, 0, 0, 1]);
export const shortCode = Buffer.from([0, 0, 1]);

/** As a camera sends it: parameter sets ahead of each key picture. */
export function byteStream(
  { parameterSets }: RawSource,
  pictures: readonly RawPicture[],
  code = long,
): Buffer {
  const nals = pictures.flatMap((it) => (it.isKey ? [...parameterSets, ...it.nals] : it.nals));
  return Buffer.concat(nals.flatMap((nal, i) => [i === 0 ? long : code, nal]));
}
