/** SOF of baseline, extended and progressive Huffman coding (ITU-T T.81, table B.1): what every browser shows. */
const frames = [0xc0, 0xc1, 0xc2];
const otherFrames = (marker: number) =>
  marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xcc;
const startOfScan = 0xda;

/**
 * Width and height of a JPEG in pixels, by its head alone: 8 bits a sample, grey or in colour, and not cut off. Null: it is
 * none. No sample is decoded, and each byte of the head is looked at once.
 */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 2;
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8 || view.getUint16(end) !== 0xffd9) return null;
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 4 <= end;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === startOfScan) return size;
    const length = view.getUint16(at + 2);
    if (marker < 0xc0 || otherFrames(marker) || length < 2 || at + 2 + length > end) return null;
    if (frames.includes(marker)) {
      if (size !== null || length < 8 || view.getUint8(at + 4) !== 8) return null;
      if (![1, 3].includes(view.getUint8(at + 9))) return null;
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + length;
  }
  return null;
}
