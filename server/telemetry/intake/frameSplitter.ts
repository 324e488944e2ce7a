import { ProtocolMismatch, type TcpProtocol } from './protocolHandler.ts';

export interface Cut {
  whole: Buffer[];
  /** What follows them is not a message, and nothing after it can be decoded; else null. */
  foreign: { error: ProtocolMismatch; bytes: Buffer } | null;
}

const nothing = Buffer.alloc(0);
const minRoom = 64;

/** Cuts a stream of bytes into messages, however it comes. Keeps less than one message. */
export function createFrameSplitter(protocol: Pick<TcpProtocol, 'longest' | 'frameLength'>) {
  let room = nothing;
  let length = 0;
  /** How many bytes the message that has begun is long; 0: not known yet. */
  let needed = 0;

  /** Copies: a short rest would keep the whole chunk that it came in. */
  function hold(bytes: Buffer): void {
    if (length + bytes.length > room.length) {
      const larger = Buffer.alloc(Math.max(minRoom, 2 * room.length, length + bytes.length));
      room.copy(larger, 0, 0, length);
      room = larger;
    }
    bytes.copy(room, length);
    length += bytes.length;
  }

  function withHeld(chunk: Buffer): Buffer {
    if (length === 0) return chunk;
    hold(chunk);
    return room.subarray(0, length);
  }

  function firstLength(bytes: Buffer): number | ProtocolMismatch {
    try {
      const found = protocol.frameLength(bytes);
      if (found > protocol.longest)
        return new ProtocolMismatch(`a message of ${found} bytes; it can have ${protocol.longest} at most`);
      if (found === 0 && bytes.length >= protocol.longest)
        return new ProtocolMismatch(`no end of a message in ${bytes.length} bytes`);
      return found;
    } catch (error) {
      if (error instanceof ProtocolMismatch) return error;
      throw error;
    }
  }

  return {
    /** Takes the next bytes of a stream and gives the messages that are whole with them. */
    push(chunk: Buffer): Cut {
      const whole: Buffer[] = [];
      const bytes = withHeld(chunk);
      if (bytes.length < needed) return { whole, foreign: null };
      needed = 0;
      let rest = bytes;
      while (rest.length > 0) {
        const found = firstLength(rest);
        if (found instanceof ProtocolMismatch) return { whole, foreign: { error: found, bytes: rest } };
        if (found === 0 || found > rest.length) {
          needed = found;
          break;
        }
        whole.push(rest.subarray(0, found));
        rest = rest.subarray(found);
      }
      if (whole.length > 0) {
        // The messages lie in the old room.
        room = nothing;
        length = 0;
      }
      if (rest.length > 0 && length === 0) hold(rest);
      return { whole, foreign: null };
    },
    /** Whether a message has begun that is not whole yet. */
    isInside: (): boolean => length > 0,
    /** How many bytes of it have come. */
    held: (): number => length,
  };
}
