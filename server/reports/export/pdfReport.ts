import type { Cell } from './cells.ts';
import { createTotals, type ExportTable } from './exportTable.ts';
import { chartHeight, drawChart, type Box } from './pdfChart.ts';
import { pdfDocument } from './pdfDocument.ts';
import { ink } from './pdfInk.ts';
import { drawTable } from './pdfTable.ts';
import type { PdfText } from './pdfText.ts';

/** Some eighty pages, which take some seconds; whoever has more wants a spreadsheet. */
const maxRows = 2_000;

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
  return pdfDocument({ title, period, facts, tz, now_ms, words }, max_bytes, async (pages) => {
    const { doc, text, box } = pages;
    const chart = table.chart();
    if (chart !== null) {
      const { y } = box();
      drawChart(doc, text, chart, { ...box(), height: chartHeight(chart) }, words);
      pages.moveTo(y + chartHeight(chart) + 8);
    }
    if (rows.length === 0) {
      const { x, y } = box();
      text.line(words.say('file.no_rows'), { size: 9, x, baseline: y + 12 });
    } else {
      if (lines > rows.length) {
        const sentence = words.say('file.rows_printed', { shown: rows.length, total: lines });
        const { x, y, width } = box();
        text.line(sentence, { size: 8, weight: 600, colour: ink.alarm, x, baseline: y + 8, width });
        pages.moveTo(y + 16);
      }
      const hasTotals = columns.some((it) => it.total !== undefined);
      const shown = hasTotals ? (table.groups?.totals ?? totals.values()) : null;
      pages.moveTo(drawTable(doc, text, pages, table, rows, shown));
    }
    await append?.(doc, text, pages.next);
  });
}
