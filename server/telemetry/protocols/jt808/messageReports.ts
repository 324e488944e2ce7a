import { type TerminalReport, emptyReport } from '../../terminalReport.ts';
import { readLocationResponse, readLocation, readLocationBatch, fixedLength } from './location.ts';
import { type Message, asBuffer, terminalIdOf, type Header, fromTerminal } from './message.ts';
import type { Attributes } from '../../../contract/fields.ts';
import { readBcdTime, standardOffsetMin } from './encodings.ts';

/** What a message says that is stored. */
export interface MessageReports {
  /** Those that can be read for sure. */
  reports: TerminalReport[];
  /** How many there are by its own words, where it says so. */
  stated?: number;
  /** Whether nothing of it is lost. */
  isWhole: boolean;
  /** Of a picture, a sound or a video, which has an answer of its own. */
  mediaId?: number;
}

/** @param message whole; null: what it says is not stored, whatever it is */
export function readReports(message: Message): MessageReports | null {
  const { id, body } = message;
  switch (id) {
    case fromTerminal.position:
      return only(readLocation(body, message));
    case fromTerminal.askedPosition:
      return only(readLocationResponse(body, message));
    case fromTerminal.positionBatch:
      return readLocationBatch(body, message);
    case fromTerminal.driver:
      return only(readDriver(body, message));
    case fromTerminal.mediaEvent:
      return only(readMediaEvent(body, message));
    case fromTerminal.media: {
      const media = readMedia(body, message);
      return media === null ? only(null) : { ...only(media.report), mediaId: media.id };
    }
    default:
      return null;
  }
}

function only(report: TerminalReport | null): MessageReports {
  return { reports: report === null ? [] : [report], isWhole: report !== null };
}

// 0x0702, who drives: JT/T 808-2013 table 38, 2019 table 40; in 2011 without the card and its moment.

const cards: Readonly<Record<number, string>> = { 1: 'in', 2: 'out' };
const timeStart = 1;
const timeEnd = 7;
/** Lengths and fixed texts of the form of 2011. */
const leastOf2011 = 1 + 20 + 40 + 1;

const gbk = new TextDecoder('gbk');

/** Null for a body that is too short. What is cut off behind that is left out. */
export function readDriver(body: Uint8Array, header: Header): TerminalReport | null {
  const card = cards[body[0] ?? 0] ?? null;
  const report = { ...emptyReport, terminal_id: terminalIdOf(header) };
  // In 2011 the first byte is the length of the name, and no name is so short as the numbers of `cards`.
  if (header.version === null && card === null && body.length >= leastOf2011)
    return { ...report, attributes: said(body, fieldsOf2011) };
  if (body.length < timeEnd) return null;
  return {
    ...report,
    time_ms: readBcdTime(body.subarray(timeStart, timeEnd), standardOffsetMin),
    attributes: {
      ...(card === null ? {} : { driver_card: card }),
      ...(body.length > timeEnd ? { driver_card_result: body[timeEnd] ?? 0 } : {}),
      ...said(body.subarray(timeEnd + 1), fields),
    },
  };
}

/** A text of so many bytes, one that says its own length in a byte before it, or a day in BCD[4]. */
type Width = number | 'counted' | 'day';

const fieldsOf2011: readonly [name: string, width: Width][] = [
  ['driver_name', 'counted'],
  ['driver_id', 20],
  ['driver_licence', 40],
  ['driver_licence_issuer', 'counted'],
];

/** The last one since 2019. */
const fields: readonly [name: string, width: Width][] = [
  ['driver_name', 'counted'],
  ['driver_licence', 20],
  ['driver_licence_issuer', 'counted'],
  ['driver_licence_until', 'day'],
  ['driver_id', 20],
];

/** What stands there one after the other; what is empty is left out. */
function said(body: Uint8Array, order: readonly [name: string, width: Width][]): Attributes {
  const bytes = asBuffer(body);
  const found: Attributes = {};
  let at = 0;
  for (const [name, width] of order) {
    if (at >= bytes.length) break;
    if (width === 'counted') at += 1;
    const length = width === 'counted' ? (bytes[at - 1] ?? 0) : width === 'day' ? 4 : width;
    const value = bytes.subarray(at, at + length);
    at += length;
    const text = width === 'day' ? dayOf(value) : gbk.decode(value).replaceAll('\0', '').trim();
    if (text !== '') found[name] = text;
  }
  return found;
}

/** YYYY-MM-DD; empty for zeros and for what is cut off. */
function dayOf(bcd: Buffer): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(bcd.toString('hex')) ?? [];
  return year === undefined || year === '0000' ? '' : `${year}-${month ?? ''}-${day ?? ''}`;
}

// Pictures, sounds and videos that a terminal made: JT/T 808-2013 tables 80 and 81. They are not kept, but what is said
// of them is, and where and when that was.

const describedLength = 8;

/** What of 0x0801 is read. */
export const mediaHead = describedLength + fixedLength;

/** 0x0800: that there is one. Null for a body that is too short. */
export function readMediaEvent(body: Uint8Array, header: Header): TerminalReport | null {
  if (body.length < describedLength) return null;
  const attributes = describe(body);
  return { ...emptyReport, terminal_id: terminalIdOf(header), attributes };
}

/** 0x0801: it, after the position where it was made. Null for a body that is too short to say what it is. */
export function readMedia(body: Uint8Array, header: Header): { id: number; report: TerminalReport } | null {
  const event = readMediaEvent(body, header);
  if (event === null) return null;
  const { media_id: id } = describe(body);
  const at = readLocation(body.subarray(describedLength, mediaHead), header);
  // In 2011 there is no position: bytes of a picture hardly ever make a moment.
  if (at === null || at.time_ms === null) return { id, report: event };
  return { id, report: { ...at, attributes: { ...at.attributes, ...event.attributes } } };
}

function describe(body: Uint8Array) {
  const bytes = asBuffer(body);
  return {
    media_id: bytes.readUInt32BE(0),
    /** 0 picture, 1 sound, 2 video. */
    media_type: bytes.readUInt8(4),
    media_format: bytes.readUInt8(5),
    /** 0 the platform asked, 1 at set times, 2 robbery, 3 collision or rollover; others by the makers. */
    media_event: bytes.readUInt8(6),
    media_channel: bytes.readUInt8(7),
  };
}
