import type { Part } from './cameraData.ts';

type Place = (corners: readonly number[], colour: string) => void;
type Spot = readonly [number, number];

const ARC_STEPS = 28;
/** A share of the scene's height is this much shorter than the same share of its width. */
const SCENE_RATIO = 1.8;
/** How far the steering wheel turns for the tightest bend drawn, radians. */
const FULL_LOCK = 1.1;

/** Who drives, with the hands at the wheel; both turn as the road bends. @param steer from -1 to 1, left to right */
export function driverParts(steer: number): Part[] {
  return partsOf((place) => {
    drawBody(place);
    drawHead(place);
    drawArms(place, steer * FULL_LOCK);
    drawWheel(place, steer * FULL_LOCK);
  });
}

/** Corners in shares of the scene, 0, 0 the upper left one. */
export function shellParts(): Part[] {
  return partsOf(drawShell);
}

function partsOf(draw: (place: Place) => void): Part[] {
  const parts: Part[] = [];
  draw((corners, colour) => parts.push({ corners: [...corners], colour }));
  return parts;
}

function drawBody(place: Place): void {
  const jacket = 'jacket';
  place([0.45, 0.5, 0.51, 0.45, 0.6, 0.45, 0.67, 0.5, 0.7, 1, 0.42, 1], jacket);
  place([0.48, 0.47, 0.52, 0.46, 0.53, 1, 0.47, 1], 'vest');
  place([0.6, 0.46, 0.635, 0.47, 0.66, 1, 0.6, 1], 'vest');
  place([0.475, 0.72, 0.655, 0.72, 0.66, 0.77, 0.472, 0.77], 'strap');
  place([0.63, 0.46, 0.65, 0.475, 0.5, 1, 0.47, 1], 'tyre');
}

function drawHead(place: Place): void {
  place(oval(0.555, 0.345, 0.043, 0.115), 'skin');
  place([0.53, 0.42, 0.58, 0.42, 0.585, 0.48, 0.525, 0.48], 'neck');
  place(arc(0.555, 0.315, 0.048, 0.105, Math.PI, 2 * Math.PI), 'cabinLight');
  place([0.505, 0.31, 0.607, 0.31, 0.6, 0.335, 0.512, 0.335], 'bonnet');
  place([0.52, 0.345, 0.591, 0.345, 0.586, 0.372, 0.525, 0.372], 'wheel');
}

function drawArms(place: Place, steer: number): void {
  const jacket = 'jacket';
  for (const { shoulder, hand } of handPlaces(steer)) {
    const [sx, sy] = shoulder;
    const [hx, hy] = hand;
    const elbow: Spot = [(sx + hx) / 2 + (sx < 0.55 ? -0.05 : 0.05), Math.max(sy, hy) - 0.02];
    place(limb(shoulder, elbow, 0.03), 'sleeve');
    place(limb(elbow, hand, 0.022), jacket);
    place(oval(hx, hy, 0.02, 0.038), 'skin');
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
function drawWheel(place: Place, steer: number): void {
  const ring = (wide: number, colour: string) => {
    const outer = oval(HUB[0], HUB[1], RIM[0] + wide, RIM[1] + wide * 1.7);
    const inner = oval(HUB[0], HUB[1], RIM[0] - wide, RIM[1] - wide * 1.7);
    // From the outer ring to the inner one and back along the same line: even-odd leaves the hole.
    place([...outer, ...inner], colour);
  };
  ring(0.014, 'wheel');
  ring(0.004, 'wheelEdge');
  for (const angle of [0.1, Math.PI - 0.1, Math.PI / 2]) {
    const end: Spot = [HUB[0] + Math.cos(angle - steer) * RIM[0], HUB[1] + Math.sin(angle - steer) * RIM[1]];
    place(limb(HUB, end, 0.014), 'wheel');
  }
  place(oval(HUB[0], HUB[1], 0.04, 0.065), 'wheel');
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

/** All that is not window: roof, pillars, door, rear wall, seat. */
function drawShell(place: Place): void {
  const wall = 'cabin';
  const edge = 'cabinLight';
  place([0, 0, 1, 0, 1, 0.13, 0.4, 0.1, 0.04, 0.16, 0, 0.2], wall);
  place([0, 0.1, 0.05, 0.14, 0.03, 0.62, 0, 0.64], edge);
  place([0, 0.6, 0.36, 0.56, 0.36, 1, 0, 1], wall);
  place([0, 0.6, 0.36, 0.56, 0.36, 0.585, 0, 0.63], edge);
  place([0.36, 0.08, 0.4, 0.08, 0.42, 1, 0.34, 1], edge);
  place([0.39, 0.08, 1, 0.08, 1, 1, 0.41, 1], wall);
  place([0.74, 0.16, 0.97, 0.18, 0.97, 0.5, 0.74, 0.48], 'rearWindow');
  place([0.74, 0.16, 0.755, 0.16, 0.755, 0.48, 0.74, 0.48], edge);
  place([0.44, 0.34, 0.47, 0.2, 0.63, 0.2, 0.67, 0.36, 0.72, 1, 0.4, 1], 'seat');
  place([0.49, 0.16, 0.62, 0.16, 0.63, 0.27, 0.48, 0.27], 'seat');
}
