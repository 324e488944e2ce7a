/** Rows of cells as a CSV file (RFC 4180) in UTF-8; spreadsheets recognise it by the byte order mark. */
export function csvOf(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  return new Blob([`\ufeff${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** A cell that a spreadsheet would take for a formula is marked as text: names are typed by anybody. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A column of a file. */
export interface FileColumn<T> {
  head: string;
  value: (item: T) => string | number | null;
}
