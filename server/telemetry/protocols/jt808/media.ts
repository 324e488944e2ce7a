import { emptyReport, type TerminalReport } from '../../terminalReport.ts';
import { fixedLength, readLocation } from './location.ts';
import { asBuffer, terminalIdOf, type Header } from './message.ts';

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
