// Own: csv-parse 7.0.3 has no limit of fields (a line of 8 MB of commas takes over 1.6 s instead of 20 ms), is six times as
// slow, and does not name the line where a quote opens.

/** No file of ours has as many columns. */
export const maxFields = 1_000;
export const maxColumnName = 120;
/** As long as a head line can be. */
const maxHead = maxFields * (maxColumnName + 3);

/** Why a file cannot be read at all, and the line, from 1, where one is at fault. */
export class UnreadableFile extends SyntaxError {
  override readonly name = 'UnreadableFile';
  readonly reason:
    'empty' | 'open_quote' | 'long_row' | 'many_fields' | 'long_name' | 'not_json' | 'not_a_list';
  readonly line: number;

  constructor(reason: UnreadableFile['reason'], line = 1) {
    super(`line ${line}: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

export interface CsvRecord {
  /** As many as there are columns, or fewer. */
  fields: readonly string[];
  /** Where it begins, from 1. */
  line: number;
}

export interface CsvTable {
  /** Names by which each column is known: of equal ones the second is `name (2)`, one without a name `column 3`. */
  columns: readonly string[];
  /** One after another, for those who have other things to do in between; throws UnreadableFile. */
  records: Iterable<CsvRecord>;
}

/**
 * A CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes) whose first line names the columns.
 * Separators are commas, semicolons or tabs, as most of the first line are or as a line `sep=;` before it says.
 * Separators without anything after them at the end of lines are passed over.
 */
export function readCsv(text: string): CsvTable {
  const { separator, content, line } = separatorOf(text.replace(/^\uFEFF/, ''));
  const records = readRecords(content, separator, line);
  const head = records.next();
  if (head.done === true) return { columns: [], records: [] };
  const columns = columnsOf(head.value);
  return { columns, records: withinColumns(records, columns.length) };
}

/** What spreadsheets write, or take, before the head line to state the separator. */
const separatorLine = /^"?sep=([,;\t])"?[,;\t]*\r?\n/i;

function separatorOf(text: string): { separator: string; content: string; line: number } {
  const stated = separatorLine.exec(text);
  if (stated?.[1] !== undefined) {
    return { separator: stated[1], content: text.slice(stated[0].length), line: 2 };
  }
  const head = /^(?:"[^"]*"|[^"\r\n])*/.exec(text.slice(0, maxHead))?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (separator: string) => head.split(separator).length;
  const separator = [',', ';', '\t'].reduce((best, it) => (count(it) > count(best) ? it : best));
  return { separator, content: text, line: 1 };
}

function columnsOf({ fields, line }: CsvRecord): string[] {
  const named = fields.slice(0, fields.findLastIndex((field) => field.trim() !== '') + 1);
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return named.map((field, at) => {
    const name = field.trim().replaceAll(/\s+/g, ' ') || `column ${at + 1}`;
    if (name.length > maxColumnName) throw new UnreadableFile('long_name', line);
    let count = counts.get(name) ?? 1;
    const unique = () => (count === 1 ? name : `${name} (${count})`);
    while (taken.has(unique())) count += 1;
    counts.set(name, count);
    taken.add(unique());
    return unique();
  });
}

function* withinColumns(records: Iterable<CsvRecord>, columns: number): Generator<CsvRecord> {
  for (const { fields, line } of records) {
    if (fields.some((field, at) => at >= columns && field.trim() !== '')) {
      throw new UnreadableFile('long_row', line);
    }
    yield { fields: fields.slice(0, columns), line };
  }
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** By whole fields: to put 8 MB together letter by letter takes a second. */
function* readRecords(text: string, separator: string, firstLine: number): Generator<CsvRecord, undefined> {
  const separatorCode = separator.charCodeAt(0);
  // Spreadsheets on a Mac can still end lines as Mac OS 9 did.
  const lineEnd = text.includes('\n') ? lineFeed : carriageReturn;
  let fields: string[] = [];
  let line = firstLine;
  let startLine = firstLine;
  let at = 0;

  /** What stands in quotes, from after the first of them. */
  function readQuoted(): string {
    const start = at;
    let isDoubled = false;
    let lineEnds = 0;
    for (let next = at; next < text.length; next += 1) {
      const code = text.charCodeAt(next);
      if (code === lineEnd) lineEnds += 1;
      else if (code === quote) {
        if (text.charCodeAt(next + 1) !== quote) {
          at = next + 1;
          line += lineEnds;
          const inner = text.slice(start, next);
          return isDoubled ? inner.replace(/""/g, '"') : inner;
        }
        isDoubled = true;
        next += 1;
      }
    }
    throw new UnreadableFile('open_quote', startLine);
  }

  /** Up to the end of a field, or of what follows its quotes. */
  function readBare(): string {
    const start = at;
    let end = at;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === separatorCode || code === lineEnd) break;
    }
    at = end;
    const isLineEnd = text[end] === '\n' && end > start && text[end - 1] === '\r';
    return text.slice(start, isLineEnd ? end - 1 : end);
  }

  while (at <= text.length) {
    // A file may be millions of line ends.
    for (; fields.length === 0 && text.charCodeAt(at) === lineEnd; at += 1) {
      line += 1;
      startLine = line;
    }
    let field = '';
    if (text.charCodeAt(at) === quote) {
      at += 1;
      field = readQuoted();
    }
    field += readBare();
    fields.push(field);
    if (fields.length > maxFields) throw new UnreadableFile('many_fields', startLine);
    const isEnd = at >= text.length || text.charCodeAt(at) === lineEnd;
    if (at < text.length && isEnd) line += 1;
    at += 1;
    if (!isEnd) continue;
    if (fields.length > 1 || field !== '') yield { fields, line: startLine };
    fields = [];
    startLine = line;
  }
}
