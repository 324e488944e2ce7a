/** The encodings in which depots have their lists. */
export const encodings = [
  'UTF-8',
  'UTF-8 with BOM',
  'Windows-1252',
  'UTF-16LE',
  'UTF-16LE with BOM',
  'UTF-16BE',
  'UTF-16BE with BOM',
] as const;
export type Encoding = (typeof encodings)[number];

/** Of a text whose letters are in the encoding. */
export function bytesIn(encoding: Encoding, text: string): Uint8Array {
  const marked = encoding.endsWith('with BOM') ? `\uFEFF${text}` : text;
  if (encoding.startsWith('UTF-8')) return Buffer.from(marked, 'utf8');
  // The euro sign stands at 0x80; the letters of Latin-1 stand where they are.
  if (encoding === 'Windows-1252') return Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
  const littleEndian = Buffer.from(marked, 'utf16le');
  return encoding.startsWith('UTF-16LE') ? littleEndian : littleEndian.swap16();
}
