import type { MapPalette } from '../mapPalette.ts';

/** How many vehicles of a cluster are in each state. */
export interface StateCounts {
  moving: number;
  idle: number;
  stopped: number;
  overdue: number;
  offline: number;
}

const RING_WIDTH_PX = 3;
const GROUND_MARGIN_PX = 3;

/** Shares are drawn in steps of a 16th, so that a large fleet needs dozens of drawings and not thousands. */
const STEPS = 16;
/** Room between two shares, a part of a step: neighbours in nearly one grey (stopped, offline) need it. */
const GAP_STEPS = 0.25;
const OFFLINE_OPACITY = 0.55;

export interface RingImage {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

const STATES = ['moving', 'idle', 'stopped', 'overdue', 'offline'] as const;

export function clusterRadiusPx(count: number): 13 | 16 | 19 {
  if (count <= 14) return 13;
  return count <= 40 ? 16 : 19;
}

/** The share of each state in steps that add up to 16; a state that is there at all has one step at least. */
export function ringShares(counts: StateCounts): number[] {
  const total = STATES.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0) throw new RangeError('a cluster needs vehicles');
  const shares = STATES.map((state) =>
    counts[state] === 0 ? 0 : Math.max(1, Math.round((counts[state] / total) * STEPS)),
  );
  const largest = shares.indexOf(Math.max(...shares));
  const excess = shares.reduce((sum, share) => sum + share, 0) - STEPS;
  shares[largest] = (shares[largest] ?? 0) - excess;
  return shares;
}

/** The name of a cluster's drawing: size and shares. */
export function ringImage(counts: StateCounts, count: number): string {
  return `ring/${clusterRadiusPx(count)}/${ringShares(counts).join('-')}`;
}

/** Draws the ring that `ringImage` names, in the colours of a theme: RGBA, `pixelRatio` pixels to one of the screen. */
export function drawRing(name: string, palette: MapPalette, pixelRatio: number): RingImage {
  const [, radius = '', shares = ''] = name.split('/');
  const radiusPx = Number(radius);
  const half = radiusPx + GROUND_MARGIN_PX + 1;
  const side = Math.ceil(half * 2 * pixelRatio);
  const data = new Uint8ClampedArray(side * side * 4);
  const arcs = arcsOf(shares.split('-').map(Number));
  const land = rgb(palette.land);
  const surface = rgb(palette.surface);
  const colours = STATES.map((state) => rgb(palette[state]));
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = (column + 0.5) / pixelRatio - half;
      const y = (row + 0.5) / pixelRatio - half;
      const distance = Math.hypot(x, y);
      const cover = (edgePx: number): number => Math.max(0, Math.min(1, edgePx * pixelRatio + 0.5));
      let colour = mix(land, surface, cover(radiusPx + GROUND_MARGIN_PX - distance));
      const onRing = cover(RING_WIDTH_PX / 2 - Math.abs(distance - radiusPx));
      if (onRing > 0) {
        const step = ((Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1) * STEPS;
        const stepPx = (2 * Math.PI * radiusPx) / STEPS;
        arcs.forEach(({ from, to }, i) => {
          const onArc = cover(Math.min(step - from, to - step) * stepPx);
          const opacity = STATES[i] === 'offline' ? OFFLINE_OPACITY : 1;
          if (to > from) colour = mix(colour, colours[i] ?? land, onRing * onArc * opacity);
        });
      }
      const alpha = 255 * cover(radiusPx + GROUND_MARGIN_PX + 0.5 - distance);
      data.set([...colour, alpha], (row * side + column) * 4);
    }
  }
  return { width: side, height: side, data };
}

/** Where each share begins and ends, in steps clockwise from the top; a share that is all of it has no gap. */
function arcsOf(shares: readonly number[]): { from: number; to: number }[] {
  let at = 0;
  return shares.map((share) => {
    const from = at;
    at += share;
    if (share === STEPS) return { from: -1, to: STEPS + 1 };
    return { from, to: share === 0 ? from : at - GAP_STEPS };
  });
}

type Rgb = readonly [number, number, number];

function mix(below: Rgb, above: Rgb, share: number): Rgb {
  const blend = (a: number, b: number): number => a + (b - a) * share;
  return [blend(below[0], above[0]), blend(below[1], above[1]), blend(below[2], above[2])];
}

function rgb(colour: string): Rgb {
  const value = /^#[0-9a-f]{6}$/i.test(colour) ? Number.parseInt(colour.slice(1), 16) : NaN;
  if (Number.isNaN(value)) throw new Error(`${colour} is no hex colour`);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
