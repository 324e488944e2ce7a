const MARKS: readonly (readonly [string, string])[] = [
  ['ffd8ff', 'a JPEG picture'],
  ['89504e47', 'a PNG picture'],
  ['47494638', 'a GIF picture'],
  ['1f8b', 'gzip data'],
  ['504b0304', 'a ZIP archive'],
  ['1a45dfa3', 'a Matroska or WebM file'],
  ['52494646', 'a RIFF file (AVI or WAV)'],
  ['464c56', 'an FLV file'],
  ['000001ba', 'an MPEG program stream'],
  ['000001b3', 'a raw MPEG-2 stream'],
  ['000001b0', 'a raw MPEG-4 Visual stream'],
  ['494d4b48', 'a Hikvision program stream (IMKH)'],
  ['44484156', 'a Dahua DAV file'],
];

/** How many characters of a text answer are quoted: enough for a camera's error message. */
const QUOTED_CHARS = 120;

/**
 * What a file that is no video seems to be, in words for an operator.
 * @param head the file's first bytes, a few hundred at least if it has them
 */
export function whatItIs(head: Uint8Array): string {
  if (head.length === 0) return 'zero bytes';
  const hex = Buffer.from(head.subarray(0, 8)).toString('hex');
  const mark = MARKS.find(([bytes]) => hex.startsWith(bytes));
  if (mark !== undefined) return mark[1];
  const text = readableText(head);
  if (text === null) return `unknown data that starts with ${spacedHex(hex)}`;
  if (text === '') return 'nothing but white space';
  if (/^<(!doctype html|html|head|body)/i.test(text)) return htmlPage(text);
  if (text.startsWith('#EXTM3U')) return 'an HLS playlist, not the video itself';
  if (text.startsWith('<')) return `an XML document: ${quoted(text)}`;
  if (/^[{[]/.test(text)) return `JSON: ${quoted(text)}`;
  return `text: ${quoted(text)}`;
}

/** Sync bytes at the distance of MPEG-TS packets, or of those with a time code in front (ISO/IEC 13818-1, 2.4.3.2). */
export function looksLikeMpegTs(head: Uint8Array): boolean {
  return (head[0] === 0x47 && head[188] === 0x47) || (head[4] === 0x47 && head[4 + 192] === 0x47);
}

function readableText(head: Uint8Array): string | null {
  const decoded = new TextDecoder('utf-8', { fatal: false }).decode(head, { stream: true });
  // oxlint-disable-next-line no-control-regex -- control characters distinguish bytes from text
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(decoded) ? null : decoded.trim();
}

function htmlPage(text: string): string {
  const title = /<title[^>]*>([^<]+)</i.exec(text)?.[1]?.trim();
  return title ? `an HTML page titled ${quoted(title)}` : 'an HTML page';
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > QUOTED_CHARS ? `${line.slice(0, QUOTED_CHARS)}…` : line;
}

function spacedHex(hex: string): string {
  return hex.replace(/(..)(?=.)/g, '$1 ');
}
