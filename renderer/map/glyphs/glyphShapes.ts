/** What a vehicle is known to do. */
export type VehicleState = 'moving' | 'idle' | 'stopped' | 'overdue' | 'offline' | 'never';

export interface GlyphStroke {
  path: string;
  widthPx: number;
  dash?: readonly number[];
}

/** A glyph in a box of 24 by 24, as SVG paths. One colour; `ground` is the area that hides the map beneath it. */
export interface GlyphShape {
  ground: string;
  fill: string | null;
  strokes: readonly GlyphStroke[];
}

export const GLYPH_BOX = 24;

const ARROWHEAD = 'M12 4L17.8 18.6L12 15.4L6.2 18.6Z';
const RING = 'M7 12a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z';
const DOT = 'M10.1 12a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0Z';
const SQUARE =
  'M9.25 7.75h5.5a1.5 1.5 0 0 1 1.5 1.5v5.5a1.5 1.5 0 0 1-1.5 1.5h-5.5a1.5 1.5 0 0 1-1.5-1.5v-5.5a1.5 1.5 0 0 1 1.5-1.5Z';
const CROSS = 'M10 10L14 14M14 10L10 14';
const HANDS = 'M12 8.9V12L14.2 13.3';

// Eight dashes round a circle of radius 5: its length, 31.4, is eight times 3.93.
const RING_DASH = [2.33, 1.6];

/** Filled: known now. */
export const GLYPHS: Readonly<Record<VehicleState, GlyphShape>> = {
  moving: { ground: ARROWHEAD, fill: ARROWHEAD, strokes: [] },
  idle: { ground: RING, fill: DOT, strokes: [{ path: RING, widthPx: 2 }] },
  stopped: { ground: SQUARE, fill: SQUARE, strokes: [] },
  overdue: {
    ground: RING,
    fill: null,
    strokes: [
      { path: RING, widthPx: 1.5, dash: RING_DASH },
      { path: HANDS, widthPx: 1.3 },
    ],
  },
  offline: {
    ground: RING,
    fill: null,
    strokes: [
      { path: RING, widthPx: 1.5, dash: RING_DASH },
      { path: CROSS, widthPx: 1.3 },
    ],
  },
  never: { ground: RING, fill: null, strokes: [{ path: RING, widthPx: 1.5, dash: RING_DASH }] },
};

/** Hollow: known once. What was hollow before stays as it is. */
export const STALE_GLYPHS: Readonly<Record<VehicleState, GlyphShape>> = {
  moving: { ground: ARROWHEAD, fill: null, strokes: [{ path: ARROWHEAD, widthPx: 1.4 }] },
  idle: {
    ground: RING,
    fill: null,
    strokes: [
      { path: RING, widthPx: 1.2 },
      { path: DOT, widthPx: 1 },
    ],
  },
  stopped: { ground: SQUARE, fill: null, strokes: [{ path: SQUARE, widthPx: 1.4 }] },
  overdue: GLYPHS.overdue,
  offline: GLYPHS.offline,
  never: GLYPHS.never,
};

export const glyphShape = (state: VehicleState, stale: boolean): GlyphShape =>
  stale ? STALE_GLYPHS[state] : GLYPHS[state];

/** Round the shape of every vehicle with an alarm. */
export const BRACKETS = 'M1 6V1H6M18 1H23V6M23 18V23H18M6 23H1V18';
export const BRACKET_WIDTH_PX = { open: 1.6, acknowledged: 1 } as const;

/** Round the brackets of the selected vehicle. */
export const SELECTION_RADIUS_PX = 17;
export const SELECTION_WIDTH_PX = 2;
