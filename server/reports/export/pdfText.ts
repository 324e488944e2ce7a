import createBidi from 'bidi-js';
import { fontFor, readFont, type Weight } from './pdfFonts.ts';

export interface TextStyle {
  size: number;
  weight?: Weight;
  colour?: string;
}

export interface PlacedText extends TextStyle {
  x: number;
  /** The line on which letters stand. */
  baseline: number;
  /** Longer text ends in an ellipsis. */
  width?: number;
  align?: 'start' | 'end' | 'centre';
}

/** Letters of one font that are drawn one after the other, from left to right. */
interface Run {
  font: string;
  text: string;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const bidi = createBidi();
/** Written without control characters, which fonts lack. */
const controls = /\p{Cc}+/gu;
const loneSurrogates = /\p{Cs}/gu;
/** No line of a page holds as many letters. */
const maxLength = 400;
/** Points by which widths differ that are added up in another order. */
const tolerance = 0.01;

/**
 * Text in any script on the pages of a document. Only letters that are drawn are embedded. PDF knows neither fallback
 * fonts nor lines in two directions: each line is cut into runs, which are put in the order of the eye.
 */
export function createPdfText(doc: PDFKit.PDFDocument) {
  const registered = new Set<string>();
  const measured = new Map<string, number>();

  function useFont(font: string): PDFKit.PDFDocument {
    if (!registered.has(font)) {
      doc.registerFont(font, readFont(font));
      registered.add(font);
    }
    return doc.font(font);
  }

  /** @returns in points, for text of one point's height */
  function runWidth({ font, text }: Run): number {
    const key = `${font} ${text}`;
    let width = measured.get(key);
    if (width === undefined) {
      width = useFont(font).fontSize(1).widthOfString(text);
      // A document of ten thousand different words holds the widths of as many.
      if (measured.size < 20_000) measured.set(key, width);
    }
    return width;
  }

  const widthOf = (runs: readonly Run[], size: number) =>
    runs.reduce((sum, run) => sum + runWidth(run), 0) * size;

  const width = (text: string, { size, weight = 400 }: TextStyle) =>
    widthOf(runsOf(text.slice(0, maxLength), weight), size);

  function shortened(whole: string, style: TextStyle, wanted: number): string {
    const text = whole.slice(0, maxLength);
    const most = wanted + tolerance;
    if (width(text, style) <= most) return text;
    const letters = Array.from(text);
    let [fits, tooMany] = [0, letters.length];
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1;
      if (width(`${letters.slice(0, middle).join('')}…`, style) <= most) fits = middle;
      else tooMany = middle;
    }
    return `${letters.slice(0, fits).join('').trimEnd()}…`;
  }

  return {
    width,

    /** Draws one line. */
    line(text: string, { x, baseline, width: most, align = 'start', ...style }: PlacedText): void {
      const shown = most === undefined ? text : shortened(text, style, most);
      const runs = runsOf(shown, style.weight ?? 400);
      const free = align === 'start' ? 0 : (most ?? 0) - widthOf(runs, style.size);
      let at = x + (align === 'centre' ? free / 2 : free);
      for (const run of runs) {
        useFont(run.font)
          .fontSize(style.size)
          .fillColor(style.colour ?? '#12191c')
          .text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        at += runWidth(run) * style.size;
      }
    },

    /** The lines of a text that wraps between words; what is left after the last one ends in an ellipsis. */
    wrap(whole: string, style: TextStyle, wanted: number, maxLines: number): string[] {
      const text = whole.slice(0, maxLength);
      const most = wanted + tolerance;
      if (width(text, style) <= most) return [text];
      const lines: string[] = [];
      let words = text.split(' ');
      while (words.length > 0 && lines.length < maxLines - 1) {
        let taken = 1;
        while (taken < words.length && width(words.slice(0, taken + 1).join(' '), style) <= most) taken += 1;
        lines.push(shortened(words.slice(0, taken).join(' '), style, most));
        words = words.slice(taken);
      }
      return words.length === 0 ? lines : [...lines, shortened(words.join(' '), style, most)];
    },
  };
}

export type PdfText = ReturnType<typeof createPdfText>;

/** A line in the order of the eye. */
function runsOf(line: string, weight: Weight): Run[] {
  const text = line.replaceAll(controls, ' ').replaceAll(loneSurrogates, '\uFFFD');
  if (!rightToLeft.test(text)) return inFonts(text, weight);
  const embedding = bidi.getEmbeddingLevels(text, 'ltr');
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  interface Piece extends Run {
    level: number;
  }
  const pieces: Piece[] = [];
  let at = 0;
  for (const letter of text) {
    const level = embedding.levels[at] ?? 0;
    const { font, letter: drawn } = fontFor(mirrored.get(at) ?? letter, weight);
    const last = pieces.at(-1);
    // Letters join within words, and words of a line from right to left are put in order one by one.
    const isWord = letter !== ' ' && last?.text.endsWith(' ') !== true;
    if (last?.level === level && last.font === font && (level % 2 === 0 || isWord)) last.text += drawn;
    else pieces.push({ font, text: drawn, level });
    at += letter.length;
  }
  return reordered(pieces);
}

/** Rule L2 of the Unicode Bidirectional Algorithm (UAX 9), for pieces of one level each. */
function reordered<P extends { level: number }>(pieces: readonly P[]): P[] {
  const order = [...pieces];
  const highest = order.reduce((level, it) => Math.max(level, it.level), 0);
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start;
      while ((order[end]?.level ?? 0) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = end;
    }
  }
  return order;
}

function inFonts(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const letter of text) {
    const { font, letter: drawn } = fontFor(letter, weight);
    const last = runs.at(-1);
    if (last?.font === font) last.text += drawn;
    else runs.push({ font, text: drawn });
  }
  return runs;
}
