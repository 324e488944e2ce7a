import { asBuffer, type Header, maxBody, words } from './message.ts';
import { bcdTime } from './encodings.ts';

/** What a terminal says of itself when it registers. */
interface Registration {
  maker: string;
  model: string;
  /** The maker's own, not the number that it is known by. */
  deviceId: string;
  plate: string;
}

// Widths of maker, model and device: JT/T 808-2011 table 6, 2013 table 7, 2019 table 9.
const layouts = {
  2011: [5, 8, 7],
  2013: [5, 20, 7],
  2019: [11, 30, 30],
} as const;

const gbk = new TextDecoder('gbk');

/** 0x0100. Null for a body that is too short. */
export function readRegistration(
  body: Uint8Array,
  { version }: Pick<Header, 'version'>,
): Registration | null {
  const lengthOf = ([maker, model, device]: readonly [number, number, number]) =>
    4 + maker + model + device + 1;
  const layout =
    version !== null ? layouts[2019] : body.length >= lengthOf(layouts[2013]) ? layouts[2013] : layouts[2011];
  if (body.length < lengthOf(layout)) return null;
  const [maker, model, device] = layout;
  let at = 4;
  const text = (length: number) => {
    const bytes = body.subarray(at, at + length);
    at += length;
    return gbk.decode(bytes).replaceAll('\0', '').trim();
  };
  const fields = { maker: text(maker), model: text(model), deviceId: text(device) };
  at += 1;
  return { ...fields, plate: text(body.length - at) };
}

/** 0x0001: what became of a message of the platform. Null for a body that is too short. */
export function readGeneralAnswer(body: Uint8Array): { serial: number; id: number; outcome: number } | null {
  if (body.length < 5) return null;
  const bytes = asBuffer(body);
  return { serial: bytes.readUInt16BE(0), id: bytes.readUInt16BE(2), outcome: bytes.readUInt8(4) };
}

/** The serial of the platform's message that an answer names first; null for a body that names none. */
export function answeredSerial(body: Uint8Array): number | null {
  return body.length < 2 ? null : asBuffer(body).readUInt16BE(0);
}

/** JT/T 808-2013, 8.2: what became of a message. */
export const result = { ok: 0, failed: 1, badMessage: 2, unsupported: 3 } as const;
export type Result = (typeof result)[keyof typeof result];

/** 8.6: why a registration is refused. */
const registration = { ok: 0, noSuchTerminal: 4 } as const;

/** 0x8001, and 0x0001 of terminals: what became of the message with this serial and id. */
export function generalResponseBody(serial: number, id: number, outcome: Result): Uint8Array {
  return Buffer.concat([words(serial, id), Buffer.of(outcome)]);
}

/** 0x8100. A code stands there only when the registration is taken. */
export function registrationAnswerBody(
  serial: number,
  answer: { taken: true; code: string } | { taken: false },
): Uint8Array {
  return answer.taken
    ? Buffer.concat([words(serial), Buffer.of(registration.ok), Buffer.from(answer.code, 'latin1')])
    : Buffer.concat([words(serial), Buffer.of(registration.noSuchTerminal)]);
}

/**
 * 0x8003: parts of a message that are wanted again, as many of them as it can name. The count is a BYTE in 2013
 * (table 13) and a WORD in 2019.
 */
export function resendRequestBody(
  firstSerial: number,
  numbers: readonly number[],
  { version }: Pick<Header, 'version'>,
): Uint8Array {
  const max = version === null ? 0xff : Math.floor((maxBody - 4) / 2);
  const named = numbers.slice(0, max);
  const count = version === null ? Buffer.of(named.length) : words(named.length);
  return Buffer.concat([words(firstSerial), count, words(...named)]);
}

/** Flags of a text: neither urgent (bit 0) nor read aloud (3), but shown where the driver sees it (2). 2013, table 38. */
const onTheDisplay = 1 << 2;
/** What a text is, since 2019: 1 a notice, 2 a service. */
const notice = 1;

/** 0x8300. @param text in GBK; up to 1,021 bytes of it fit */
export function textBody(text: Uint8Array, { version }: Pick<Header, 'version'>): Uint8Array {
  return Buffer.concat([Buffer.of(onTheDisplay, ...(version === null ? [] : [notice])), text]);
}

/** 0x8800, without parts that are wanted again: all of the picture, the sound or the video is here. 2013, table 82. */
export function mediaAnswerBody(mediaId: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(mediaId);
  return bytes;
}

/** 0x8004 of 2019, 8.5: the host's time, in UTC. */
export function serverTimeBody(now_ms: number): Uint8Array {
  return bcdTime(now_ms, 0);
}
