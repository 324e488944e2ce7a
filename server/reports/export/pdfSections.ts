import type { ServerWords } from '../../contract/texts/serverWords.ts';
import type { Cell, CellKind } from './cells.ts';
import type { Box } from './pdfChart.ts';
import type { PdfPages } from './pdfDocument.ts';
import { ink } from './pdfInk.ts';
import { drawTable } from './pdfTable.ts';

/** Parts of a document that are one table each, or notes of people. */
export interface PdfSection {
  title: string;
  /** How many there are; where it is more than rows, the title says so. */
  total: number;
  columns: readonly (readonly [label: string, kind: CellKind])[];
  rows: readonly (readonly Cell[])[];
}

/** A JPEG, and what stands below it. */
export interface PdfPicture {
  caption: string;
  bytes: Buffer;
}

const noteLines = 40;
/** Two in a row. */
const pictureGap = 12;
const pictureHeight = 215;

/** The title of a part, with space for a line of it on the same page. */
function drawTitle({ box, next, text, moveTo }: PdfPages, title: string): void {
  const { x, y, width } = box().height < 64 ? next() : box();
  text.line(title, { size: 11, weight: 600, x, baseline: y + 12, width });
  moveTo(y + 20);
}

export function drawNotes(
  pages: PdfPages,
  title: string,
  notes: readonly { head: string; text: string }[],
  { say }: ServerWords,
): void {
  const { text } = pages;
  drawTitle(pages, title);
  if (notes.length === 0) drawLine(pages, say('pdf.none'));
  for (const note of notes) {
    drawLine(pages, note.head, ink.soft);
    for (const line of note.text.split('\n')) {
      const style = { size: 8.5, weight: 400 } as const;
      for (const part of text.wrap(line, style, pages.box().width, noteLines)) drawLine(pages, part);
    }
    pages.moveTo(pages.box().y + 4);
  }
  pages.moveTo(pages.box().y + 8);
}

export function drawPictures(pages: PdfPages, title: string, pictures: readonly PdfPicture[]): void {
  const { doc, text, box, next, moveTo } = pages;
  const rowHeight = pictureHeight + 14;
  if (box().height < rowHeight + 20) next();
  drawTitle(pages, title);
  for (let at = 0; at < pictures.length; at += 2) {
    const { x, y, width: both } = box().height < rowHeight ? next() : box();
    const width = (both - pictureGap) / 2;
    for (const [side, { bytes, caption }] of pictures.slice(at, at + 2).entries()) {
      const left = x + side * (width + pictureGap);
      drawJpeg(doc, bytes, { x: left, y, width, height: pictureHeight });
      text.line(caption, { size: 7.5, colour: ink.soft, x: left, baseline: y + pictureHeight + 9, width });
    }
    moveTo(y + rowHeight);
  }
  moveTo(box().y + 8);
}

/** One whose metadata the library cannot read is left out; its caption stands there. */
function drawJpeg(doc: PdfPages['doc'], bytes: Buffer, { x, y, width, height }: Box): void {
  try {
    doc.image(bytes, x, y, { fit: [width, height] });
  } catch (error) {
    if (!(error instanceof RangeError || typeof error === 'string')) throw error;
  }
}

function drawLine({ box, next, text, moveTo }: PdfPages, line: string, colour: string = ink.text): void {
  const { x, y, width } = box().height < 12 ? next() : box();
  text.line(line, { size: 8.5, colour, x, baseline: y + 9, width });
  moveTo(y + 12);
}

export function drawSection(
  pages: PdfPages,
  { title, total, columns, rows }: PdfSection,
  tz: string,
  words: ServerWords,
): void {
  const { say } = words;
  const isCut = total > rows.length;
  drawTitle(pages, isCut ? say('pdf.shown_of', { title, shown: rows.length, total }) : title);
  if (rows.length === 0) drawLine(pages, say('pdf.none'));
  else {
    const shape = { columns: columns.map(([label, kind]) => ({ label, kind })), tz, words };
    pages.moveTo(drawTable(pages.doc, pages.text, pages, shape, rows, null));
  }
  pages.moveTo(pages.box().y + 12);
}
