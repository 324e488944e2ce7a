import { createFlacEncoder, flacBlock } from './flac.ts';
import { payloadTypes } from './mediaPacket.ts';

/** One packet of the clip's audio. */
export interface SoundPiece {
  format: SoundFormat;
  data: Uint8Array;
  time_ms: number;
  duration_ms: number;
}

export interface SoundFormat {
  codec: 'flac' | 'aac';
  config: { codec: string; sampleRate: number; numberOfChannels: number; description: Uint8Array };
}

/**
 * The audio of a clip without gaps from its start on: what did not arrive is silence, so that audio and picture stay
 * together whatever a player does with gaps.
 */
export interface AudioTrack {
  /** @param clip_ms when the payload is heard */
  take(payload: Buffer, clip_ms: number): SoundPiece[];
  /** Silence up to a moment, as far as nothing came. */
  fillTo(clip_ms: number): SoundPiece[];
  /** What is left at the end. */
  end(): SoundPiece[];
}

/** Terminals send sound in bursts, and their stamps are not exact. */
const maxGapMs = 200;
const maxOverlapMs = 500;

/** Null for what browsers do not play from an MP4 and is not decoded here (G.726, ADPCM, …). */
export function createAudioTrack(payloadType: number): AudioTrack | null {
  switch (payloadType) {
    case payloadTypes.g711a:
    case payloadTypes.g711u:
      return createG711Track(payloadType);
    case payloadTypes.aac:
      return createAacTrack();
    default:
      return null;
  }
}

/**
 * HiSilicon's encoders put four bytes ahead: 00 01, half the length of what follows, 00. They are no part of the sound.
 */
export function withoutHisiliconHead(payload: Buffer): Buffer {
  const fits = payload.length > 4 && payload[0] === 0 && payload[1] === 1 && payload[3] === 0;
  return fits && payload[2] === (payload.length - 4) / 2 ? payload.subarray(4) : payload;
}

function createG711Track(payloadType: number): AudioTrack {
  const encoder = createFlacEncoder(g711Rate);
  const format: SoundFormat = {
    codec: 'flac',
    config: { codec: 'flac', sampleRate: g711Rate, numberOfChannels: 1, description: encoder.description },
  };
  const block = new Int16Array(flacBlock);
  let filled = 0;
  let encoded = 0;
  const perMs = g711Rate / 1000;
  const position_ms = () => (encoded + filled) / perMs;

  function flush(): SoundPiece {
    const piece = {
      format,
      data: encoder.encode(block.subarray(0, filled)),
      time_ms: encoded / perMs,
      duration_ms: filled / perMs,
    };
    encoded += filled;
    filled = 0;
    return piece;
  }

  function add(samples: Int16Array | number): SoundPiece[] {
    const pieces: SoundPiece[] = [];
    const length = typeof samples === 'number' ? samples : samples.length;
    for (let at = 0; at < length;) {
      const count = Math.min(length - at, flacBlock - filled);
      if (typeof samples === 'number') block.fill(0, filled, filled + count);
      else block.set(samples.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === flacBlock) pieces.push(flush());
    }
    return pieces;
  }

  const fillTo = (clip_ms: number) => add(Math.max(0, Math.round((clip_ms - position_ms()) * perMs)));
  return {
    take(payload, clip_ms) {
      const samples = decodeG711(withoutHisiliconHead(payload), payloadType);
      const gap_ms = clip_ms - position_ms();
      if (gap_ms > maxGapMs) return [...fillTo(clip_ms), ...add(samples)];
      return add(gap_ms < -maxOverlapMs ? samples.subarray(Math.round(-gap_ms * perMs)) : samples);
    },
    fillTo,
    end: () => (filled > 0 ? [flush()] : []),
  };
}

function createAacTrack(): AudioTrack {
  let aac: AacFormat | null = null;
  let format: SoundFormat | null = null;
  let written = 0;
  const frame_ms = () => (aac === null ? 0 : (aacSamples / aac.sampleRate) * 1000);
  const position_ms = () => written * frame_ms();

  function piece(kept: SoundFormat, data: Uint8Array): SoundPiece {
    const time_ms = position_ms();
    written++;
    return { format: kept, data, time_ms, duration_ms: frame_ms() };
  }

  function fillTo(clip_ms: number): SoundPiece[] {
    const silence = aac === null ? undefined : silentAac[aac.channels];
    const pieces: SoundPiece[] = [];
    if (format === null || silence === undefined) return pieces;
    while (position_ms() + frame_ms() <= clip_ms) pieces.push(piece(format, silence));
    return pieces;
  }

  return {
    take(payload, clip_ms) {
      const pieces: SoundPiece[] = [];
      for (const frame of readAdts(withoutHisiliconHead(payload))) {
        aac ??= frame.format;
        if (frame.format.sampleRate !== aac.sampleRate || frame.format.channels !== aac.channels) continue;
        format ??= {
          codec: 'aac',
          config: {
            codec: aac.codec,
            sampleRate: aac.sampleRate,
            numberOfChannels: aac.channels,
            description: aac.description,
          },
        };
        const due_ms = clip_ms + pieces.length * frame_ms();
        if (due_ms - position_ms() > maxGapMs) pieces.push(...fillTo(clip_ms));
        if (due_ms - position_ms() >= -maxOverlapMs) pieces.push(piece(format, Uint8Array.from(frame.data)));
      }
      return pieces;
    },
    fillTo,
    end: () => [],
  };
}

/** Linear samples of 16 bits of a code byte: ITU-T G.711, tables 1a and 2a, scaled up as G.191's reference does. */
const aLaw = Int16Array.from({ length: 256 }, (_, code) => {
  const value = code ^ 0x55;
  const segment = (value & 0x70) >> 4;
  const step = ((value & 0x0f) << 4) + 8;
  const size = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (value & 0x80) === 0 ? -size : size;
});

const muLaw = Int16Array.from({ length: 256 }, (_, code) => {
  const value = ~code & 0xff;
  const bias = 0x84;
  const size = ((((value & 0x0f) << 3) + bias) << ((value & 0x70) >> 4)) - bias;
  return (value & 0x80) === 0 ? size : -size;
});

/** G.711 is 8,000 samples a second, one channel. */
const g711Rate = 8_000;

export function decodeG711(payload: Uint8Array, payloadType: number): Int16Array {
  const table = payloadType === payloadTypes.g711a ? aLaw : muLaw;
  return Int16Array.from(payload, (code) => table[code] ?? 0);
}

/** AAC as terminals send it: frames with ADTS heads (ISO/IEC 14496-3, 1.A.2). */
interface AacFormat {
  /** As in a `codecs` parameter. */
  codec: string;
  sampleRate: number;
  channels: number;
  /** AudioSpecificConfig (1.6.2.1), as an MP4 wants it. */
  description: Uint8Array;
}

interface AacFrame {
  format: AacFormat;
  /** Without its head. */
  data: Uint8Array;
}

const aacSamples = 1024;

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
