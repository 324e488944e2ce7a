/**
 * The records of a CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes; comma or semicolon as the
 * head line has it) as objects by the head line's names. Empty fields are left out. Throws `SyntaxError` with the line
 * for a quote that is not closed and for a record that is longer than the head line.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const separator = /^[^\n"]*;/.test(text) && !/^[^\n";]*,/.test(text) ? ';' : ',';
  const [head, ...records] = readRecords(text.replace(/^\uFEFF/, ''), separator);
  if (head === undefined) return [];
  const names = head.fields.map((name) => name.trim());
  return records.map(({ fields, line }) => {
    if (fields.length > names.length)
      throw new SyntaxError(`line ${line} has more fields than the head line`);
    return Object.fromEntries(
      fields.flatMap((field, at) => (field.trim() === '' ? [] : [[names[at] ?? '', field.trim()]])),
    );
  });
}

function readRecords(text: string, separator: string): { fields: string[]; line: number }[] {
  const records: { fields: string[]; line: number }[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let startLine = 1;

  function endRecord(): void {
    fields.push(field);
    if (fields.length > 1 || field !== '') records.push({ fields, line: startLine });
    fields = [];
    field = '';
    startLine = line;
  }

  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') line += 1;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === separator) {
      fields.push(field);
      field = '';
    } else if (char === '\n') endRecord();
    else if (char !== '\r' || text[at + 1] !== '\n') field += char;
  }
  if (quoted) throw new SyntaxError(`line ${startLine} opens a quote that is not closed`);
  endRecord();
  return records;
}
