import { packetHead } from '../../../telemetry/protocols/jt1078/packetHead.ts';
import { readPacket, type MediaPacket, type ReadPacket, type SimWidth } from './mediaPacket.ts';

type Found = Exclude<ReadPacket, { is: 'none' }>;

/**
 * Takes the bytes of one media connection as they come, and gives its packets.
 * What is no packet is passed over up to the next head. A packet whose payload holds a head is taken for one with a
 * lying length unless the next packet follows it directly. Holds one packet at most.
 */
export function createPacketSplitter() {
  let held: Buffer = Buffer.alloc(0);
  let garbage = 0;
  let width: SimWidth | null = null;
  let cut = false;

  /** Whether the next packet begins where this one ends; null when that is not here yet. */
  function isFollowed(bytes: Buffer, length: number): boolean | null {
    const next = bytes.subarray(length, length + packetHead.length);
    if (packetHead.compare(next, 0, next.length, 0, next.length) !== 0) return false;
    return next.length < packetHead.length ? null : true;
  }

  /** Of both widths that the SIM number may have, the one by which a next packet follows; settled from then on. */
  function read(bytes: Buffer, isLast: boolean): ReadPacket {
    if (width !== null) return readPacket(bytes, width);
    const candidates = ([6, 10] as const).map((it) => ({ width: it, found: readPacket(bytes, it) }));
    for (const { width: tried, found } of candidates) {
      if (found.is === 'packet' && isFollowed(bytes, found.length) === true) {
        width = tried;
        return found;
      }
    }
    const possible = candidates.flatMap(({ found }) => (found.is === 'none' ? [] : [found]));
    return isLast || possible.length === 1 ? firstOf(possible) : waitFor(possible, bytes);
  }

  function take(isLast: boolean): MediaPacket[] {
    const packets: MediaPacket[] = [];
    let at = 0;
    for (;;) {
      const rest = held.subarray(at);
      if (rest.length === 0) break;
      const found = read(rest, isLast);
      cut ||= found.is === 'incomplete' && isLast;
      if (found.is === 'incomplete' && !isLast) break;
      const lied = found.is === 'packet' ? innerHead(rest, found, isLast) : null;
      if (lied === 'wait') break;
      if (found.is === 'packet' && lied === null) {
        packets.push(found.packet);
        at += found.length;
        continue;
      }
      const skipped = lied ?? nextHead(rest, isLast);
      garbage += skipped;
      at += skipped;
    }
    held = held.subarray(at);
    return packets;
  }

  /** Where in a packet the true next one begins, null when the packet is sound. */
  function innerHead(
    bytes: Buffer,
    { packet, length }: Extract<Found, { is: 'packet' }>,
    isLast: boolean,
  ): number | 'wait' | null {
    const inside = packet.payload.indexOf(packetHead);
    if (inside < 0) return null;
    const followed = isFollowed(bytes, length);
    if (followed === null && !isLast) return 'wait';
    return followed === false ? length - packet.payload.length + inside : null;
  }

  return {
    /** The packets that are whole now; they share their memory with the bytes. */
    push(bytes: Buffer): MediaPacket[] {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const packets = take(false);
      // A slice of a few bytes would keep all that came with it.
      held = Buffer.from(held);
      return packets;
    },
    /** The connection is over: what was held back to see what follows it. */
    end: (): MediaPacket[] => take(true),
    /** Bytes so far that belong to no packet. */
    garbage: (): number => garbage,
    /** Whether the end came in the middle of a packet. */
    wasCut: (): boolean => cut,
  };
}

function firstOf(possible: readonly Found[]): ReadPacket {
  return possible.find((it) => it.is === 'packet') ?? possible[0] ?? { is: 'none' };
}

/** Two readings are possible: the bytes after a complete packet decide. */
function waitFor(possible: readonly Found[], bytes: Buffer): ReadPacket {
  const open = possible.some((it) => it.is === 'incomplete' || bytes.length < it.length + packetHead.length);
  return open ? { is: 'incomplete', needed: bytes.length + 1 } : firstOf(possible);
}

/**
 * Where the next head may begin, after the first byte; a head cut short at the end is kept, unless nothing more comes.
 */
function nextHead(bytes: Buffer, isLast: boolean): number {
  const next = bytes.indexOf(packetHead, 1);
  if (next >= 0) return next;
  if (isLast) return bytes.length;
  for (let kept = Math.min(packetHead.length - 1, bytes.length - 1); kept > 0; kept--) {
    if (packetHead.compare(bytes, bytes.length - kept, bytes.length, 0, kept) === 0)
      return bytes.length - kept;
  }
  return bytes.length;
}
