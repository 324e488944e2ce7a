// JT/T 808-2019, 4.4.2 (the same in 2011 and 2013): 7e, the message, 7e; inside it 7d 01 stands for 7d, 7d 02 for 7e.

const delimiter = 0x7e;
const escape = 0x7d;

/** The longest header (2019, of a part) 21 bytes, 1,023 bytes of body, the check byte; each may be escaped. */
const maxEscaped = 2 * (21 + 1_023 + 1);

/** The longest frame, with as many delimiters before it as anybody writes. */
export const maxFrame = maxEscaped + 16;

/**
 * The length of the frame that these bytes begin with, its end and all delimiters before it included; 0: not known yet.
 * What stands before the first delimiter counts as one, and so do delimiters alone. As each delimiter may end one frame
 * and begin the next, a lost one costs two frames at most.
 */
export function frameLength(bytes: Buffer): number {
  const start = startOf(bytes);
  return start === bytes.length ? start : bytes.indexOf(delimiter, start) + 1;
}

/** The message in a frame, unescaped, check byte last. Null for an escape that stands for nothing. */
export function readFrame(bytes: Buffer): Uint8Array | null {
  return unescaped(bytes.subarray(startOf(bytes), -1));
}

/** The first bytes of the message that a frame begins with; null where no frame begins, or it has fewer. */
export function unescapedStart(bytes: Buffer, length: number): Buffer | null {
  if (bytes[0] !== delimiter) return null;
  const start = startOf(bytes.subarray(0, 2 * length));
  const plain = unescaped(bytes.subarray(start, start + 2 * length));
  return plain === null || plain.length < length ? null : plain.subarray(0, length);
}

function startOf(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => byte !== delimiter);
  return start < 0 ? bytes.length : start;
}

/** Null for an escape that stands for nothing. */
function unescaped(bytes: Uint8Array): Buffer | null {
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
