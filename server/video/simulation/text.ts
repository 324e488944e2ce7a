import { glyph, GLYPH_COLUMNS, GLYPH_ROWS } from './font.ts';
import { fillRect } from './picture.ts';
import type { Picture, Tint } from './picture.ts';

/** Letters stand one column apart. */
const ADVANCE = GLYPH_COLUMNS + 1;

export function textWidth(text: string, scale: number): number {
  const letters = lettersOf(text).length;
  return letters === 0 ? 0 : (letters * ADVANCE - 1) * scale;
}

/** One place in the font's grid each. */
export function lettersOf(text: string): string[] {
  return Array.from(text);
}

/** @param left, top upper left corner in pixels. @param scale pixels per dot of the font, a whole number */
export function drawText(
  picture: Picture,
  left: number,
  top: number,
  text: string,
  scale: number,
  colour: Tint,
): void {
  eachDot(text, (column, row) =>
    fillRect(picture, left + column * scale, top + row * scale, scale, scale, colour),
  );
}

/** Calls `draw` for every dot of the text, in dots from its upper left corner. */
export function eachDot(text: string, draw: (column: number, row: number) => void): void {
  lettersOf(text).forEach((letter, place) => {
    const rows = glyph(letter);
    for (let row = 0; row < GLYPH_ROWS; row++) {
      for (let column = 0; column < GLYPH_COLUMNS; column++) {
        const isDot = ((rows[row] ?? 0) >> (GLYPH_COLUMNS - 1 - column)) & 1;
        if (isDot === 1) draw(place * ADVANCE + column, row);
      }
    }
  });
}

/** The text, cut with an ellipsis if it is too long. */
export function fitText(text: string, letters: number): string {
  const all = lettersOf(text);
  return all.length <= letters ? text : `${all.slice(0, Math.max(0, letters - 1)).join('')}…`;
}
