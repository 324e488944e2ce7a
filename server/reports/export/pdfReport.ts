import PdfDocument from 'pdfkit';
import type { Cell } from './cells.ts';
import { createTotals, type ExportTable } from './exportTable.ts';
import { collected } from './collected.ts';
import { chartHeight, drawChart, type Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import { drawTable } from './pdfTable.ts';
import { createPdfText, type PdfText } from './pdfText.ts';
import { wallClock } from '../localDays.ts';

/** Some eighty pages, which take some seconds; whoever has more wants a spreadsheet. */
const maxRows = 2_000;

/** A4, landscape, in points. */
const page = { width: 841.89, height: 595.28 };
const margin = { side: 36, top: 36, bottom: 40 };
const content = page.width - 2 * margin.side;

/** What comes after the table. */
export type Appendix = (doc: PDFKit.PDFDocument, text: PdfText, nextPage: () => Box) => Promise<void>;

/**
 * A report as a PDF: title, facts, chart, the first rows and the totals of all, then what is appended.
 *
 * @throws ExportTooLarge
 */
export async function pdfReport(
  table: ExportTable,
  max_bytes: number,
  append?: Appendix,
  max_rows: number = maxRows,
): Promise<Uint8Array[]> {
  const { title, columns, tz, now_ms, words } = table;
  const totals = createTotals(columns);
  const rows: (readonly Cell[])[] = [];
  let lines = 0;
  for (const row of table.rows) {
    lines += 1;
    totals.add(row);
    if (rows.length < max_rows) rows.push(row);
  }
  const [[, period] = ['', ''], ...facts] = table.facts();
  const doc = new PdfDocument({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    // The standard fonts are not embedded.
    font: null as unknown as string,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Fleetdeck', CreationDate: new Date(now_ms) },
  });
  const bytes = collected(doc, max_bytes);
  // Read when it is awaited; a failure before that is not unheard of.
  bytes.catch(() => undefined);
  const text = createPdfText(doc);

  let y = margin.top;
  const box = (): Box => ({ x: margin.side, y, width: content, height: page.height - margin.bottom - y });
  function nextPage(): Box {
    doc.addPage();
    text.line(title, { size: 8, weight: 600, x: margin.side, baseline: margin.top - 8 });
    text.line(period, {
      size: 8,
      colour: ink.soft,
      x: margin.side,
      baseline: margin.top - 8,
      width: content,
      align: 'end',
    });
    y = margin.top;
    return box();
  }

  text.line(title, { size: 18, weight: 600, x: margin.side, baseline: y + 16, width: content });
  text.line(period, { size: 10, x: margin.side, baseline: y + 33, width: content });
  y = drawFacts(text, facts, y + 44);
  const chart = table.chart();
  if (chart !== null) {
    drawChart(doc, text, chart, { ...box(), height: chartHeight(chart) }, words);
    y += chartHeight(chart) + 8;
  }
  if (rows.length === 0) {
    text.line(words.say('file.no_rows'), { size: 9, x: margin.side, baseline: y + 12 });
  } else {
    if (lines > rows.length) {
      const sentence = words.say('file.rows_printed', { shown: rows.length, total: lines });
      text.line(sentence, {
        size: 8,
        weight: 600,
        colour: ink.alarm,
        x: margin.side,
        baseline: y + 8,
        width: content,
      });
      y += 16;
    }
    const hasTotals = columns.some((it) => it.total !== undefined);
    const shown = hasTotals ? (table.groups?.totals ?? totals.values()) : null;
    drawTable(doc, text, { box, next: nextPage }, table, rows, shown);
  }
  await append?.(doc, text, nextPage);

  const { count } = doc.bufferedPageRange();
  const printed = `${wallClock(tz)(now_ms).slice(0, 16)} ${tz} · Fleetdeck`;
  for (let number = 0; number < count; number++) {
    doc.switchToPage(number);
    const baseline = page.height - 20;
    text.line(printed, { size: 7, colour: ink.soft, x: margin.side, baseline });
    const place = words.say('file.page', { page: number + 1, total: count });
    text.line(place, { size: 7, colour: ink.soft, x: margin.side, baseline, width: content, align: 'end' });
  }
  doc.end();
  return bytes;
}

/** In columns, each fact on a line. Returns where what follows begins. */
function drawFacts(text: PdfText, facts: ReturnType<ExportTable['facts']>, top: number): number {
  const perColumn = Math.max(2, Math.ceil(facts.length / 3));
  const width = content / 3;
  for (const [at, [name, value]] of facts.entries()) {
    const x = margin.side + Math.floor(at / perColumn) * width;
    const baseline = top + (at % perColumn) * 11 + 8;
    const nameWidth = 140;
    text.line(name, { size: 7.5, colour: ink.soft, x, baseline, width: nameWidth - 6 });
    text.line(value, { size: 7.5, x: x + nameWidth, baseline, width: width - nameWidth - 10 });
  }
  return top + Math.min(facts.length, perColumn) * 11 + 12;
}
