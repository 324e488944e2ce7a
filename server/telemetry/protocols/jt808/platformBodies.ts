import { bcdTime } from './bcdTime.ts';
import { longestBody, words, type Header } from './message.ts';

/** JT/T 808-2013, 8.2: what became of a message. */
export const result = { ok: 0, failed: 1, badMessage: 2, unsupported: 3 } as const;
export type Result = (typeof result)[keyof typeof result];

/** 8.6: why a registration is refused. */
const registration = { ok: 0, noSuchTerminal: 4 } as const;

/** 0x8001, and 0x0001 of terminals: what became of the message with this serial and id. */
export function generalAnswerBody(serial: number, id: number, outcome: Result): Uint8Array {
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
export function askPartsBody(
  firstSerial: number,
  numbers: readonly number[],
  { version }: Pick<Header, 'version'>,
): Uint8Array {
  const most = version === null ? 0xff : Math.floor((longestBody - 4) / 2);
  const named = numbers.slice(0, most);
  const count = version === null ? Buffer.of(named.length) : words(named.length);
  return Buffer.concat([words(firstSerial), count, words(...named)]);
}

/** 0x8004 of 2019, 8.5: the host's time, in UTC. */
export function serverTimeBody(now_ms: number): Uint8Array {
  return bcdTime(now_ms, 0);
}
