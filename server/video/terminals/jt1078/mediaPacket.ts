import { terminalKey } from '../../../contract/sameKeys.ts';
import { startsAsPacket } from '../../../telemetry/protocols/jt1078/packetHead.ts';

/** One packet of a media connection: JT/T 1078-2016, table 19. */
export interface MediaPacket {
  /** The SIM number: the hex digits of its BCD field, as terminals are compared. */
  sim: string;
  channel: number;
  kind: PacketKind;
  part: PacketPart;
  /** What the payload is coded in, see `payloadTypes`. */
  payloadType: number;
  /** Counts packets, and wraps at 65536. */
  serial: number;
  /** Milliseconds from some start, by the terminal's own clock; null for transparent data. */
  time_ms: number | null;
  /** Milliseconds since the frame before, of video alone; 0 where the terminal does not say. */
  sinceFrameMs: number;
  /** Shares its memory with what came. */
  payload: Buffer;
}

export type PacketKind = (typeof kinds)[number];
const kinds = ['I', 'P', 'B', 'sound', 'transparent'] as const;
export type PacketPart = (typeof parts)[number];
const parts = ['whole', 'first', 'last', 'middle'] as const;

/** Table 12. */
export const payloadTypes = { g711a: 6, g711u: 7, aac: 19, h264: 98, h265: 99 } as const;

/** The width of the SIM number: 6 bytes by the standard; terminals of JT/T 808-2019 exist that write 10. */
export type SimWidth = 6 | 10;

/**
 * The standard's most is 950, terminals have been seen to send several times that; what claims more than this is a
 * header that lies, or none.
 */
export const maxPayloadBytes = 32 * 1024;

export type ReadPacket =
  | { is: 'packet'; packet: MediaPacket; length: number }
  /** So many bytes at least are needed to go on. */
  | { is: 'incomplete'; needed: number }
  | { is: 'none' };

const none: ReadPacket = { is: 'none' };

/** Reads the packet that begins with the first byte. `none` is what cannot become a packet however much follows. */
export function readPacket(bytes: Buffer, simWidth: SimWidth): ReadPacket {
  const shift = simWidth - 6;
  const typeAt = 15 + shift;
  if (bytes.length <= typeAt) return startsAsPacket(bytes) ? { is: 'incomplete', needed: typeAt + 1 } : none;
  if (!startsAsPacket(bytes)) return none;
  // Numbers have 16 digits at most, so a wide field begins with zeros, which distinguishes it from other content.
  if (simWidth === 10 && bytes.readUInt16BE(8) !== 0) return none;
  const type = bytes.readUInt8(typeAt);
  const kind = kinds[type >> 4];
  const part = parts[type & 0x0f];
  if (kind === undefined || part === undefined) return none;
  const isVideo = kind === 'I' || kind === 'P' || kind === 'B';
  const lengthAt = typeAt + 1 + (kind === 'transparent' ? 0 : isVideo ? 12 : 8);
  const start = lengthAt + 2;
  if (bytes.length < start) return { is: 'incomplete', needed: start };
  const length = bytes.readUInt16BE(lengthAt);
  if (length > maxPayloadBytes) return none;
  if (bytes.length < start + length) return { is: 'incomplete', needed: start + length };
  const packet: MediaPacket = {
    sim: terminalKey(bytes.toString('hex', 8, 8 + simWidth)),
    channel: bytes.readUInt8(14 + shift),
    kind,
    part,
    payloadType: bytes.readUInt8(5) & 0x7f,
    serial: bytes.readUInt16BE(6),
    time_ms: kind === 'transparent' ? null : Number(bytes.readBigUInt64BE(typeAt + 1)),
    sinceFrameMs: isVideo ? bytes.readUInt16BE(typeAt + 11) : 0,
    payload: bytes.subarray(start, start + length),
  };
  return { is: 'packet', packet, length: start + length };
}
