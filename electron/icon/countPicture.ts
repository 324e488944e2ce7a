import { drawPixels, paint, type Box } from './picture.ts';

/** As the console's own colours for alarms and warnings, on a dark ground. */
const SEVERITY_COLORS = { alarm: ['#ff7364', '#2b0805'], warning: ['#f0b445', '#2a1d00'] } as const;
export type CountColor = keyof typeof SEVERITY_COLORS;

/** What is drawn on a disc instead of more digits than it has space for. */
const MOST = 9;
/** Share of the icon's edge that the disc takes. */
const DISC = 0.72;

/** Three cells wide, five high; the disc of a small icon has no pixels for more. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  1: ['010', '110', '010', '010', '111'],
  2: ['111', '001', '111', '100', '111'],
  3: ['111', '001', '111', '001', '111'],
  4: ['101', '101', '111', '001', '001'],
  5: ['111', '100', '111', '001', '111'],
  6: ['111', '100', '111', '101', '111'],
  7: ['111', '001', '010', '010', '010'],
  8: ['111', '101', '111', '101', '111'],
  9: ['111', '101', '111', '001', '111'],
  '+': ['000', '010', '111', '010', '000'],
};

/** The program's icon with the number of open alarms at its lower right; none for 0. As `drawPixels`. */
export function drawIconWithCount(size: number, count: number, color: CountColor): Uint8Array {
  const pixels = drawPixels(size);
  if (count > 0)
    drawCount(
      pixels,
      size,
      { left: size * (1 - DISC), top: size * (1 - DISC), edge: size * DISC },
      count,
      color,
    );
  return pixels;
}

/** The number alone, on a disc that fills the picture. */
export function drawDisc(size: number, count: number, color: CountColor): Uint8Array {
  const pixels = new Uint8Array(size * size * 4);
  drawCount(pixels, size, { left: 0, top: 0, edge: size }, count, color);
  return pixels;
}

function drawCount(
  pixels: Uint8Array,
  size: number,
  { left, top, edge }: { left: number; top: number; edge: number },
  count: number,
  color: CountColor,
): void {
  const [ground, ink] = SEVERITY_COLORS[color];
  const radius = edge / 2;
  const disc = { left, top, right: left + edge, bottom: top + edge };
  paint(pixels, size, ground, disc, (x, y) => Math.hypot(x - left - radius, y - top - radius) <= radius);

  const text = count > MOST ? `${MOST}+` : String(count);
  const cells = text.length * 4 - 1;
  // The widest text and the highest digit both lie within the disc.
  const cell = edge / (text.length === 1 ? 7.5 : 10);
  const box: Box = {
    left: left + radius - (cells * cell) / 2,
    top: top + radius - 2.5 * cell,
    right: left + radius + (cells * cell) / 2,
    bottom: top + radius + 2.5 * cell,
  };
  // All signs at once: at the seams of cells that are no whole pixels the disc would shine through.
  paint(pixels, size, ink, box, (x, y) => {
    const across = Math.floor((x - box.left) / cell);
    const row = GLYPHS[text[Math.floor(across / 4)] ?? '']?.[Math.floor((y - box.top) / cell)];
    return across >= 0 && row?.[across % 4] === '1';
  });
}

/** The mark in black and without its tile: macOS colours such pictures in its menu bar itself. As `drawPixels`. */
export function drawTemplate(size: number): Uint8Array {
  const pixels = drawPixels(size);
  for (let at = 0; at < pixels.length; at += 4) {
    // The tile is dark, the shapes on it are light.
    const light = Math.max(...pixels.subarray(at, at + 3)) / 255;
    pixels[at + 3] = Math.round((pixels[at + 3] ?? 0) * (light < 0.15 ? 0 : light));
    pixels.fill(0, at, at + 3);
  }
  return pixels;
}
