/** Where things lie on a snapshot, in its own pixels. */
export interface SnapshotPlan {
  width: number;
  height: number;
  /** Of each picture, in the order given. */
  places: { left: number; top: number; width: number; height: number }[];
  /** The strip below the pictures: no part of the recording is covered. */
  strip: { top: number; padding: number; fontPx: number; lineHeight: number; lines: string[] };
}

/** Letters as high as a thirtieth of the picture are read on a printed page, and never fall below 12 px. */
const LETTER_SHARE = 1 / 30;
const LEAST_LETTER_PX = 12;
const LINE = 1.4;
const GAP_PX = 2;

/**
 * Places pictures at their own size, those of several channels in a grid, with lines of words below. Words that belong
 * together are set on one line as far as there is room.
 *
 * @param measure the width of a text in letters of so many pixels
 */
export function snapshotPlan(
  pictures: readonly { width: number; height: number }[],
  words: readonly (readonly string[])[],
  measure: (text: string, fontPx: number) => number,
): SnapshotPlan {
  const columns = Math.ceil(Math.sqrt(pictures.length));
  const rows = Math.ceil(pictures.length / columns);
  const cell = {
    width: Math.max(...pictures.map((it) => it.width)),
    height: Math.max(...pictures.map((it) => it.height)),
  };
  const width = columns * cell.width + (columns - 1) * GAP_PX;
  const top = rows * cell.height + (rows - 1) * GAP_PX;
  const fontPx = Math.max(LEAST_LETTER_PX, Math.round(top * LETTER_SHARE));
  const padding = fontPx;
  const lineHeight = Math.round(fontPx * LINE);
  const room = width - 2 * padding;
  const lines = words.flatMap((line) => setLines(line, (text) => measure(text, fontPx) <= room));
  return {
    width,
    height: top + 2 * padding + lines.length * lineHeight,
    places: pictures.map((it, index) => ({
      left: (index % columns) * (cell.width + GAP_PX) + Math.floor((cell.width - it.width) / 2),
      top: Math.floor(index / columns) * (cell.height + GAP_PX) + Math.floor((cell.height - it.height) / 2),
      width: it.width,
      height: it.height,
    })),
    strip: { top, padding, fontPx, lineHeight, lines },
  };
}

/** A part that is too long for a line by itself is left whole: it is drawn narrower. */
function setLines(parts: readonly string[], fits: (text: string) => boolean): string[] {
  const lines: string[] = [];
  for (const part of parts.filter((it) => it !== '')) {
    const longer = lines.length === 0 ? part : `${lines.at(-1) ?? ''} · ${part}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
