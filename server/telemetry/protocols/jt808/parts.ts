import type { Message } from './message.ts';

// Long messages come in parts, each with a serial of its own, one after the other (JT/T 808-2013, 4.4.3 and table 3).

/** Bytes that parts may take up, of all connections together. */
export interface Room {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createRoom(most: number): Room {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > most) return false;
      taken += bytes;
      return true;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}

/** A message that is whole again, with the serials of all its parts. */
export interface Joined {
  message: Message;
  serials: number[];
}

export interface MissingParts {
  firstSerial: number;
  numbers: number[];
}

export interface PartJoiner {
  /** Takes one part; gives the message once it is whole. Time in ms of a clock that never goes back. */
  add(message: Message, part: NonNullable<Message['part']>, now_ms: number): Joined | null;
  /** What is to be asked for again, each message once; forgets what did not come whole in all its time. */
  overdue(now_ms: number): MissingParts[];
  /** Whether something is still to come. */
  isOpen(): boolean;
  clear(): void;
}

/** Parts follow each other closely; after such a pause the missing ones were lost on the way. */
export const askAgainAfterMs = 5_000;
/** After such a pause the message is given up. */
const forgetAfterMs = 60_000;
/** A day of minute-long recordings of eight channels is a list of about 320 kB. */
const mostBytes = 2 * 1024 * 1024;
/** What a part takes up beside its body, about. */
const bytesOfPart = 128;
/** Terminals send one long message after the other. */
const mostOpen = 4;

interface Open {
  id: number;
  total: number;
  firstSerial: number;
  parts: Map<number, { serial: number; body: Uint8Array }>;
  bytes: number;
  last_ms: number;
  isAskedFor: boolean;
}

/** Joins the parts of one connection. */
export function createPartJoiner(room: Room): PartJoiner {
  let open: Open[] = [];

  function drop(one: Open): void {
    room.give(one.bytes);
    open = open.filter((it) => it !== one);
  }

  function opened(id: number, firstSerial: number, total: number): Open {
    const [oldest] = open;
    if (oldest !== undefined && open.length >= mostOpen) drop(oldest);
    const one: Open = {
      id,
      total,
      firstSerial,
      parts: new Map(),
      bytes: 0,
      last_ms: 0,
      isAskedFor: false,
    };
    open.push(one);
    return one;
  }

  return {
    add(message, { total, number }, now_ms) {
      const { id, serial, body } = message;
      const firstSerial = (serial - number + 1 + 0x1_0000) % 0x1_0000;
      const isSame = (it: Open) => it.id === id && it.total === total;
      const one =
        open.find((it) => isSame(it) && it.firstSerial === firstSerial) ??
        // Some terminals send again what was asked for under new serials.
        open.find((it) => isSame(it) && it.isAskedFor && !it.parts.has(number)) ??
        opened(id, firstSerial, total);
      one.last_ms = now_ms;
      if (one.parts.has(number)) return null;
      const bytes = body.length + bytesOfPart;
      if (one.bytes + bytes > mostBytes || !room.take(bytes)) {
        drop(one);
        return null;
      }
      one.bytes += bytes;
      // A copy: the bytes around it would be kept with it.
      one.parts.set(number, { serial, body: Uint8Array.from(body) });
      if (one.parts.size < total) return null;
      drop(one);
      const parts = [...one.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      return {
        message: { ...message, part: null, body: Buffer.concat(parts.map((it) => it.body)) },
        serials: parts.map((it) => it.serial),
      };
    },
    overdue(now_ms) {
      for (const one of open) if (now_ms - one.last_ms >= forgetAfterMs) drop(one);
      const late = open.filter((it) => !it.isAskedFor && now_ms - it.last_ms >= askAgainAfterMs);
      return late.map((one) => {
        one.isAskedFor = true;
        const numbers = Array.from({ length: one.total }, (_, at) => at + 1);
        return {
          firstSerial: one.firstSerial,
          numbers: numbers.filter((number) => !one.parts.has(number)),
        };
      });
    },
    isOpen: () => open.length > 0,
    clear() {
      for (const one of open) drop(one);
    },
  };
}
