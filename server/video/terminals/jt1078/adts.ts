/** AAC as terminals send it: frames with ADTS heads (ISO/IEC 14496-3, 1.A.2). */
export interface AacFormat {
  /** As in a `codecs` parameter. */
  codec: string;
  sampleRate: number;
  channels: number;
  /** AudioSpecificConfig (1.6.2.1), as an MP4 wants it. */
  description: Uint8Array;
}

export interface AacFrame {
  format: AacFormat;
  /** Without its head. */
  data: Uint8Array;
}

export const aacSamples = 1024;

/** Sampling frequencies by their index (table 1.18). */
const rates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const lowComplexity = 2;
const smallHead = 7;

/** The frames of a payload, of low complexity alone, as no recorder sends another; none where it holds no ADTS. */
export function readAdts(payload: Buffer): AacFrame[] {
  const frames: AacFrame[] = [];
  for (let at = 0; at + smallHead <= payload.length;) {
    const isHead = (payload.readUInt16BE(at) & 0xfff6) === 0xfff0;
    const head = payload.readUInt32BE(at + 2);
    const length = payload.readUIntBE(at + 3, 3) >> 5;
    const frameBytes = length & 0x1fff;
    const headBytes = (payload.readUInt8(at + 1) & 1) === 1 ? smallHead : smallHead + 2;
    const profile = (head >>> 30) + 1;
    const rateIndex = (head >>> 26) & 0x0f;
    const channels = (head >>> 22) & 0x07;
    const sampleRate = rates[rateIndex];
    const isSound =
      sampleRate !== undefined && profile === lowComplexity && (channels === 1 || channels === 2);
    if (!isHead || !isSound || frameBytes <= headBytes || at + frameBytes > payload.length) break;
    const description = Buffer.alloc(2);
    description.writeUInt16BE((profile << 11) | (rateIndex << 7) | (channels << 3));
    frames.push({
      format: { codec: `mp4a.40.${profile}`, sampleRate, channels, description },
      data: payload.subarray(at + headBytes, at + frameBytes),
    });
    at += frameBytes;
  }
  return frames;
}

/** A frame in which nothing is heard, for one channel and for two: a block with no spectrum coded. */
export const silentAac: Readonly<Record<number, Uint8Array>> = {
  1: Uint8Array.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]),
  2: Uint8Array.from([0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80]),
};
