/** In every browser and in Node; the contract is compiled for neither. */
declare const TextDecoder: new (
  label: string,
  options?: { fatal?: boolean },
) => { decode: (bytes: Uint8Array) => string };

/**
 * The text of a file without its byte order mark, and its charset by the name of the Encoding Standard; null for bytes
 * that are no text, as a workbook's.
 *
 * A byte order mark says what follows. Without one it is `charset` (throws RangeError for a name that the Encoding
 * Standard does not know); without that UTF-16, by its zero bytes; else UTF-8, which other encodings practically never
 * are by chance (https://encoding.spec.whatwg.org/#utf-8-decoder-fails on the first wrong byte); else Windows-1252, in
 * which spreadsheets of Western Europe save "CSV".
 */
export function decodeText(
  bytes: Uint8Array,
  charset: string | null = null,
): { text: string; charset: string } | null {
  if (archives.some((start) => startsWith(bytes, start))) return null;
  const marked = marks.find(({ mark }) => startsWith(bytes, mark))?.charset;
  const stated = marked ?? charset ?? utf16Of(bytes);
  for (const label of stated === null ? ['utf-8', 'windows-1252'] : [stated]) {
    const text = decode(bytes, label);
    if (text !== null) return text.includes('\0') ? null : { text, charset: label };
  }
  return null;
}

/** TextDecoder takes away the mark of its own encoding. */
const marks = [
  { mark: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { mark: [0xff, 0xfe], charset: 'utf-16le' },
  { mark: [0xfe, 0xff], charset: 'utf-16be' },
];

/** ZIP, of which the workbooks of today are, and the container of those before 2007. */
const archives = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte);

/** Zeros show within some lines already. */
const sampleBytes = 65_536;

/**
 * In UTF-16 separators, digits, line ends and Latin letters have one byte that is zero, always the first or always the
 * second of two; no other text has any.
 */
function utf16Of(bytes: Uint8Array): string | null {
  const zeros = { even: 0, odd: 0 };
  const sample = bytes.subarray(0, sampleBytes);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1;
  const [few, many] = [Math.min(zeros.even, zeros.odd), Math.max(zeros.even, zeros.odd)];
  if (many * 50 < sample.length || many < few * 8) return null;
  return zeros.odd > zeros.even ? 'utf-16le' : 'utf-16be';
}

function decode(bytes: Uint8Array, label: string): string | null {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    const text = decoder.decode(bytes);
    return label === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, letterOf1252) : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Of the bytes 0x80 to 0x9F (https://encoding.spec.whatwg.org/index-windows-1252.txt): some versions of Node take them as
 * Latin-1 does (https://github.com/nodejs/node/issues/56542).
 */
const letters1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function letterOf1252(letter: string): string {
  return letters1252.charAt(letter.charCodeAt(0) - 0x80);
}
