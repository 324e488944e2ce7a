import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Media packets of JT/T 1078 (table 19), written and cut by a reading of the standard of its own.

const folder = new URL('../../../shared/data/jt1078/', import.meta.url);
const capturePath = fileURLToPath(new URL('mdvr-2020-ch3.bin', folder));
const expectPath = fileURLToPath(new URL('mdvr-2020-ch3.expect.json', folder));
const vectorsPath = fileURLToPath(new URL('packets.jsonl', folder));

/** Whether the real stream lies beside the project. */
export const hasCapture = existsSync(capturePath);
export const hasVectors = existsSync(vectorsPath);
/** For the names of tests that are skipped without it. */
export const captureNeeded = hasCapture ? '' : ' (skipped: shared/data/jt1078 is not here)';

export interface CaptureFacts {
  packets: number;
  sim_bcd: string;
  channel: number;
  video_frames: number;
  video_i_frames: number;
  video_annexb_bytes: number;
  video_annexb_sha256: string;
  timestamp_first: number;
  timestamp_last: number;
  i_frames: { timestamp: number; bytes: number }[];
  first_frames: { timestamp: number; data_type: number; bytes: number; since_prev_ms: number }[];
}

export function captureFacts(): CaptureFacts {
  return JSON.parse(readFileSync(expectPath, 'utf8')) as CaptureFacts;
}

export interface PacketVector {
  id: string;
  input: string;
  expect: Record<string, unknown> & { kind: string };
}

/** None where they are not on this machine. */
export function packetVectors(): PacketVector[] {
  if (!hasVectors) return [];
  return readFileSync(vectorsPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PacketVector);
}

/** The bytes of a real terminal's connection: channel 3, 106 s, 931 frames. */
export function readCapture(): Buffer {
  return readFileSync(capturePath);
}

/** The packets of a stream that holds nothing else; copies. */
export function cutPackets(stream: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < stream.length;) {
    const kind = stream.readUInt8(at + 15) >> 4;
    const head = kind <= 2 ? 30 : kind === 3 ? 26 : 18;
    const length = head + stream.readUInt16BE(at + head - 2);
    packets.push(Buffer.from(stream.subarray(at, at + length)));
    at += length;
  }
  return packets;
}

/**
 * The same clip as a camera's main stream may be: as long, with the same frames at the same times, and other bytes, as
 * each key frame bears 20 kB more (a message that players pass over: H.264, 7.3.2.3).
 */
export function fullQuality(packets: readonly Buffer[]): Buffer[] {
  const more = packets.flatMap((packet) => {
    const kindAndPart = packet.readUInt8(15);
    const picture = packet.indexOf('0000000165', 30, 'hex');
    if (kindAndPart !== 0x01 || picture < 0) return [packet];
    const piece = (payload: Buffer, isFirst: boolean) => {
      const head = Buffer.from(packet.subarray(0, 30));
      head[15] = isFirst ? 0x01 : 0x03;
      head.writeUInt16BE(payload.length, 28);
      return Buffer.concat([head, payload]);
    };
    const message = Array.from({ length: Math.ceil(userMessage.length / 950) }, (_, at) =>
      piece(userMessage.subarray(at * 950, (at + 1) * 950), false),
    );
    return [piece(packet.subarray(30, picture), true), ...message, piece(packet.subarray(picture), false)];
  });
  return more.map((packet, serial) => withSerial(packet, serial));
}

/** User data of 20,400 bytes, its size given in steps of 255. */
const userMessage = Buffer.concat([
  Buffer.from('000000010605', 'hex'),
  Buffer.alloc(80, 0xff),
  Buffer.of(0),
  Buffer.alloc(80 * 255, 0x55),
  Buffer.of(0x80),
]);

export interface PacketFields {
  /** Decimal digits. */
  sim: string;
  channel?: number;
  /** 0 I, 1 P, 2 B, 3 sound, 4 transparent. */
  kind: number;
  /** 0 whole, 1 first, 2 last, 3 middle. */
  part?: number;
  payloadType?: number;
  serial?: number;
  time_ms?: number;
  sinceFrameMs?: number;
  payload: Uint8Array;
  /** Width of the SIM field; 6 unless said otherwise. */
  simBytes?: 6 | 10;
  /** What the length field says, where it lies. */
  statedLength?: number;
}

export function writePacket(fields: PacketFields): Buffer {
  const {
    channel = 1,
    kind,
    part = 0,
    payloadType = 98,
    serial = 0,
    time_ms = 0,
    simBytes = 6,
    payload,
  } = fields;
  const ends = part === 0 || part === 2;
  const head = Buffer.from([
    0x30,
    0x31,
    0x63,
    0x64,
    0x81,
    (ends ? 0x80 : 0) | payloadType,
    serial >> 8,
    serial & 0xff,
  ]);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(time_ms));
  const intervals = Buffer.alloc(4);
  intervals.writeUInt16BE(fields.sinceFrameMs ?? 0, 2);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(fields.statedLength ?? payload.length);
  return Buffer.concat([
    head,
    Buffer.from(fields.sim.padStart(simBytes * 2, '0'), 'hex'),
    Buffer.of(channel, (kind << 4) | part),
    ...(kind === 4 ? [] : [time]),
    ...(kind <= 2 ? [intervals] : []),
    length,
    payload,
  ]);
}

/** A packet with another number in it, and another channel and time where they are given. */
export function asOf(packet: Buffer, sim: string, channel?: number, shift_ms = 0): Buffer {
  const copy = Buffer.from(packet);
  copy.write(sim.padStart(12, '0').slice(-12), 8, 'hex');
  if (channel !== undefined) copy[14] = channel;
  if (shift_ms !== 0 && timeOf(copy) !== null) {
    copy.writeBigUInt64BE(copy.readBigUInt64BE(16) + BigInt(shift_ms), 16);
  }
  return copy;
}

/** Null for transparent data, which bears none. */
export function timeOf(packet: Buffer): number | null {
  return packet.readUInt8(15) >> 4 === 4 ? null : Number(packet.readBigUInt64BE(16));
}

export function serialOf(packet: Buffer): number {
  return packet.readUInt16BE(6);
}

export function withSerial(packet: Buffer, serial: number): Buffer {
  const copy = Buffer.from(packet);
  copy.writeUInt16BE(serial % 0x1_0000, 6);
  return copy;
}

export function withStatedLength(packet: Buffer, length: number): Buffer {
  const copy = Buffer.from(packet);
  copy.writeUInt16BE(length, (copy.readUInt8(15) >> 4 === 3 ? 26 : 30) - 2);
  return copy;
}
