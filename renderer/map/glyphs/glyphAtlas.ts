import type { Map as MapLibreMap } from 'maplibre-gl';
import { distanceField } from './distanceField.ts';
import type { GlyphShape, VehicleState } from './glyphShapes.ts';
import { BRACKETS, BRACKET_WIDTH_PX, GLYPHS, GLYPH_BOX, STALE_GLYPHS } from './glyphShapes.ts';

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
  const states = ['moving', 'idle', 'stopped', 'offline', 'never'] as const satisfies VehicleState[];
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
