import { TIGHTEST_BEND } from './journey.ts';
import type { Moment } from './journey.ts';
import type { Palette } from './palette.ts';
import { mix } from './picture.ts';
import type { Tint } from './picture.ts';

/** Fills a polygon (x, y, x, y, …) in shares of the scene, 0, 0 the upper left corner; `down` shifts it. */
export type Place = (corners: readonly number[], colour: Tint, down?: number) => void;

type Spot = readonly [number, number];

const ARC_STEPS = 28;
/** A share of the scene's height is this much shorter than the same share of its width. */
const SCENE_RATIO = 1.8;
/** How far the steering wheel turns for the tightest bend drawn, radians. */
const FULL_LOCK = 1.1;

/** Who drives, with the hands at the wheel; both turn as the road bends. */
export function drawDriver(place: Place, palette: Palette, moment: Moment): void {
  const steer = (moment.bend / TIGHTEST_BEND) * FULL_LOCK;
  const nod = moment.speedMs > 1 ? Math.sin(moment.roadM / 23) * 0.004 : 0;
  drawBody(place, palette);
  drawHead(place, palette, nod);
  drawArms(place, palette, steer);
  drawWheel(place, palette, steer);
}

function drawBody(place: Place, palette: Palette): void {
  const jacket = palette('jacket');
  place([0.45, 0.5, 0.51, 0.45, 0.6, 0.45, 0.67, 0.5, 0.7, 1, 0.42, 1], jacket);
  place([0.48, 0.47, 0.52, 0.46, 0.53, 1, 0.47, 1], palette('vest'));
  place([0.6, 0.46, 0.635, 0.47, 0.66, 1, 0.6, 1], palette('vest'));
  place([0.475, 0.72, 0.655, 0.72, 0.66, 0.77, 0.472, 0.77], palette('strap'));
  place([0.63, 0.46, 0.65, 0.475, 0.5, 1, 0.47, 1], palette('tyre'));
}

function drawHead(place: Place, palette: Palette, nod: number): void {
  place(oval(0.555, 0.345, 0.043, 0.115), palette('skin'), nod);
  place([0.53, 0.42, 0.58, 0.42, 0.585, 0.48, 0.525, 0.48], mix(palette('skin'), palette('cabin'), 0.3), nod);
  place(arc(0.555, 0.315, 0.048, 0.105, Math.PI, 2 * Math.PI), palette('cabinLight'), nod);
  place([0.505, 0.31, 0.607, 0.31, 0.6, 0.335, 0.512, 0.335], palette('bonnet'), nod);
  place([0.52, 0.345, 0.591, 0.345, 0.586, 0.372, 0.525, 0.372], palette('wheel'), nod);
}

function drawArms(place: Place, palette: Palette, steer: number): void {
  const jacket = palette('jacket');
  const upper = mix(jacket, palette('cabin'), 0.4);
  for (const { shoulder, hand } of handPlaces(steer)) {
    const [sx, sy] = shoulder;
    const [hx, hy] = hand;
    const elbow: Spot = [(sx + hx) / 2 + (sx < 0.55 ? -0.05 : 0.05), Math.max(sy, hy) - 0.02];
    place(limb(shoulder, elbow, 0.03), upper);
    place(limb(elbow, hand, 0.022), jacket);
    place(oval(hx, hy, 0.02, 0.038), palette('skin'));
  }
}

const HUB: Spot = [0.53, 0.93];
const RIM: Spot = [0.155, 0.22];

function handPlaces(steer: number) {
  // At ten to two; they go along with the wheel up to where arms would cross.
  const turned = Math.max(-0.7, Math.min(0.7, -steer));
  const at = (angle: number): Spot => [
    HUB[0] + Math.cos(angle + turned) * RIM[0],
    HUB[1] + Math.sin(angle + turned) * RIM[1],
  ];
  return [
    { shoulder: [0.46, 0.53] as const, hand: at(Math.PI + 0.55) },
    { shoulder: [0.66, 0.53] as const, hand: at(-0.55) },
  ];
}

/** Seen from the far side: it turns the other way round. */
function drawWheel(place: Place, palette: Palette, steer: number): void {
  const ring = (wide: number, colour: Tint) => {
    const outer = oval(HUB[0], HUB[1], RIM[0] + wide, RIM[1] + wide * 1.7);
    const inner = oval(HUB[0], HUB[1], RIM[0] - wide, RIM[1] - wide * 1.7);
    // From the outer ring to the inner one and back along the same line: even-odd leaves the hole.
    place([...outer, ...inner], colour);
  };
  ring(0.014, palette('wheel'));
  ring(0.004, palette('wheelEdge'));
  for (const angle of [0.1, Math.PI - 0.1, Math.PI / 2]) {
    const end: Spot = [HUB[0] + Math.cos(angle - steer) * RIM[0], HUB[1] + Math.sin(angle - steer) * RIM[1]];
    place(limb(HUB, end, 0.014), palette('wheel'));
  }
  place(oval(HUB[0], HUB[1], 0.04, 0.065), palette('wheel'));
}

/** Closed: its last corner is its first. */
function oval(x: number, y: number, rx: number, ry: number): number[] {
  return arc(x, y, rx, ry, 0, 2 * Math.PI);
}

function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): number[] {
  const corners: number[] = [];
  for (let i = 0; i <= ARC_STEPS; i++) {
    const angle = from + ((to - from) * i) / ARC_STEPS;
    corners.push(x + Math.cos(angle) * rx, y + Math.sin(angle) * ry);
  }
  return corners;
}

function limb(from: Spot, to: Spot, half: number): number[] {
  const [dx, dy] = [to[0] - from[0], (to[1] - from[1]) / SCENE_RATIO];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * half, (dx / length) * half * SCENE_RATIO];
  const slim = 0.8;
  return [
    ...[from[0] + nx, from[1] + ny, to[0] + nx * slim, to[1] + ny * slim],
    ...[to[0] - nx * slim, to[1] - ny * slim, from[0] - nx, from[1] - ny],
  ];
}
