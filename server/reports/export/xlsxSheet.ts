import { unitOf, type Cell, type CellKind } from './cells.ts';
import { createTotals, type ExportColumn, type ExportTable } from './exportTable.ts';
import { createLocalSerial, serialOfDate } from './localSerial.ts';

/**
 * The looks of cells, in the order of `cellXfs`: their numbers stand in the cells. `quoted` keeps text that begins like a
 * formula as text also when somebody edits it.
 */
export const styles = [
  'plain',
  'head',
  'name',
  'title',
  'quoted',
  'date',
  'time',
  'duration',
  'km',
  'whole',
  'number',
  'share',
  'degrees',
  'mb',
  'total',
  'totalDuration',
  'totalKm',
  'totalWhole',
  'totalNumber',
  'totalMb',
] as const;
export type Style = (typeof styles)[number];
const styleNumbers = new Map(styles.map((name, at) => [name, at]));

const looks: Readonly<Record<CellKind, { style: Style; total: Style; width: number }>> = {
  text: { style: 'plain', total: 'total', width: 12 },
  time: { style: 'time', total: 'total', width: 19 },
  date: { style: 'date', total: 'total', width: 11 },
  duration: { style: 'duration', total: 'totalDuration', width: 10 },
  minutes: { style: 'duration', total: 'totalDuration', width: 10 },
  distance: { style: 'km', total: 'totalKm', width: 10 },
  speed: { style: 'number', total: 'totalNumber', width: 9 },
  count: { style: 'whole', total: 'totalWhole', width: 8 },
  number: { style: 'plain', total: 'total', width: 9 },
  share: { style: 'share', total: 'total', width: 8 },
  degrees: { style: 'degrees', total: 'total', width: 11 },
  bytes: { style: 'mb', total: 'totalMb', width: 9 },
  flag: { style: 'plain', total: 'total', width: 6 },
};

const inDays = (s: number) => s / 86_400;

/** As spreadsheets keep it: days for durations, and the units of the heads of columns for the rest. */
const numberIn: typeof unitOf = { ...unitOf, duration: inDays, minutes: inDays };

/** To 15 digits, as spreadsheets themselves write: 12.3456 km and not 12.345600000000001. */
function numberFor(kind: CellKind, value: number): number {
  const inUnit = numberIn[kind];
  return inUnit === undefined ? value : Number(inUnit(value).toPrecision(15));
}

/** What spreadsheets take for the beginning of a formula when the cell is edited, or pasted as text. */
const formulaStart = /^[=+\-@\t\r\n]/;
/** The most that a cell holds. */
const maxText = 32_767;

/** Text in XML, with the characters that XML cannot hold, or reads as others, as ECMA-376 has them (part 1, 22.4.2.4: ST_Xstring). */
export function xmlText(text: string): string {
  return (
    text
      .slice(0, maxText)
      .replaceAll(/\p{Cs}/gu, '\uFFFD')
      .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
      // oxlint-disable-next-line no-control-regex -- these are what is looked for
      .replaceAll(/[\x00-\x08\x0b-\x1f\ufffe\uffff]/g, (it) => {
        const code = it.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        return `_x${code}_`;
      })
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

/** The letters of a column, from 0: A to Z, AA and on. */
export function columnName(at: number): string {
  return (at >= 26 ? columnName(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
}

const styleOf = (style: Style) => (style === 'plain' ? '' : ` s="${styleNumbers.get(style) ?? 0}"`);

function textCell(at: string, text: string, style: Style = formulaStart.test(text) ? 'quoted' : 'plain') {
  return `<c r="${at}"${styleOf(style)} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** The widths of text are those of the first rows: the head of a sheet is written before all rows are known. */
const measuredRows = 200;
const maxWidth = 48;
/** Written at once. */
const chunkLength = 65_536;

/** Below the head. */
export interface SheetExtent {
  rows: number;
}

/**
 * The sheet of a report in pieces of XML: the head stands still when the rows are scrolled and has filters, and totals
 * stand below the rows: as formulas that go by what is filtered, with the values of now.
 *
 * @param extent gets how many rows there were, when all is written
 */
export function* sheetXml(table: ExportTable, extent: SheetExtent): Generator<string> {
  const { columns, groups } = table;
  const rows = table.rows[Symbol.iterator]();
  const first = Array.from({ length: measuredRows }, () => rows.next()).flatMap((it) =>
    it.done === true ? [] : [it.value],
  );
  const lastColumn = columnName(columns.length - 1);
  const serialAt = createLocalSerial(table.tz);
  const names = columns.map((_, at) => columnName(at));

  function cellXml(at: string, kind: CellKind, cell: Cell): string {
    if (cell === null || cell === '') return '';
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
    const { style } = looks[kind];
    if (typeof cell === 'string') {
      return kind === 'date'
        ? `<c r="${at}"${styleOf(style)}><v>${serialOfDate(cell)}</v></c>`
        : textCell(at, cell);
    }
    const value = kind === 'time' ? serialAt(cell) : numberFor(kind, cell);
    return `<c r="${at}"${styleOf(style)}><v>${value}</v></c>`;
  }

  /** The heading of a group: totals of the rows below it, which may be folded. */
  function headingXml(number: number, row: readonly Cell[], count: number): string {
    const cells = columns.map((column, at) => {
      const cell = `${names[at] ?? ''}${number}`;
      const value = row[at] ?? null;
      if (at === 0) return textCell(cell, String(value), 'name');
      return typeof value === 'number' && column.total !== undefined
        ? totalXml(cell, column, value, names[at] ?? '', number + 1, number + count)
        : '';
    });
    return `<row r="${number}">${cells.join('')}</row>`;
  }

  function rowXml(number: number, row: readonly Cell[]): string {
    const heads = groups?.headed(row) ?? 0;
    if (heads > 0) return headingXml(number, row, heads);
    let xml = groups === undefined ? `<row r="${number}">` : `<row r="${number}" outlineLevel="1">`;
    for (let at = 0; at < columns.length; at++) {
      xml += cellXml(`${names[at] ?? ''}${number}`, columns[at]?.kind ?? 'text', row[at] ?? null);
    }
    return `${xml}</row>`;
  }

  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetPr>${groups === undefined ? '' : '<outlinePr summaryBelow="0"/>'}<pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0" tabSelected="1"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><cols>`;
  yield columnWidths(columns, first)
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  const heads = columns.map(({ label }, at) => textCell(`${names[at] ?? ''}1`, label, 'head'));
  yield `</cols><sheetData><row r="1">${heads.join('')}</row>`;

  const totals = createTotals(columns);
  let number = 1;
  let text = '';
  let headings = 0;
  function write(row: readonly Cell[]): void {
    totals.add(row);
    if ((groups?.headed(row) ?? 0) > 0) headings += 1;
    number += 1;
    text += rowXml(number, row);
  }
  for (const row of first) write(row);
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    write(next.value);
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  extent.rows = totals.rows();
  yield text;
  // Subtotals leave out others within them; rows that stand in two groups would count twice.
  const counted = groups === undefined ? totals.rows() : number - 1 - headings;
  const values = groups?.totals ?? totals.values();
  if (number > 1)
    yield totalsXml(
      columns,
      values,
      number,
      counted === (groups?.rows ?? counted),
      table.words.say('file.total'),
    );
  // Headings have no place in what is sorted.
  const filter = groups === undefined ? `<autoFilter ref="A1:${lastColumn}${number}"/>` : '';
  yield `</sheetData>${filter}<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/><headerFooter><oddHeader>&amp;L${xmlText(table.title.replaceAll('&', '&&'))}</oddHeader><oddFooter>&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter></worksheet>`;
}

function totalsXml(
  columns: readonly ExportColumn[],
  values: readonly (number | null)[],
  last: number,
  isFormula: boolean,
  totalName: string,
): string {
  if (columns.every(({ total }) => total === undefined)) return '';
  const cells = columns.map(({ kind, total }, at) => {
    const cell = `${columnName(at)}${last + 1}`;
    const value = values[at] ?? null;
    if (total === undefined)
      return at === 0 ? textCell(cell, totalName, 'total') : `<c r="${cell}"${styleOf('total')}/>`;
    if (isFormula) return totalXml(cell, { kind, total }, value, columnName(at), 2, last);
    return `<c r="${cell}"${styleOf(looks[kind].total)}><v>${value === null ? 0 : numberFor(kind, value)}</v></c>`;
  });
  return `<row r="${last + 1}">${cells.join('')}</row>`;
}

/** A total of rows that follow each other, of those that a filter leaves: 109 adds them up, 104 takes the largest. */
function totalXml(
  cell: string,
  { kind, total }: Pick<ExportColumn, 'kind' | 'total'>,
  value: number | null,
  column: string,
  first: number,
  last: number,
): string {
  const formula = `SUBTOTAL(${total === 'sum' ? 109 : 104},${column}${first}:${column}${last})`;
  const shown = value === null ? 0 : numberFor(kind, value);
  return `<c r="${cell}"${styleOf(looks[kind].total)}><f>${formula}</f><v>${shown}</v></c>`;
}

function columnWidths(columns: readonly ExportColumn[], rows: readonly (readonly Cell[])[]): number[] {
  // The head has a button of its filter.
  const widths = columns.map(({ label, kind }) => Math.max(looks[kind].width, label.length + 4));
  for (const row of rows) {
    for (const [at, { kind }] of columns.entries()) {
      const cell = row[at];
      if (kind === 'text' && typeof cell === 'string')
        widths[at] = Math.max(widths[at] ?? 0, cell.length + 2);
    }
  }
  return widths.map((it) => Math.min(it, maxWidth));
}

/** The sheet that says what the report is: its title, and facts by name. */
export function factsXml({ title, facts }: ExportTable): string {
  const rows = facts().map(
    ([name, value], at) =>
      `<row r="${at + 3}">${textCell(`A${at + 3}`, name, 'name')}${textCell(`B${at + 3}`, value)}</row>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols><col min="1" max="1" width="32" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols><sheetData><row r="1">${textCell('A1', title, 'title')}</row>${rows.join('')}</sheetData></worksheet>`;
}
