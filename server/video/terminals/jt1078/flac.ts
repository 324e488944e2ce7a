/**
 * A lossless encoder of one channel of 16 bits (RFC 9639): fixed predictors and Rice codes. It is there because browsers
 * play FLAC from an MP4 and G.711 or plain PCM they do not.
 */
export interface FlacEncoder {
  /** What a decoder needs ahead of the first frame: the stream marker and its STREAMINFO block (section 8.2). */
  readonly description: Uint8Array;
  /** One frame of `flacBlock` samples; the last of all may be shorter. */
  encode(samples: Int16Array): Uint8Array;
}

export const flacBlock = 1024;

const sampleBits = 16;
const maxOrder = 4;
const partitionOrder = 3;
/** 15 in four bits is the escape to plain numbers (section 9.2.7.1). */
const maxRice = 14;

export function createFlacEncoder(sampleRate: number): FlacEncoder {
  let number = 0;
  return {
    description: streamInfo(sampleRate),
    encode: (samples) => encodeFrame(samples, number++),
  };
}

function streamInfo(sampleRate: number): Uint8Array {
  const info = Buffer.alloc(42);
  info.write('fLaC', 'latin1');
  info.writeUInt32BE(0x80000022, 4); // the last metadata block, STREAMINFO, 34 bytes
  info.writeUInt16BE(flacBlock, 8);
  info.writeUInt16BE(flacBlock, 10);
  // Sizes of frames, the count of samples and their MD5 stay 0, unknown: it is written as it comes.
  info.writeUInt32BE(sampleRate * 2 ** 12 + ((sampleBits - 1) << 4), 18);
  return info;
}

function encodeFrame(samples: Int16Array, number: number): Uint8Array {
  const bits = createBitWriter(samples.length * 2 + 64);
  const isFull = samples.length === flacBlock;
  bits.put(0xfff8, 16); // sync code, blocks of one size
  bits.put(isFull ? 0b1010 : 0b0111, 4); // 256 x 2^2, or spelled out below
  bits.put(0b0000, 4); // the rate of STREAMINFO
  bits.put(0b0000_100_0, 8); // one channel, 16 bits
  for (const byte of codedNumber(number)) bits.put(byte, 8);
  if (!isFull) bits.put(samples.length - 1, 16);
  bits.put(crc8(bits.bytes()), 8);
  writeSubframe(samples, bits);
  bits.align();
  const body = bits.bytes();
  bits.put(crc16(body), 16);
  return Uint8Array.from(bits.bytes());
}

type BitWriter = ReturnType<typeof createBitWriter>;

/** Section 9.2: a constant, or the fixed predictor whose residual is smallest; bits that are 0 throughout are left out. */
function writeSubframe(samples: Int16Array, bits: BitWriter): void {
  const all = samples.reduce((seen, it) => seen | it, 0);
  if (samples.every((it) => it === samples[0])) {
    bits.put(0, 8);
    bits.put(samples[0] ?? 0, sampleBits);
    return;
  }
  const wasted = 31 - Math.clz32(all & -all);
  const values = Int32Array.from(samples, (it) => it >> wasted);
  const { order, residual } = bestPrediction(values);
  bits.put(0b001_000 | order, 7);
  bits.put(wasted === 0 ? 0 : 1, 1);
  if (wasted > 0) bits.put(1, wasted); // wasted - 1 zeros and a one
  for (const value of values.subarray(0, order)) bits.put(value, sampleBits - wasted);
  writeResidual(residual, order, values.length, bits);
}

/** Section 9.2.5: the differences of the differences, up to four times. */
function bestPrediction(values: Int32Array): { order: number; residual: Int32Array } {
  let best = { order: 0, residual: values };
  let min = sumOf(values);
  let residual = values;
  for (let order = 1; order <= Math.min(maxOrder, values.length - 1); order++) {
    const before = residual;
    residual = Int32Array.from(
      { length: before.length - 1 },
      (_, i) => (before[i + 1] ?? 0) - (before[i] ?? 0),
    );
    const sum = sumOf(residual);
    if (sum < min) {
      min = sum;
      best = { order, residual };
    }
  }
  return best;
}

function sumOf(values: Int32Array): number {
  return values.reduce((sum, it) => sum + Math.abs(it), 0);
}

/** Section 9.2.7, with parameters of four bits. */
function writeResidual(residual: Int32Array, order: number, blockSize: number, bits: BitWriter): void {
  const partitions = blockSize === flacBlock ? 2 ** partitionOrder : 1;
  bits.put(0b00, 2);
  bits.put(partitions === 1 ? 0 : partitionOrder, 4);
  const size = blockSize / partitions;
  for (let partition = 0; partition < partitions; partition++) {
    const from = Math.max(0, partition * size - order);
    const folded = Uint32Array.from(residual.subarray(from, (partition + 1) * size - order), (it) =>
      it < 0 ? -2 * it - 1 : 2 * it,
    );
    const parameter = bestRice(folded);
    bits.put(parameter, 4);
    for (const value of folded) {
      bits.zeros(value >>> parameter);
      bits.put(1, 1);
      bits.put(value & (2 ** parameter - 1), parameter);
    }
  }
}

function bestRice(folded: Uint32Array): number {
  let best = 0;
  let min = Infinity;
  for (let parameter = 0; parameter <= maxRice; parameter++) {
    const cost = folded.reduce((sum, it) => sum + (it >>> parameter) + 1 + parameter, 0);
    if (cost < min) {
      min = cost;
      best = parameter;
    }
  }
  return best;
}

/** As UTF-8 writes a character, up to 31 bits (section 9.1.5). */
function codedNumber(number: number): number[] {
  if (number < 0x80) return [number];
  const tail: number[] = [];
  let rest = number;
  let room = 0x3f;
  while (rest > room) {
    tail.unshift(0x80 | (rest & 0x3f));
    rest >>>= 6;
    room >>= 1;
  }
  return [(0xff & ~(room * 2 + 1)) | rest, ...tail];
}

function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = ((crc << 1) ^ ((crc & 0x80) === 0 ? 0 : 0x07)) & 0xff;
  }
  return crc;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x8005)) & 0xffff;
  }
  return crc;
}

function createBitWriter(capacity: number) {
  let bytes = new Uint8Array(capacity);
  let at = 0;

  function makeRoom(width: number): void {
    if (bytes.length * 8 - at >= width) return;
    const larger = new Uint8Array(bytes.length * 2 + Math.ceil(width / 8));
    larger.set(bytes);
    bytes = larger;
  }

  return {
    /** The lowest `width` bits of a number, up to 32. */
    put(value: number, width: number) {
      makeRoom(width);
      for (let bit = width - 1; bit >= 0; bit--, at++) {
        if (((value >>> bit) & 1) === 1) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
      }
    },
    zeros(count: number) {
      makeRoom(count);
      at += count;
    },
    align() {
      at = Math.ceil(at / 8) * 8;
    },
    bytes: () => bytes.subarray(0, Math.ceil(at / 8)),
  };
}
