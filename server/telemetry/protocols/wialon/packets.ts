import { crc16 } from '../crc16.ts';
import { redactedByte } from '../redact.ts';

// Wialon IPS 1.1 and 2.0 (Gurtam): #TYPE#body CR LF, as text in UTF-8. Over UDP the sender stands before the first #.
// A picture (I) and a part of a tachograph file (T) go on after the line with as many bytes as it says.

export interface Packet {
  /** Over UDP `imei`, or `2.0;imei`; over TCP empty, the login has said it. */
  sender: string;
  type: string;
  /** Between the second # and the end of the line. */
  body: Buffer;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;

/** Of the types that there are, up to 2.1, none is longer than three letters. */
const maxType = 8;

/** Which field of the line says how many bytes follow it. */
const lengthFields: Readonly<Record<string, number>> = { I: 0, T: 1 };

/**
 * How long the packet is that these bytes begin with, the end of its line and what follows that included; it may be
 * more than is there. 0: not known yet; null: no packet begins so. An empty line counts as one.
 */
export function packetLength(bytes: Buffer): number | null {
  if (bytes[0] === carriageReturn || bytes[0] === lineFeed) return 1;
  if (!beginsLikePacket(bytes)) return null;
  const end = bytes.indexOf(lineFeed);
  if (end < 0) return 0;
  const { type, body } = readPacket(bytes.subarray(0, end)) ?? { type: '', body: bytes };
  const field = lengthFields[type];
  if (field === undefined) return end + 1;
  const stated = body.toString('latin1').split(';')[field] ?? '';
  return end + 1 + (/^\d{1,9}$/.test(stated) ? Number(stated) : 0);
}

/** The types that terminals send, by the documents of 1.1, 2.0 and 2.1; over UDP behind their number. */
const beginsAsTerminal = /^[\w.;-]{0,80}#(?:L|D|P|SD|B|M|QI|I|QT|IT|T|US|UC)#/;

/** Whether a connection or datagram that begins so is of a Wialon IPS terminal; its first 96 bytes suffice. */
export function looksLikeWialon(bytes: Buffer): boolean {
  return beginsAsTerminal.test(bytes.toString('latin1', 0, 96).replace(/^[\r\n]+/, ''));
}

function beginsLikePacket(bytes: Buffer): boolean {
  if (bytes[0] !== hash) return false;
  const second = bytes.indexOf(hash, 1);
  const type = bytes.subarray(1, second < 0 ? bytes.length : second);
  return second === 1 ? false : type.length <= maxType && type.every(isTypeByte);
}

/** A capital letter or a digit. */
function isTypeByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39);
}

/** Reads a line, with its end or without; what follows the line is left out. Null for what is no packet. */
export function readPacket(bytes: Buffer): Packet | null {
  const first = bytes.indexOf(hash);
  const second = first < 0 ? -1 : bytes.indexOf(hash, first + 1);
  if (second < 0) return null;
  const type = bytes.subarray(first + 1, second);
  if (type.length < 1 || type.length > maxType || !type.every(isTypeByte)) return null;
  const lineEnd = bytes.indexOf(lineFeed, second);
  let end = lineEnd < 0 ? bytes.length : lineEnd;
  while (end > second + 1 && bytes[end - 1] === carriageReturn) end -= 1;
  return {
    sender: bytes.toString('utf8', bytes.lastIndexOf(lineFeed, first) + 1, first),
    type: type.toString('latin1'),
    body: bytes.subarray(second + 1, end),
  };
}

/** The packets of a datagram, the last of which may lack its end; as far as there are some, and up to so many. */
export function packetsIn(bytes: Buffer, max: number): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length && packets.length < max;) {
    const packet = readPacket(bytes.subarray(at));
    if (packet === null) break;
    packets.push(packet);
    const start = bytes.indexOf(hash, at);
    const length = packetLength(bytes.subarray(start));
    if (length === null || length === 0) break;
    at = start + length;
  }
  return packets;
}

/**
 * Takes a body of 2.0 apart: the text, and behind its last `separator` a CRC over all before it, the separator
 * included. Gives the text without separator and CRC; null when the CRC does not fit or is not there. It is hex without
 * padding; some terminals put 0x before it.
 */
export function readChecked(body: Buffer, separator: ';' | '|'): string | null {
  const at = body.lastIndexOf(separator);
  const given = body.toString('latin1', at + 1).trim();
  if (!/^(0x)?[0-9a-f]{1,4}$/i.test(given)) return null;
  const checked = body.subarray(0, at + 1);
  if (Number.parseInt(given, 16) !== crc16(checked)) return null;
  return body.toString('utf8', 0, Math.max(0, at));
}

export interface Login {
  terminalId: string;
  /** Since 2.0 every packet with a body ends with a CRC. */
  isChecked: boolean;
}

/** `imei;password` or `2.0;imei;password;CRC`; no number of a terminal has a point. */
export function readLogin(body: Buffer): Login | 'bad_checksum' | null {
  const [first = '', second = ''] = body.toString('utf8').split(';');
  const isChecked = isVersion(first);
  if (isChecked && readChecked(body, ';') === null) return 'bad_checksum';
  return loginOf(isChecked ? second : first, isChecked);
}

/** What a datagram says of its sender: `imei` or `2.0;imei`. Null when it says nothing that can be a number. */
export function readSender(sender: string): Login | null {
  const [first = '', second = ''] = sender.split(';');
  const isChecked = isVersion(first);
  return loginOf(isChecked ? second : first, isChecked);
}

/** An IMEI has 15 digits, and no vehicle can have a terminal whose number is longer than 32. */
const maxNumber = 64;

function loginOf(text: string, isChecked: boolean): Login | null {
  const terminalId = text.trim();
  return terminalId === '' || terminalId.length > maxNumber ? null : { terminalId, isChecked };
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+$/.test(text);
}

/** A packet of this host: `AL`, `AD`, … */
export function answerLine(type: string, text: string | number = ''): Buffer {
  return Buffer.from(`#${type}#${text}\r\n`, 'utf8');
}

const loginStart = /#L#/gi;

/**
 * Overwrites the passwords of all logins that stand in these bytes, cut off ones too: `#L#imei;password` and
 * `#L#2.0;imei;password;CRC`, whose CRC would help to guess it.
 */
export function redactPassword(bytes: Uint8Array): boolean {
  // One letter a byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let isRedacted = false;
  for (const { index } of text.matchAll(loginStart)) {
    const [line = ''] = /^[^\r\n]*/.exec(text.slice(index)) ?? [];
    const open = /^#L#(?:\d+\.\d+;|(?!\d+\.\d+;))[^;]*;/i.exec(line)?.[0].length ?? line.length;
    if (open >= line.length) continue;
    bytes.fill(redactedByte, index + open, index + line.length);
    isRedacted = true;
  }
  return isRedacted;
}
