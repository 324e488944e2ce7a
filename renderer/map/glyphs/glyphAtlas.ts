import type { Map as MapLibreMap } from 'maplibre-gl';
import {
  type GlyphShape,
  type VehicleState,
  BRACKETS,
  BRACKET_WIDTH_PX,
  GLYPHS,
  GLYPH_BOX,
  STALE_GLYPHS,
} from './glyphShapes.ts';

const PIXEL_RATIO = 2;
const OVERSAMPLING = 2;
// Room for the field outside of the brackets, which touch the box.
const MARGIN_PX = 3;

export const glyphImage = (state: VehicleState, stale: boolean): string =>
  `glyph/${state}${stale ? '/stale' : ''}`;
export const groundImage = (state: VehicleState): string => `ground/${state}`;
export const bracketImage = (acknowledged: boolean): string =>
  `brackets/${acknowledged ? 'acknowledged' : 'open'}`;

/** Draws every shape once and gives them to the map as distance fields: one drawing for all colours and both themes. */
export function addGlyphAtlas(map: MapLibreMap): void {
  const states = [
    'moving',
    'idle',
    'stopped',
    'overdue',
    'offline',
    'never',
  ] as const satisfies VehicleState[];
  for (const state of states) {
    addField(map, glyphImage(state, false), GLYPHS[state], 0);
    addField(map, glyphImage(state, true), STALE_GLYPHS[state], 0);
    addField(map, groundImage(state), { ground: '', fill: GLYPHS[state].ground, strokes: [] }, 0);
  }
  for (const acknowledged of [false, true]) {
    const widthPx = acknowledged ? BRACKET_WIDTH_PX.acknowledged : BRACKET_WIDTH_PX.open;
    addField(
      map,
      bracketImage(acknowledged),
      { ground: '', fill: null, strokes: [{ path: BRACKETS, widthPx }] },
      MARGIN_PX,
    );
  }
}

function addField(map: MapLibreMap, name: string, shape: GlyphShape, marginPx: number): void {
  const side = (GLYPH_BOX + 2 * marginPx) * PIXEL_RATIO;
  const field = distanceField(
    drawShape(shape, side * OVERSAMPLING, marginPx),
    side,
    side,
    OVERSAMPLING,
    PIXEL_RATIO,
  );
  const data = new Uint8ClampedArray(field.length * 4);
  field.forEach((distance, i) => (data[i * 4 + 3] = distance));
  map.addImage(name, { width: side, height: side, data }, { sdf: true, pixelRatio: PIXEL_RATIO });
}

/** The alpha of a shape drawn in a square of `side` pixels. */
function drawShape(shape: GlyphShape, side: number, marginPx: number): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser draws no canvas');
  const scale = side / (GLYPH_BOX + 2 * marginPx);
  context.scale(scale, scale);
  context.translate(marginPx, marginPx);
  if (shape.fill !== null) context.fill(new Path2D(shape.fill));
  for (const { path, widthPx, dash } of shape.strokes) {
    context.lineWidth = widthPx;
    context.setLineDash([...(dash ?? [])]);
    context.stroke(new Path2D(path));
  }
  const { data } = context.getImageData(0, 0, side, side);
  const alpha = new Uint8ClampedArray(side * side);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[i * 4 + 3] ?? 0;
  return alpha;
}

// What MapLibre's symbol shader expects of an icon's alpha (src/shaders/glsl/symbol_sdf.fragment.glsl): the outline
// at 192 of 256, and 8 pixels of distance over the whole range.
const OUTLINE = 0.75;
const RANGE_PX = 8;

/**
 * Turns a drawing into a signed distance field, one byte a pixel, for MapLibre's `sdf` images.
 * `coverage` is the alpha (0 to 255) of a drawing that is `oversampling` times as wide and high as the field;
 * `pixelRatio` is the number of field pixels to a pixel of the screen.
 */
export function distanceField(
  coverage: Uint8ClampedArray,
  width: number,
  height: number,
  oversampling: number,
  pixelRatio: number,
): Uint8ClampedArray {
  const fineWidth = width * oversampling;
  const fineHeight = height * oversampling;
  if (coverage.length !== fineWidth * fineHeight)
    throw new RangeError('the drawing has another size than stated');
  const toInside = squaredDistances(coverage, fineWidth, fineHeight, (alpha) => alpha >= 128);
  const toOutside = squaredDistances(coverage, fineWidth, fineHeight, (alpha) => alpha < 128);
  const field = new Uint8ClampedArray(width * height);
  const fineToPx = 1 / (oversampling * pixelRatio);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = 0; dy < oversampling; dy++) {
        for (let dx = 0; dx < oversampling; dx++) {
          const at = (y * oversampling + dy) * fineWidth + x * oversampling + dx;
          // Both distances run to pixel centres; the outline lies half a pixel before them.
          const outside = Math.sqrt(toInside[at] ?? 0);
          const inside = Math.sqrt(toOutside[at] ?? 0);
          sum += outside > 0 ? outside - 0.5 : 0.5 - inside;
        }
      }
      const outwardsPx = (sum / oversampling ** 2) * fineToPx;
      field[y * width + x] = 255 * (OUTLINE - outwardsPx / RANGE_PX);
    }
  }
  return field;
}

/** Squared distance of every pixel to the nearest one that is in the set (Felzenszwalb and Huttenlocher, 2012). */
function squaredDistances(
  coverage: Uint8ClampedArray,
  width: number,
  height: number,
  isIn: (alpha: number) => boolean,
): Float64Array {
  // Farther than any two pixels of the drawing, and finite, so that differences stay numbers.
  const far = (width + height) ** 2;
  const grid = Float64Array.from(coverage, (alpha) => (isIn(alpha) ? 0 : far));
  const longest = Math.max(width, height);
  const line = new Float64Array(longest);
  const hull = { at: new Int32Array(longest), from: new Float64Array(longest + 1) };
  for (let x = 0; x < width; x++) transformLine(grid, x, width, height, line, hull);
  for (let y = 0; y < height; y++) transformLine(grid, y * width, 1, width, line, hull);
  return grid;
}

/** The lower envelope of the parabolas that stand on one row or column. */
function transformLine(
  grid: Float64Array,
  start: number,
  stride: number,
  length: number,
  line: Float64Array,
  hull: { at: Int32Array; from: Float64Array },
): void {
  const valueAt = (index: number): number => line[index] ?? 0;
  const crossing = (a: number, b: number): number =>
    (valueAt(a) + a * a - valueAt(b) - b * b) / (2 * (a - b));
  for (let i = 0; i < length; i++) line[i] = grid[start + i * stride] ?? 0;
  let top = 0;
  hull.at[0] = 0;
  hull.from[0] = -Infinity;
  hull.from[1] = Infinity;
  for (let i = 1; i < length; i++) {
    let from = crossing(i, hull.at[top] ?? 0);
    while (from <= (hull.from[top] ?? -Infinity)) {
      top--;
      from = crossing(i, hull.at[top] ?? 0);
    }
    top++;
    hull.at[top] = i;
    hull.from[top] = from;
    hull.from[top + 1] = Infinity;
  }
  let part = 0;
  for (let i = 0; i < length; i++) {
    while ((hull.from[part + 1] ?? Infinity) < i) part++;
    const nearest = hull.at[part] ?? 0;
    grid[start + i * stride] = valueAt(nearest) + (i - nearest) ** 2;
  }
}
