import type { Message } from './message.ts';

// Long messages come in parts, each with a serial of its own, one after the other (JT/T 808-2013, 4.4.3 and table 3).

/** Bytes that parts may take up, of all connections together. */
export type ByteBudget = ReturnType<typeof createRoom>;

export function createRoom(max: number) {
  let taken = 0;
  return {
    take(bytes: number): boolean {
      if (taken + bytes > max) return false;
      taken += bytes;
      return true;
    },
    give(bytes: number): void {
      taken -= bytes;
    },
  };
}

/** A message that is whole again. */
export interface AssembledMessage {
  message: Message;
  /** Of those parts that were not answered before. */
  serials: number[];
  /** False when parts of other serials were taken for those that were asked for again. */
  isSure: boolean;
  /**
   * What becomes of it is known. Until then its parts are kept; where it was not taken in they are kept on, but for those
   * that are not sure, so that a repeat of one of them makes it whole again.
   */
  settle(isTakenIn: boolean): void;
}

export interface Added {
  /** The message, when it is whole with this part. */
  joined: AssembledMessage | null;
  /** The part was here already, and the message is not whole. */
  isRepeat: boolean;
  /** As of `Pause`, of this message. */
  receipts: () => number[];
}

export interface MissingSubpackages {
  /** The part of it that came last. */
  message: Message;
  firstSerial: number;
  numbers: number[];
}

/** What is to be done after a pause. */
export interface Pause {
  /** What is whole with the parts that came under other serials. */
  joined: AssembledMessage[];
  /**
   * Parts that can be answered before their message is whole: those from the first one on without a gap. They count as
   * answered from now on.
   */
  receipts: { message: Message; serials: number[] }[];
  /** Is to be asked for again, each message once. */
  missing: MissingSubpackages[];
}

/** Parts follow each other closely; when no more come, the terminal may be waiting for an answer. */
export const pauseMs = 2_500;
/** After such a pause the missing ones were lost on the way. */
const askAgainAfterMs = 5_000;
/** After such a pause the message is given up. */
const forgetAfterMs = 60_000;
/** A day of minute-long recordings of eight channels is a list of about 320 kB. */
const maxBytes = 2 * 1024 * 1024;
/** What a part takes up beside its body, about. */
const bytesOfPart = 128;
/** Terminals send one long message after the other. */
const maxOpen = 4;

interface Part {
  serial: number;
  body: Uint8Array;
  isAnswered: boolean;
  /** Came under another serial than it should have. */
  isStray: boolean;
}

interface Open {
  /** The part that came last; what is answered is answered as to it. */
  newest: Message;
  total: number;
  firstSerial: number;
  parts: Map<number, Part>;
  /** Parts that were missing and came under other serials: those asked for, or a new message like this one. */
  strays: Map<number, Part>;
  /** Its message is whole and what becomes of it is not known yet. */
  isOut: boolean;
  bytes: number;
  last_ms: number;
  isAskedFor: boolean;
}

/** Joins the parts of one connection. */
export function createPartJoiner(room: ByteBudget) {
  let open: Open[] = [];

  function drop(one: Open): void {
    room.give(one.bytes);
    one.bytes = 0;
    open = open.filter((it) => it !== one);
  }

  function opened(newest: Message, firstSerial: number, total: number): Open {
    const [oldest] = open;
    if (oldest !== undefined && open.length >= maxOpen) drop(oldest);
    const one: Open = {
      ...{ newest, total, firstSerial, parts: new Map<number, Part>(), strays: new Map<number, Part>() },
      ...{ isOut: false, bytes: 0, last_ms: 0, isAskedFor: false },
    };
    open.push(one);
    return one;
  }

  /** A new message that was taken for the repeat of missing parts until one came that is not missing. */
  function setApart(newest: Message, firstSerial: number, total: number, from: Open): Open {
    const one = opened(newest, firstSerial, total);
    // It may have been the oldest, and given up for this one.
    if (!open.includes(from)) return one;
    for (const [number, part] of from.strays) {
      if (firstSerialOf(part.serial, number) !== firstSerial) continue;
      from.strays.delete(number);
      one.parts.set(number, { ...part, isStray: false });
      const bytes = part.body.length + bytesOfPart;
      from.bytes -= bytes;
      one.bytes += bytes;
    }
    return one;
  }

  function dropStrays(one: Open): void {
    for (const [number, { body, isStray }] of one.parts) {
      if (!isStray) continue;
      one.parts.delete(number);
      one.bytes -= body.length + bytesOfPart;
      room.give(body.length + bytesOfPart);
    }
  }

  function joinedOf(one: Open): AssembledMessage | null {
    if (one.parts.size < one.total || one.isOut) return null;
    one.isOut = true;
    const parts = [...one.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    return {
      message: { ...one.newest, part: null, body: Buffer.concat(parts.map((it) => it.body)) },
      serials: parts.filter((it) => !it.isAnswered).map((it) => it.serial),
      isSure: parts.every((it) => !it.isStray),
      settle(isTakenIn) {
        one.isOut = false;
        // It may have been given up meanwhile.
        if (!open.includes(one)) return;
        if (isTakenIn) drop(one);
        else dropStrays(one);
      },
    };
  }

  /** The last one is never among them: it stands for the whole. */
  function receiptsOf(one: Open): number[] {
    const serials: number[] = [];
    if (one.parts.size >= one.total) return serials;
    for (let number = 1; ; number += 1) {
      const part = one.parts.get(number);
      if (part === undefined) return serials;
      if (!part.isAnswered) serials.push(part.serial);
      part.isAnswered = true;
    }
  }

  const nothing: Added = { joined: null, isRepeat: false, receipts: () => [] };

  return {
    /**
     * Takes one part. Time in ms of a clock that never goes back.
     * @param isAnswered whether the part has its answer already
     */
    add(
      message: Message,
      { total, number }: NonNullable<Message['part']>,
      isAnswered: boolean,
      now_ms: number,
    ): Added {
      const { serial, body } = message;
      const firstSerial = firstSerialOf(serial, number);
      const like = open.filter((it) => it.newest.id === message.id && it.total === total);
      const known = like.find((it) => it.firstSerial === firstSerial);
      const requested = like.find((it) => it.isAskedFor && it.parts.size < total);
      const isStray = known === undefined && requested !== undefined && !requested.parts.has(number);
      const belies =
        known === undefined && !isStray
          ? like.find((it) =>
              [...it.strays].some(([at, stray]) => firstSerialOf(stray.serial, at) === firstSerial),
            )
          : undefined;
      const one = isStray
        ? requested
        : (known ??
          (belies === undefined
            ? opened(message, firstSerial, total)
            : setApart(message, firstSerial, total, belies)));
      one.newest = message;
      one.last_ms = now_ms;
      const there = (isStray ? one.strays : one.parts).get(number);
      if (there !== undefined) {
        // Its answer was lost, or is waited for.
        there.isAnswered = isAnswered;
        const joined = joinedOf(one);
        return { joined, isRepeat: one.parts.size < total, receipts: () => receiptsOf(one) };
      }
      const bytes = body.length + bytesOfPart;
      if (one.bytes + bytes > maxBytes || !room.take(bytes)) {
        drop(one);
        return nothing;
      }
      one.bytes += bytes;
      // A copy: the bytes around it would be kept with it.
      const part = { serial, body: Uint8Array.from(body), isAnswered, isStray };
      (isStray ? one.strays : one.parts).set(number, part);
      return { joined: joinedOf(one), isRepeat: false, receipts: () => receiptsOf(one) };
    },
    /** Forgets what did not come whole in all its time. */
    pause(now_ms: number): Pause {
      for (const one of open) if (now_ms - one.last_ms >= forgetAfterMs) drop(one);
      const quiet = open.filter((it) => !it.isOut && now_ms - it.last_ms >= pauseMs);
      const joined: AssembledMessage[] = [];
      for (const one of quiet) {
        if (one.strays.size === 0) continue;
        for (const [number, part] of one.strays) one.parts.set(number, part);
        one.strays.clear();
        const whole = joinedOf(one);
        if (whole !== null) joined.push(whole);
      }
      const late = quiet.filter(
        (it) => !it.isAskedFor && it.parts.size < it.total && now_ms - it.last_ms >= askAgainAfterMs,
      );
      for (const one of late) one.isAskedFor = true;
      return {
        joined,
        receipts: quiet
          .map((it) => ({ message: it.newest, serials: receiptsOf(it) }))
          .filter(({ serials }) => serials.length > 0),
        missing: late.map(({ newest, firstSerial, total, parts }) => ({
          message: newest,
          firstSerial,
          numbers: Array.from({ length: total }, (_, at) => at + 1).filter((number) => !parts.has(number)),
        })),
      };
    },
    /** Whether something is still to come. */
    isOpen: (): boolean => open.length > 0,
    clear(): void {
      for (const one of open) drop(one);
    },
  };
}

function firstSerialOf(serial: number, number: number): number {
  return (serial - number + 1 + 0x1_0000) % 0x1_0000;
}
