// JT/T 808-2019, 4.4.2 (the same in 2011 and 2013): 7e, the message, 7e; inside it 7d 01 stands for 7d, 7d 02 for 7e.

const delimiter = 0x7e;
const escape = 0x7d;

/** The longest header (2019, of a part) 21 bytes, 1,023 bytes of body, the check byte; each may be escaped. */
const longestEscaped = 2 * (21 + 1_023 + 1);

export interface FrameSplitter {
  /** Takes the next bytes of a stream and gives the messages that are whole with them, unescaped, check byte last. */
  push(chunk: Uint8Array): Uint8Array[];
  /** How many frames were too long or badly escaped so far. */
  bad(): number;
}

/**
 * Cuts a stream of bytes into frames, however it comes. What stands before the first delimiter is skipped; a bad frame
 * costs only itself. As each delimiter may end one frame and begin the next, a lost one costs two frames at most.
 */
export function createFrameSplitter(): FrameSplitter {
  const held = Buffer.alloc(longestEscaped);
  let length = 0;
  let isTooLong = false;
  let isInside = false;
  let bad = 0;

  function hold(bytes: Uint8Array): void {
    if (length + bytes.length > held.length) isTooLong = true;
    if (isTooLong) return;
    held.set(bytes, length);
    length += bytes.length;
  }

  return {
    push(chunk) {
      const frames: Uint8Array[] = [];
      for (let from = 0; from < chunk.length;) {
        const at = chunk.indexOf(delimiter, from);
        if (isInside) hold(chunk.subarray(from, at < 0 ? chunk.length : at));
        if (at < 0) break;
        if (length > 0 || isTooLong) {
          const frame = isTooLong ? null : unescaped(held.subarray(0, length));
          if (frame === null) bad += 1;
          else frames.push(frame);
        }
        isInside = true;
        isTooLong = false;
        length = 0;
        from = at + 1;
      }
      return frames;
    },
    bad: () => bad,
  };
}

/** Null for an escape that stands for nothing. */
function unescaped(bytes: Uint8Array): Uint8Array | null {
  const plain = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    // Some terminals write the check byte as it is: a 7d at the very end is one.
    if (byte === escape && at < bytes.length - 1) {
      at += 1;
      if (bytes[at] !== 1 && bytes[at] !== 2) return null;
      byte = bytes[at] === 1 ? escape : delimiter;
    }
    plain[length] = byte;
    length += 1;
  }
  return plain.subarray(0, length);
}

/** A message, its check byte included, as it goes over the wire. */
export function frameOf(message: Uint8Array): Uint8Array {
  const wire = Buffer.alloc(message.length * 2 + 2);
  let length = 0;
  const put = (byte: number) => {
    wire[length] = byte;
    length += 1;
  };
  put(delimiter);
  for (const byte of message) {
    if (byte === escape || byte === delimiter) {
      put(escape);
      put(byte === escape ? 1 : 2);
    } else put(byte);
  }
  put(delimiter);
  return wire.subarray(0, length);
}
