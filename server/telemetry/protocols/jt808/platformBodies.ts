import { bcdTime } from './bcdTime.ts';
import { maxBody, words, type Header } from './message.ts';

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
