// A decoder of what RFC 9639 allows for one channel with constant, verbatim and fixed subframes, for checking.

export function decodeFlacFrame(bytes: Uint8Array, blockSize: number): number[] {
  let at = 0;
  const u = (width: number): number => {
    let value = 0;
    for (let i = 0; i < width; i++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const s = (width: number): number => {
    const value = u(width);
    return value >= 2 ** (width - 1) ? value - 2 ** width : value;
  };
  if (u(16) !== 0xfff8) throw new Error('no sync code');
  const sizeCode = u(4);
  if (u(4) !== 0 || u(8) !== 0x08) throw new Error('not one channel of 16 bits');
  const lead = u(8);
  const extra = lead < 0x80 ? 0 : Math.clz32(~lead << 24) - 1;
  u(8 * extra);
  const size = sizeCode === 0b0111 ? u(16) + 1 : 2 ** sizeCode;
  if (size !== blockSize) throw new Error(`a block of ${size}`);
  const headBytes = at / 8;
  if (u(8) !== crc(bytes.subarray(0, headBytes), 8, 0x07)) throw new Error('wrong CRC of the head');

  if (u(1) !== 0) throw new Error('no padding bit');
  const type = u(6);
  let wasted = 0;
  if (u(1) === 1) {
    wasted = 1;
    while (u(1) === 0) wasted++;
  }
  const width = 16 - wasted;
  let values: number[];
  if (type === 0) {
    values = Array.from({ length: size }).fill(s(width)) as number[];
  } else {
    const order = type - 8;
    if (order < 0 || order > 4) throw new Error(`a subframe of type ${type}`);
    values = Array.from({ length: order }, () => s(width));
    if (u(2) !== 0) throw new Error('not a Rice code of four bits');
    const partitions = 2 ** u(4);
    for (let partition = 0; partition < partitions; partition++) {
      const parameter = u(4);
      const count = size / partitions - (partition === 0 ? order : 0);
      for (let i = 0; i < count; i++) {
        let high = 0;
        while (u(1) === 0) high++;
        const folded = high * 2 ** parameter + u(parameter);
        const residual = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
        values.push(residual + predict(values, order));
      }
    }
  }
  at = Math.ceil(at / 8) * 8;
  const bodyBytes = at / 8;
  if (u(16) !== crc(bytes.subarray(0, bodyBytes), 16, 0x8005)) throw new Error('wrong CRC of the frame');
  if (at !== bytes.length * 8) throw new Error('bytes are left over');
  return values.map((it) => it * 2 ** wasted);
}

/** RFC 9639, table 22. */
function predict(values: readonly number[], order: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = values.slice(-4).reverse();
  return [0, a, 2 * a - b, 3 * a - 3 * b + c, 4 * a - 6 * b + 4 * c - d][order] ?? 0;
}

function crc(bytes: Uint8Array, width: number, polynomial: number): number {
  let register = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const out = Math.floor(register / 2 ** (width - 1)) ^ ((byte >> bit) & 1);
      register = (register * 2) % 2 ** width;
      if (out === 1) register ^= polynomial;
    }
  }
  return register;
}
