import type { Camera } from './camera.ts';
import { chance } from './chance.ts';
import type { Moment } from './journey.ts';
import type { Palette } from './palette.ts';
import { eachPlace, LANE_M } from './roadway.ts';
import type { Standing } from './roadway.ts';
import { eachDot } from './text.ts';

const EVERY_M = 700;
const SEEN_M = 200;
const LEFT_M = -6.9;
const RIGHT_M = 8.9;
const BEAM_M = 6.6;
/** Invented names, as on the demo's town. */
const PLACES = ['Northgate', 'Hillside', 'Riverside', 'Old Mill', 'Harbour', 'Westfield', 'Station'];

/** Sign bridges over the own carriageway; their boards face those who drive towards them. */
export function gantries(camera: Camera, palette: Palette, moment: Moment, seed: number): Standing[] {
  const found: Standing[] = [];
  eachPlace(moment.roadM, EVERY_M, SEEN_M, (z, index) => {
    const depthM = camera.depthOf(0, z);
    if (depthM > 1) found.push({ depthM, draw: () => drawGantry(camera, palette, z, index, seed) });
  });
  return found;
}

function drawGantry(camera: Camera, palette: Palette, z: number, index: number, seed: number): void {
  const steel = palette('steel');
  const upright = (x0: number, x1: number, y0: number, y1: number) =>
    camera.fill([x0, y0, z, x1, y0, z, x1, y1, z, x0, y1, z], steel);
  upright(LEFT_M - 0.2, LEFT_M + 0.2, 0, BEAM_M + 0.5);
  upright(RIGHT_M - 0.2, RIGHT_M + 0.2, 0, BEAM_M + 0.5);
  upright(LEFT_M, RIGHT_M, BEAM_M, BEAM_M + 0.5);
  const seesFront = z > camera.mount.zM;
  const place = PLACES[Math.floor(chance(seed, index) * PLACES.length)] ?? 'Northgate';
  const distanceKm = 1 + Math.floor(chance(seed, index, 1) * 9);
  drawBoard(camera, palette, {
    middle: -LANE_M * 0.75,
    width: 6,
    z,
    words: seesFront ? [place, `A${index % 9}`] : [],
  });
  drawBoard(camera, palette, { middle: LANE_M, width: 4.4, z, words: seesFront ? [`${distanceKm} km`] : [] });
}

function drawBoard(
  camera: Camera,
  palette: Palette,
  board: { middle: number; width: number; z: number; words: string[] },
): void {
  const { middle, width, z } = board;
  const [left, right, low, high] = [middle - width / 2, middle + width / 2, BEAM_M - 0.6, BEAM_M + 2.2];
  const face = board.words.length > 0 ? 'board' : 'steel';
  camera.fill([left, low, z, right, low, z, right, high, z, left, high, z], palette(face));
  // Too far to read: a dot of a letter would be less than half a pixel.
  const dotM = 0.1;
  if ((camera.focalPx * dotM) / camera.depthOf(middle, z) < 0.5) return;
  board.words.forEach((word, line) => {
    const top = high - 0.35 - line * 1.2;
    eachDot(word, (column, row) => {
      const x = left + 0.35 + column * dotM;
      const y = top - row * dotM;
      camera.fill([x, y, z, x + dotM, y, z, x + dotM, y - dotM, z, x, y - dotM, z], palette('boardText'));
    });
  });
}
