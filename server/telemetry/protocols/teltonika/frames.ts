import { crc16 } from '../crc16.ts';

// Teltonika's protocol over TCP: wiki.teltonika-gps.com, "Codec" and "Teltonika Data Sending Protocols". All numbers are
// big-endian. A terminal says its IMEI first (length WORD, digits); then packets: four zero bytes, length DWORD, data,
// CRC DWORD. A single ff keeps the connection.

/** The maker allows packets of 1,280 bytes; with elements of any length some models send more. */
export const maxFrame = 16 * 1_024;

const ping = 0xff;
const maxImei = 20;
const packetHead = 8;
const crcLength = 4;
/** Codec, count of records, the count again. */
const minData = 3;

export type Frame =
  | { kind: 'ping' }
  | { kind: 'imei'; imei: string }
  /** From the codec up to the second count. */
  | { kind: 'packet'; data: Buffer }
  /** A packet whose CRC does not fit. */
  | { kind: 'broken' };

/** The length of the frame that these bytes begin with; 0: not known yet; null: none begins so. */
export function frameLength(bytes: Buffer): number | null {
  const first = bytes[0];
  if (first === ping) return 1;
  if (first !== 0) return null;
  if (bytes.length < 2) return 0;
  if (bytes[1] !== 0) return imeiLength(bytes);
  if (bytes.subarray(0, 4).some((byte) => byte !== 0)) return null;
  if (bytes.length < packetHead) return 0;
  const length = bytes.readUInt32BE(4);
  return length < minData ? null : packetHead + length + crcLength;
}

/** Codecs of Teltonika's documents: 8, 8 Extended, 16, and those of commands. */
const codecs: ReadonlySet<number | undefined> = new Set([0x08, 0x8e, 0x10, 0x0c, 0x0d, 0x0e, 0x0f]);
/** An IMEI has 15 digits, an IMEISV 16. */
const isImeiLength = (length: number) => length === 15 || length === 16;

/**
 * Whether a connection or datagram that begins so is of a Teltonika terminal; its first 40 bytes suffice. More than
 * `frameLength` asks for: bytes of any other protocol may begin with zeros.
 */
export function looksLikeTeltonika(bytes: Buffer): boolean {
  if (bytes.length < packetHead + 1) return false;
  const imeiAt = (at: number, length: number) => {
    const digits = bytes.subarray(at, at + length);
    return isImeiLength(length) && digits.length === length && digits.every(isDigit);
  };
  if (bytes.readUInt32BE(0) === 0) return bytes.readUInt32BE(4) >= minData && codecs.has(bytes[packetHead]);
  const length = bytes.readUInt16BE(0);
  if (imeiAt(2, length)) return true;
  const imeiLength = bytes.readUInt16BE(6);
  const isDatagram = bytes[4] === 1 && length >= fixedLength - 2 + imeiLength + minData;
  return isDatagram && imeiAt(fixedLength, imeiLength) && codecs.has(bytes[fixedLength + imeiLength]);
}

function imeiLength(bytes: Buffer): number | null {
  const length = bytes.readUInt16BE(0);
  const received = bytes.subarray(2, 2 + length);
  return length > maxImei || !received.every(isDigit) ? null : 2 + length;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** @param bytes one frame, as long as `frameLength` says */
export function readFrame(bytes: Buffer): Frame {
  if (bytes.length === 1) return { kind: 'ping' };
  if (bytes[1] !== 0) return { kind: 'imei', imei: bytes.toString('latin1', 2) };
  const data = bytes.subarray(packetHead, -crcLength);
  const crc = bytes.readUInt32BE(bytes.length - crcLength);
  return crc === crc16(data) ? { kind: 'packet', data } : { kind: 'broken' };
}

/** Puts around data what stands before and behind it in a packet. */
export function packetOf(data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(packetHead + data.length + crcLength);
  bytes.writeUInt32BE(data.length, 4);
  bytes.set(data, packetHead);
  bytes.writeUInt32BE(crc16(data), packetHead + data.length);
  return bytes;
}

export const answers = {
  welcome: Buffer.of(1),
  refusal: Buffer.of(0),
  /** How many records of a packet were taken; anything but all lets the terminal send it again. */
  taken(records: number): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(records);
    return bytes;
  },
};

// The form over UDP: length WORD, packet id WORD, 01, AVL packet id BYTE, length of the IMEI WORD, IMEI, then the data of
// a packet without a CRC. Source: wiki.teltonika-gps.com, "Codec", "Communication with server" over UDP.

interface Datagram {
  packetId: number;
  avlId: number;
  imei: string;
  /** From the codec up to the second count. */
  data: Buffer;
}

const fixedLength = 8;

/** Null for bytes that are none. */
export function readDatagram(bytes: Buffer): Datagram | null {
  if (bytes.length < fixedLength || bytes.readUInt16BE(0) !== bytes.length - 2) return null;
  const imeiLength = bytes.readUInt16BE(6);
  const dataStart = fixedLength + imeiLength;
  const imei = bytes.toString('latin1', fixedLength, dataStart);
  if (imeiLength > maxImei || imei.length < imeiLength || !/^\d+$/.test(imei)) return null;
  if (bytes.length - dataStart < minData) return null;
  return {
    packetId: bytes.readUInt16BE(2),
    avlId: bytes.readUInt8(5),
    imei,
    data: bytes.subarray(dataStart),
  };
}

/** @param records how many were taken */
export function datagramAnswer({ packetId, avlId }: Datagram, records: number): Buffer {
  const bytes = Buffer.of(0, 5, 0, 0, 1, avlId, records);
  bytes.writeUInt16BE(packetId, 2);
  return bytes;
}
