import { bcdTime, readBcdTime } from '../../../telemetry/protocols/jt808/encodings.ts';

/** Bodies of the messages of JT/T 1078-2016 that ask for recordings (tables 20 to 23 and 26); big-endian throughout. */

export const messageIds = {
  recordings: 0x1205,
  playback: 0x9201,
  playbackControl: 0x9202,
  queryRecordings: 0x9205,
} as const;

/** The byte for the stream, in requests and lists alike: 0 leaves it to the terminal, or is not reported by it. */
const streamBytes = { either: 0, main: 1, sub: 2 } as const;
export type StreamChoice = keyof typeof streamBytes;

export interface Span {
  from_ms: number;
  to_ms: number;
}

export interface ListedRecording extends Span {
  channel: number;
  stream: 'main' | 'sub' | null;
  /** Whether it was recorded for an alarm. */
  alarm: boolean;
  /** Null where the terminal says 0. */
  size_bytes: number | null;
}

const anyMedia = 0;
const soundOrVideo = 3;
const anyStorage = 0;

/** 0x9205. Whole seconds, so that the span asked for is never less than the one given. @param channel 0 for all */
export function recordingsQuery(channel: number, span: Span, offsetMin: number): Uint8Array {
  return Buffer.concat([
    Buffer.of(channel),
    bcdTime(floorSecond(span.from_ms), offsetMin),
    bcdTime(ceilSecond(span.to_ms), offsetMin),
    Buffer.alloc(8), // with any alarm, or none
    Buffer.of(soundOrVideo, streamBytes.either, anyStorage),
  ]);
}

export interface PlaybackOrder extends Span {
  /** This host's media port, as the terminal can reach it: an IP address. */
  address: string;
  port: number;
  channel: number;
  stream: StreamChoice;
  offsetMin: number;
}

/** 0x9201, over TCP at normal speed. Whole seconds, as above. */
export function playbackRequest({
  address,
  port,
  channel,
  stream,
  offsetMin,
  ...span
}: PlaybackOrder): Uint8Array {
  const text = Buffer.from(address, 'latin1');
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(port, 0); // TCP; the UDP port stays 0, unused
  const normalSpeed = [0, 0];
  return Buffer.concat([
    Buffer.of(text.length),
    text,
    ports,
    Buffer.of(channel, anyMedia, streamBytes[stream], anyStorage, ...normalSpeed),
    bcdTime(floorSecond(span.from_ms), offsetMin),
    bcdTime(ceilSecond(span.to_ms), offsetMin),
  ]);
}

/** 0x9202 that ends a playback. */
export function playbackEnd(channel: number): Uint8Array {
  const end = 2;
  return Buffer.concat([Buffer.of(channel, end, 0), Buffer.alloc(6)]);
}

const listHead = 6;
const listEntry = 28;

/** Whether 0x1205 says in so many words that there is nothing. */
export function isEmptyList(body: Uint8Array): boolean {
  return body.length >= listHead && Buffer.from(body).readUInt32BE(2) === 0;
}

/**
 * 0x1205, joined of its parts: what the terminal says it has. Entries that name no time are left out, and so is what
 * the list promises and does not hold.
 */
export function readRecordings(body: Uint8Array, offsetMin: number): ListedRecording[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const stated = bytes.length < listHead ? 0 : bytes.readUInt32BE(2);
  const there = Math.floor(Math.max(0, bytes.length - listHead) / listEntry);
  const found: ListedRecording[] = [];
  for (let entry = 0; entry < Math.min(stated, there); entry++) {
    const at = listHead + entry * listEntry;
    const from_ms = readBcdTime(bytes.subarray(at + 1, at + 7), offsetMin);
    const to_ms = readBcdTime(bytes.subarray(at + 7, at + 13), offsetMin);
    if (from_ms === null || to_ms === null || to_ms <= from_ms) continue;
    const stream = bytes[at + 22];
    const size = bytes.readUInt32BE(at + 24);
    found.push({
      channel: bytes[at] ?? 0,
      from_ms,
      to_ms,
      stream: stream === streamBytes.main ? 'main' : stream === streamBytes.sub ? 'sub' : null,
      alarm: bytes.readBigUInt64BE(at + 13) !== 0n,
      size_bytes: size === 0 ? null : size,
    });
  }
  return found;
}

function floorSecond(time_ms: number): number {
  return Math.floor(time_ms / 1000) * 1000;
}

function ceilSecond(time_ms: number): number {
  return Math.ceil(time_ms / 1000) * 1000;
}
