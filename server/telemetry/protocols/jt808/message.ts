import { frameOf } from './frames.ts';

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
