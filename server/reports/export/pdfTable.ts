import { createCellText, type Cell } from './cells.ts';
import type { ExportColumn, ExportTable } from './exportTable.ts';
import type { Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import type { PdfText } from './pdfText.ts';

/** Rows whose text is measured for the widths of columns. */
const measuredRows = 300;
const gap = 9;
/** Texts wrap to so many lines, and heads. */
const maxLines = 2;
const maxHeadLines = 3;
/** Tried one after the other, until all columns fit into the width of a page. */
const sizes = [7.5, 7, 6.5, 6, 5.5];
/** Text is made narrower than this only where even the smallest letters do not fit. */
const minText = 48;

interface Line {
  texts: readonly (readonly string[])[];
  height: number;
}

/** A page to draw on: `next` begins another one, and is where the head of a table is drawn again. */
export interface Pages {
  box: () => Box;
  next: () => Box;
}

/**
 * Draws rows below each other, with the head on every page.
 *
 * @param totals by the columns; null: without a line of totals
 * @returns where what follows begins
 */
export function drawTable(
  doc: PDFKit.PDFDocument,
  text: PdfText,
  pages: Pages,
  { columns, tz, groups, words }: Pick<ExportTable, 'columns' | 'tz' | 'groups' | 'words'>,
  rows: readonly (readonly Cell[])[],
  totals: readonly (number | null)[] | null,
): number {
  const textOf = createCellText(tz, words);
  const cellTexts = (row: readonly Cell[]) => columns.map(({ kind }, at) => textOf(kind, row[at] ?? null));
  const totalTexts = totals?.map((value, at) =>
    at === 0 ? words.say('file.total') : textOf(columns[at]?.kind ?? 'text', value),
  );
  const isHeading = (row: readonly Cell[]) => groups !== undefined && groups.headed(row) > 0;
  // The name of a group goes on over the columns that have no total.
  const measuredTexts = (row: readonly Cell[]) =>
    isHeading(row) ? cellTexts(row).map((it, at) => (at === 0 ? '' : it)) : cellTexts(row);
  const measured = [
    ...rows.slice(0, measuredRows).map(measuredTexts),
    ...(totalTexts === undefined ? [] : [totalTexts]),
  ];
  const { size, widths } = fitted(text, columns, measured, pages.box().width);
  const lineHeight = size * 1.3;
  const left = widths.map((_, at) => widths.slice(0, at).reduce((sum, it) => sum + it + gap, 0));

  function lineOf(texts: readonly string[], weight: 400 | 600 = 400, most = maxLines): Line {
    const wrapped = texts.map((it, at) => text.wrap(it, { size, weight }, widths[at] ?? 0, most));
    return { texts: wrapped, height: Math.max(...wrapped.map((it) => it.length)) * lineHeight + 4 };
  }

  /** Up to the first total. */
  function nameWidth(row: readonly Cell[]): number {
    const next = row.findIndex((cell, at) => at > 0 && cell !== null);
    return (left[next] ?? pages.box().width + gap) - gap;
  }

  function headingLine(texts: readonly string[]): Line {
    return { texts: texts.map((it) => [it]), height: lineHeight + 4 };
  }

  function drawLine(line: Line, y: number, weight: 400 | 600 = 400, firstWidth = widths[0] ?? 0): void {
    for (const [at, texts] of line.texts.entries()) {
      // What stands in the place of a number in the first column is a name.
      const align = isNumber(columns[at]) && !(at === 0 && firstWidth !== widths[0]) ? 'end' : 'start';
      for (const [row, it] of texts.entries()) {
        const x = pages.box().x + (left[at] ?? 0);
        const baseline = y + 2 + (row + 0.78) * lineHeight;
        text.line(it, { size, weight, x, baseline, width: at === 0 ? firstWidth : (widths[at] ?? 0), align });
      }
    }
  }

  const head = lineOf(
    columns.map((it) => it.label),
    600,
    maxHeadLines,
  );
  let { x, y, width, height } = pages.box();
  let bottom = y + height;

  function drawHead(): void {
    doc.rect(x - 3, y, width + 6, head.height).fill(ink.head);
    drawLine(head, y, 600);
    y += head.height;
  }

  function space(needed: number): void {
    if (y + needed <= bottom) return;
    ({ x, y, width, height } = pages.next());
    bottom = y + height;
    drawHead();
  }

  if (y + head.height + 3 * lineHeight > bottom) {
    ({ x, y, width, height } = pages.next());
    bottom = y + height;
  }
  drawHead();
  for (const row of rows) {
    const heads = isHeading(row);
    const line = heads ? headingLine(cellTexts(row)) : lineOf(cellTexts(row));
    // A heading does not stand alone at the foot of a page.
    space(heads ? line.height + 2 * lineHeight : line.height);
    if (heads) doc.rect(x - 3, y, width + 6, line.height).fill(ink.head);
    drawLine(line, y, heads ? 600 : 400, heads ? nameWidth(row) : undefined);
    y += line.height;
    doc
      .moveTo(x - 3, y)
      .lineTo(x + width + 3, y)
      .lineWidth(0.3)
      .stroke(ink.line);
  }
  if (totalTexts === undefined) return y;
  const line = lineOf(totalTexts, 600);
  space(line.height);
  doc
    .moveTo(x - 3, y)
    .lineTo(x + width + 3, y)
    .lineWidth(0.8)
    .stroke(ink.text);
  drawLine(line, y, 600);
  return y + line.height;
}

const isNumber = (column: ExportColumn | undefined) =>
  column !== undefined && !['text', 'date', 'time', 'flag'].includes(column.kind);

function fitted(
  text: PdfText,
  columns: readonly ExportColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): { size: number; widths: number[] } {
  const room = width - gap * (columns.length - 1);
  const sum = (widths: readonly number[]) => widths.reduce((total, it) => total + it, 0);
  for (const size of sizes) {
    const natural = columns.map(({ label }, at) => {
      const word = label
        .split(' ')
        .reduce((most, it) => Math.max(most, text.width(it, { size, weight: 600 })), 0);
      return rows.reduce(
        (most, row) => Math.max(most, text.width(row[at] ?? '', { size, weight: 600 })),
        word,
      );
    });
    const isText = (at: number) => columns[at]?.kind === 'text';
    const fixed = sum(natural.filter((_, at) => !isText(at)));
    const least = sum(natural.map((it, at) => (isText(at) ? Math.min(it, minText) : 0)));
    const isLast = size === sizes.at(-1);
    if (fixed + least > room && !isLast) continue;
    if (sum(natural) <= room) return { size, widths: spread(natural, room) };
    // What is short stays as it is; the long ones share the rest.
    const limit = textLimit(
      natural.filter((_, at) => isText(at)),
      room - fixed,
    );
    const widths = natural.map((it, at) => (isText(at) ? Math.min(it, limit) : it));
    const scale = Math.min(1, room / sum(widths));
    return { size, widths: widths.map((it) => it * scale) };
  }
  throw new Error('the last size is always taken');
}

/** Columns that leave space are set apart, but not so far that the eye loses the line. */
function spread(natural: readonly number[], room: number): number[] {
  const free = room - natural.reduce((total, it) => total + it, 0);
  const more = Math.min(free / natural.length, 40);
  return natural.map((it) => it + more);
}

/** The width that columns may have at the most for all of them to fit. */
function textLimit(widths: readonly number[], room: number): number {
  let left = room;
  let columns = widths.length;
  for (const width of widths.toSorted((a, b) => a - b)) {
    if (width * columns >= left) return Math.max(left / columns, minText);
    left -= width;
    columns -= 1;
  }
  return Infinity;
}
