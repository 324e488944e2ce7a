import PdfDocument from 'pdfkit';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { wallClock } from '../localDays.ts';
import { collected } from './collected.ts';
import type { Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import { createPdfText, type PdfText } from './pdfText.ts';

/** A4, landscape, in points. */
const page = { width: 841.89, height: 595.28 };
const margin = { side: 36, top: 36, bottom: 40 };
const content = page.width - 2 * margin.side;

/** What stands on top of the first page, and in small letters on those after it. */
export interface PdfHead {
  title: string;
  period: string;
  facts: readonly (readonly [name: string, value: string])[];
  /** The time zone of its clocks, a name of the IANA list. */
  tz: string;
  now_ms: number;
  words: ServerWords;
}

/** The pages of a document as they fill. */
export interface PdfPages {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  /** What of the page is still free. */
  box: () => Box;
  /** Begins another page; answers what of it is free. */
  next: () => Box;
  /** What stands above has been drawn. */
  moveTo: (y: number) => void;
}

/**
 * A document with a head, numbered pages and when it was made.
 *
 * @throws ExportTooLarge
 */
export async function pdfDocument(
  { title, period, facts, tz, now_ms, words }: PdfHead,
  max_bytes: number,
  draw: (pages: PdfPages) => Promise<void> | void,
): Promise<Uint8Array[]> {
  const doc = new PdfDocument({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    // The standard fonts are not embedded.
    font: null as unknown as string,
    lang: words.language,
    displayTitle: true,
    info: { Title: title, Creator: 'Fleetdeck', CreationDate: new Date(now_ms) },
  });
  const bytes = collected(doc, max_bytes);
  // Read when it is awaited; a failure before that is not unheard of.
  bytes.catch(() => undefined);
  const text = createPdfText(doc);

  let y = margin.top;
  const box = (): Box => ({ x: margin.side, y, width: content, height: page.height - margin.bottom - y });
  function next(): Box {
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
  await draw({ doc, text, box, next, moveTo: (to) => (y = to) });

  const { count } = doc.bufferedPageRange();
  const printed = `${words.clock(wallClock(tz)(now_ms).slice(0, 16))} ${tz} · Fleetdeck`;
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
function drawFacts(text: PdfText, facts: PdfHead['facts'], top: number): number {
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
