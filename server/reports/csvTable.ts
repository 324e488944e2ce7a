export type CsvCell = string | number | boolean | null;

/** A column of a report: its name in the head line, and what stands in it. */
export interface CsvColumn<Row> {
  name: string;
  cell: (row: Row) => CsvCell;
}

/** Byte order mark: spreadsheets then read the text as UTF-8. */
const byteOrderMark = '\uFEFF';
export const lineEnd = '\r\n';
/** What spreadsheets take for the beginning of a formula, also behind a tab or a line break. */
const formulaStart = /^[=+\-@\t\r\n]/;

/** The head of a table by RFC 4180, for spreadsheets. */
export function csvHead(columns: readonly CsvColumn<never>[]): string {
  return byteOrderMark + lineOf(columns.map(({ name }) => name));
}

/** A line of the table; no cell of text is taken for a formula. Null is an empty cell. */
export function csvLine<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return lineOf(columns.map(({ cell }) => cell(row)));
}

function lineOf(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}${lineEnd}`;
}

/** A cell as it stands in a line. */
export function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
