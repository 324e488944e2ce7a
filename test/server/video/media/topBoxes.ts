/** Types of an MP4's top-level boxes in their order, read independently of the server's own reader. */
export function topBoxes(bytes: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    types.push(bytes.toString('latin1', at + 4, at + 8));
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? bytes.length : size;
  }
  return types;
}
