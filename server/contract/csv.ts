// Own: csv-parse 7.0.3 has no limit of fields (a line of 8 MB of commas takes over 1.6 s instead of 20 ms), is six times as
// slow, and does not name the line where a quote opens.

/** No file of ours has as many columns. */
const maxFields = 1_000;

/** Why a CSV text cannot be read at all. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly reason: 'open_quote' | 'long_row' | 'many_fields' | 'column_twice' | 'column_missing' | 'rounded';
  /** What of the file the fault names: the line from 1, the column, those that there are. */
  readonly at: { line?: number; column?: string; columns?: string };

  constructor(reason: CsvFault['reason'], at: CsvFault['at'], message: string) {
    super(message);
    this.reason = reason;
    this.at = at;
  }
}

/** The head line of a CSV text, and its records one after another. */
export interface CsvTable {
  names: readonly string[];
  /** Each with as many fields as it has, trimmed, none of them beyond the head line. */
  records: Iterable<{ fields: readonly string[]; line: number }>;
}

/**
 * A CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes), parted by what its head line has most of:
 * commas, semicolons or tabs, or by what a first line `sep=;` says. Reading the records throws `CsvFault` for a quote
 * that is not closed, a record that is longer than the head line, and one of over 1,000 fields. Null without a head line.
 *
 * @param max nothing is read beyond so many records and one more
 */
export function readCsv(text: string, max = Infinity): CsvTable | null {
  const named = /^\uFEFF?sep=([,;\t])\r?\n/i.exec(text);
  const content = text.slice(named?.[0].length ?? (text.startsWith('\uFEFF') ? 1 : 0));
  const read = readRecords(content, named?.[1] ?? separatorOf(content), named === null ? 1 : 2);
  const first = read.next();
  if (first.done === true) return null;
  const names = first.value.fields.map((name) => name.trim());
  while (names.at(-1) === '') names.pop();
  return { names, records: recordsOf(read, names.length, max) };
}

function* recordsOf(
  read: Generator<{ fields: string[]; line: number }>,
  width: number,
  max: number,
): Generator<{ fields: string[]; line: number }> {
  let left = max + 1;
  for (const record of read) {
    const fields = record.fields.map((field) => field.trim());
    while (fields.length > width && fields.at(-1) === '') fields.pop();
    const { line } = record;
    if (fields.length > width)
      throw new CsvFault('long_row', { line }, `line ${line} has more fields than the head line`);
    if (fields.every((field) => field === '')) continue;
    yield { fields, line };
    if (--left <= 0) return;
  }
}

/** What stands most often in the head line, outside of quotes. */
function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const head = (end < 0 ? text : text.slice(0, end)).slice(0, 100_000).replace(/"[^"]*"?/g, '');
  const count = (separator: string) => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, it) => (count(it) > count(best) ? it : best));
}

/** Node and browsers have it. */
declare const TextDecoder: new (
  label: string,
  options?: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * A text of a file in UTF-8, UTF-16 or Windows-1252, as spreadsheets save them: by its byte order mark, else by the zeros
 * that UTF-16 has between Latin letters, else UTF-8 if it is that, else Windows-1252, of which all bytes are letters.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Of so many bytes the zeros are counted. */
const sampleBytes = 1_000;

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = (parity: number) => sample.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < sample.length / 4) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

const quote = 0x22;
const lineFeed = 0x0a;

/** By whole fields: to put 8 MB together letter by letter takes a second. */
function* readRecords(
  text: string,
  separator: string,
  firstLine: number,
): Generator<{ fields: string[]; line: number }> {
  const separatorCode = separator.charCodeAt(0);
  let fields: string[] = [];
  let line = firstLine;
  let startLine = firstLine;
  let at = 0;

  /** What stands in quotes, from after the first of them. */
  function readQuoted(): string {
    const start = at;
    let isDoubled = false;
    let lineFeeds = 0;
    for (let next = at; next < text.length; next += 1) {
      const code = text.charCodeAt(next);
      if (code === lineFeed) lineFeeds += 1;
      else if (code === quote) {
        if (text.charCodeAt(next + 1) !== quote) {
          at = next + 1;
          line += lineFeeds;
          const inner = text.slice(start, next);
          return isDoubled ? inner.replace(/""/g, '"') : inner;
        }
        isDoubled = true;
        next += 1;
      }
    }
    throw new CsvFault(
      'open_quote',
      { line: startLine },
      `line ${startLine} opens a quote that is not closed`,
    );
  }

  /** Up to the end of a field, or of what follows its quotes. */
  function readBare(): string {
    const start = at;
    let end = at;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === separatorCode || code === lineFeed) break;
    }
    at = end;
    const isLineEnd = text[end] === '\n' && end > start && text[end - 1] === '\r';
    return text.slice(start, isLineEnd ? end - 1 : end);
  }

  while (at <= text.length) {
    let field = '';
    if (text.charCodeAt(at) === quote) {
      at += 1;
      field = readQuoted();
    }
    field += readBare();
    fields.push(field);
    if (fields.length > maxFields)
      throw new CsvFault(
        'many_fields',
        { line: startLine },
        `line ${startLine} has more than ${maxFields} fields`,
      );
    const isEnd = at >= text.length || text.charCodeAt(at) === lineFeed;
    if (at < text.length && isEnd) line += 1;
    at += 1;
    if (!isEnd) continue;
    if (fields.length > 1 || field !== '') yield { fields, line: startLine };
    fields = [];
    startLine = line;
  }
}
