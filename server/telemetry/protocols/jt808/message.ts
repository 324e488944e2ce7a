import { frameOf, unescapedStart } from './frames.ts';
import { redactedByte } from '../redact.ts';

/** What terminals say; named where this host acts on it. */
export const fromTerminal = {
  generalResponse: 0x0001,
  heartbeat: 0x0002,
  deregister: 0x0003,
  /** Since 2019. */
  askTime: 0x0004,
  register: 0x0100,
  authenticate: 0x0102,
  position: 0x0200,
  askedPosition: 0x0201,
  driver: 0x0702,
  positionBatch: 0x0704,
  mediaEvent: 0x0800,
  media: 0x0801,
} as const;

const messageNames: Readonly<Record<number, string>> = {
  [fromTerminal.generalResponse]: 'answer',
  [fromTerminal.heartbeat]: 'heartbeat',
  [fromTerminal.deregister]: 'deregistration',
  [fromTerminal.askTime]: 'question for the time',
  [fromTerminal.register]: 'registration',
  [fromTerminal.authenticate]: 'authentication',
  [fromTerminal.position]: 'position',
  [fromTerminal.askedPosition]: 'position that was asked for',
  [fromTerminal.driver]: 'driver',
  [fromTerminal.positionBatch]: 'batch of positions',
  [fromTerminal.mediaEvent]: 'picture, sound or video that was made',
  [fromTerminal.media]: 'picture, sound or video',
};

/** A message of a terminal as people look it up: "0x0002 heartbeat"; of what is not named here the number alone. */
export function messageWords(id: number): string {
  const number = `0x${id.toString(16).padStart(4, '0')}`;
  const name = messageNames[id] ?? (isAnswer(id) ? messageNames[fromTerminal.generalResponse] : undefined);
  return name === undefined ? number : `${number} ${name}`;
}

export const fromPlatform = {
  generalResponse: 0x8001,
  askParts: 0x8003,
  serverTime: 0x8004,
  registrationAnswer: 0x8100,
  askPosition: 0x8201,
  text: 0x8300,
  mediaAnswer: 0x8800,
} as const;

/**
 * Messages that answer one of the platform: parameters and attributes (0104, 0107), a position (0201), the answer to a
 * question (0302), control of the vehicle (0500), stored pictures (0802), a picture taken (0805); of JT/T 1078 media
 * properties (1003), recordings (1205) and the end of an upload (1206). They are taken also when nobody waits any more,
 * or the terminal would send them again.
 */
const answers: ReadonlySet<number> = new Set([
  0x0104, 0x0107, 0x0201, 0x0302, 0x0500, 0x0802, 0x0805, 0x1003, 0x1205, 0x1206,
]);

export function isAnswer(id: number): boolean {
  return answers.has(id);
}

export interface Header {
  id: number;
  /** Each side counts its own messages, 0 to 65535 and round again. */
  serial: number;
  /** The number of the terminal as it wrote it: the hex digits of a BCD field, 12 of them or, since 2019, 20. */
  phoneBcd: string;
  /** The version byte of the header of 2019; null: the header of 2011 and 2013. */
  version: number | null;
}

export interface Message extends Header {
  isEncrypted: boolean;
  /** Which part of a longer message this is, counted from 1; null: it is whole. */
  part: { total: number; number: number } | null;
  body: Uint8Array;
}

// The WORD of attributes, tables 2 and 3: 10 bits of length, then flags.
const lengthMask = 0x03ff;
const encryptionMask = 0x1c00;
const partFlag = 1 << 13;
const versionFlag = 1 << 14;

export const maxBody = lengthMask;

/** Until the number of the terminal; it may have letters in it. */
const headBytes = 4;

/**
 * Whether a connection that begins so is of a JT/T 808 terminal: a delimiter, the id of a message of terminals, and
 * attributes that there can be. Its first 16 bytes suffice.
 */
export function looksLikeJt808(bytes: Buffer): boolean {
  const head = unescapedStart(bytes, headBytes);
  if (head === null) return false;
  const message = head.readUInt16BE(0);
  // Bit 15 is reserved in all versions.
  return (messageNames[message] !== undefined || isAnswer(message)) && (head[2] ?? 0) < 0x80;
}

/** Null for what is no message: a check byte that does not fit, a body of another length than the header says. */
export function readMessage(frame: Uint8Array): Message | null {
  const bytes = asBuffer(frame);
  if (bytes.length < 4) return null;
  const attributes = bytes.readUInt16BE(2);
  const hasVersion = (attributes & versionFlag) !== 0;
  const isPart = (attributes & partFlag) !== 0;
  const phoneStart = hasVersion ? 5 : 4;
  const phoneEnd = phoneStart + (hasVersion ? 10 : 6);
  const bodyStart = phoneEnd + (isPart ? 6 : 2);
  const bodyEnd = bodyStart + (attributes & lengthMask);
  if (!isChecked(bytes, bodyEnd)) return null;
  const part = isPart
    ? { total: bytes.readUInt16BE(phoneEnd + 2), number: bytes.readUInt16BE(phoneEnd + 4) }
    : null;
  if (part !== null && (part.number < 1 || part.number > part.total)) return null;
  return {
    id: bytes.readUInt16BE(0),
    serial: bytes.readUInt16BE(phoneEnd),
    phoneBcd: bytes.toString('hex', phoneStart, phoneEnd),
    version: hasVersion ? bytes.readUInt8(4) : null,
    isEncrypted: (attributes & encryptionMask) !== 0,
    part,
    body: bytes.subarray(bodyStart, bodyEnd),
  };
}

/** Some terminals write a check byte of 7e as it is, so that it looks like the end of the frame and is not here. */
function isChecked(bytes: Uint8Array, bodyEnd: number): boolean {
  if (bytes.length === bodyEnd + 1) return xorOf(bytes) === 0;
  return bytes.length === bodyEnd && xorOf(bytes) === 0x7e;
}

/** A whole message as it goes over the wire. Throws `RangeError` for a body beyond `longestBody`. */
export function writeMessage(header: Header, body: Uint8Array): Uint8Array {
  const { id, serial, phoneBcd, version } = header;
  if (body.length > maxBody) throw new RangeError(`a body of ${body.length} bytes is too long`);
  const phone = Buffer.from(phoneBcd, 'hex');
  const attributes = body.length | (version === null ? 0 : versionFlag);
  const head = words(id, attributes);
  const message = Buffer.concat([
    head,
    version === null ? Buffer.alloc(0) : Buffer.of(version),
    phone,
    words(serial),
    body,
  ]);
  return frameOf(Buffer.concat([message, Buffer.of(xorOf(message))]));
}

/** The number without the zeros before it; terminals that put an IMEI there have letters in it. */
export function terminalIdOf({ phoneBcd }: Header): string {
  return phoneBcd.replace(/^0+(?=.)/, '');
}

/** Big-endian, one after the other. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

/** The same bytes, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function xorOf(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}

const delimiter = 0x7e;
const escape = 0x7d;

/**
 * Overwrites what follows the header in all authentications (0102) that stand in these bytes, cut off ones too: the
 * code, and the check byte, which would help to guess it.
 */
export function redactAuthCode(bytes: Uint8Array): boolean {
  let isRedacted = false;
  for (let from = 0; from < bytes.length;) {
    const at = bytes.indexOf(delimiter, from);
    const end = at < 0 ? bytes.length : at;
    const start = bodyStart(bytes, from, end);
    if (start < end) {
      bytes.fill(redactedByte, start, end);
      isRedacted = true;
    }
    from = end + 1;
  }
  return isRedacted;
}

/** Where the body begins of an authentication that stands, escaped, in these bytes; `end` of anything else. */
function bodyStart(bytes: Uint8Array, from: number, end: number): number {
  let attributes = 0;
  let count = 0;
  let at = from;
  // Tables 2 and 3 of 4.4.3: id, attributes, since 2019 a version, the number of the terminal, the serial.
  const headerLength = () => (count < 4 || (attributes & versionFlag) === 0 ? 12 : 17);
  while (at < end && count < headerLength()) {
    const isEscape = bytes[at] === escape && at + 1 < end;
    const byte = isEscape ? (bytes[at + 1] === 1 ? escape : delimiter) : (bytes[at] ?? 0);
    if (count === 0 && byte !== fromTerminal.authenticate >> 8) return end;
    if (count === 1 && byte !== (fromTerminal.authenticate & 0xff)) return end;
    if (count === 2 || count === 3) attributes = (attributes << 8) | byte;
    at += isEscape ? 2 : 1;
    count += 1;
  }
  return at;
}
