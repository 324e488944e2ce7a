/** Writes the fields of a NAL unit: a number as an Exp-Golomb code, a text as its bits. */
export function nal(header: number | readonly number[], ...fields: (number | string)[]): Buffer {
  const golomb = (value: number) => {
    const bits = (value + 1).toString(2);
    return '0'.repeat(bits.length - 1) + bits;
  };
  const bits = `${fields.map((it) => (typeof it === 'string' ? it : golomb(it))).join('')}1`;
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from([...[header].flat(), ...bytes.map((byte) => Number.parseInt(byte, 2))]);
}
