/** What ends a parameter set or slice header that is cut short or lies about itself. */
export class BitsError extends Error {
  override name = 'BitsError';
}

/**
 * Longest head that is looked at: a parameter set with every scaling list spelled out is some 6 kB, and a slice's header
 * stands in its first bytes.
 */
const MOST_HEAD_BYTES = 8192;

/** Reads the fields of a NAL unit as ITU-T H.264 and H.265 write them (clause 7.2, 9.1 and 9.2 there). */
export type Bits = ReturnType<typeof readBits>;

/**
 * @param nal a NAL unit without its start code; the bytes that were put in against false start codes are taken out
 * @param headerBytes of the NAL unit header, 1 in H.264, 2 in H.265: reading begins after it
 * @throws BitsError from any read beyond the end
 */
export function readBits(nal: Uint8Array, headerBytes: number) {
  const bytes = withoutEmulation(nal.subarray(headerBytes, headerBytes + MOST_HEAD_BYTES));
  let at = 0;

  function bit(): number {
    const byte = bytes[at >> 3];
    if (byte === undefined) throw new BitsError('ends too early');
    return (byte >> (7 - (at++ & 7))) & 1;
  }

  function u(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++) value = value * 2 + bit();
    return value;
  }

  function ue(): number {
    let zeros = 0;
    while (bit() === 0) {
      if (++zeros > 32) throw new BitsError('holds a number that is too large');
    }
    return 2 ** zeros - 1 + u(zeros);
  }

  return {
    /** An unsigned number of `width` bits, 0 to 32. */
    u,
    /** An unsigned Exp-Golomb code. */
    ue,
    flag: (): boolean => bit() === 1,
    skip(width: number): void {
      at += width;
    },
    /** A signed Exp-Golomb code. */
    se(): number {
      const code = ue();
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
    },
  };
}

/** Takes out each third byte of `00 00 03` (7.4.1). */
function withoutEmulation(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    plain[length++] = byte;
  }
  return plain.subarray(0, length);
}

/** What stands damaged in a stream is passed over, as a decoder does. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BitsError) return null;
    throw error;
  }
}
