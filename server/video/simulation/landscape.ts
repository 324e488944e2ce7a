import type { Camera } from './camera.ts';
import { chance } from './chance.ts';
import type { Palette } from './palette.ts';
import { fillRect } from './picture.ts';
import { fillPolygon } from './polygon.ts';

/** Columns between two points of a ridge, pixels. */
const RIDGE_STEP_PX = 12;
/** Width of one plot of the distant town, degrees of the compass; 360 is a multiple of it. */
const PLOT_DEG = 3;

/**
 * Sky, hills, a distant town and the ground, all by the compass: when the vehicle turns, they pan.
 * @param courseDeg where the vehicle goes. @param seed of the neighbourhood
 */
export function drawLandscape(
  camera: Camera,
  palette: Palette,
  courseDeg: number,
  seed: number,
  light: number,
): void {
  const { picture, width, height, horizonY } = camera;
  fillRect(picture, 0, 0, width, horizonY, palette('sky'));
  fillRect(picture, 0, horizonY - 30, width, 30, palette('haze'));
  drawRidge(camera, palette('farHills'), (bearing) => ridgeDeg(bearing, courseDeg, seed, 8, 3));
  drawRidge(camera, palette('hills'), (bearing) => ridgeDeg(bearing, courseDeg, seed + 1, 5, 5));
  drawTown(camera, palette, courseDeg, seed, light);
  drawRidge(camera, palette('trees'), (bearing) => 0.9 + ridgeDeg(bearing, courseDeg, seed + 2, 1.7, 19));
  fillRect(picture, 0, horizonY, width, height - horizonY, palette('ground'));
}

/** Height of a ridge over the horizon, degrees: a few waves that close after a full turn. */
function ridgeDeg(
  bearing: number,
  courseDeg: number,
  seed: number,
  heightDeg: number,
  waves: number,
): number {
  const angle = ((bearing + courseDeg) / 180) * Math.PI;
  const wave = (n: number) => Math.sin(angle * (waves + n * 3) + chance(seed, n) * 6.28) / (n + 1);
  return heightDeg * Math.max(0.08, 0.45 + 0.35 * (wave(0) + wave(1) + wave(2)));
}

function drawRidge(
  camera: Camera,
  colour: Parameters<typeof fillPolygon>[2],
  heightDeg: (bearing: number) => number,
) {
  const { width, horizonY, focalPx, mount } = camera;
  const side = mount.mirrored ? -1 : 1;
  const points = [width, horizonY + 1, 0, horizonY + 1];
  for (let x = 0; x < width + RIDGE_STEP_PX; x += RIDGE_STEP_PX) {
    const off = Math.atan(((x - width / 2) * side) / focalPx);
    const bearing = mount.yawDeg + (off / Math.PI) * 180;
    points.push(x, horizonY - focalPx * Math.tan((heightDeg(bearing) / 180) * Math.PI));
  }
  fillPolygon(camera.picture, points, colour);
}

function drawTown(camera: Camera, palette: Palette, courseDeg: number, seed: number, light: number): void {
  const { picture, horizonY, focalPx, mount } = camera;
  const pxPerDeg = (focalPx * Math.PI) / 180;
  const first = Math.floor((courseDeg + mount.yawDeg - 50) / PLOT_DEG);
  for (let plot = first; plot < first + 100 / PLOT_DEG; plot++) {
    const around = ((plot % (360 / PLOT_DEG)) + 360 / PLOT_DEG) % (360 / PLOT_DEG);
    const quarter = chance(seed, Math.floor(around / 9), 3);
    if (quarter < 0.35 || chance(seed, around, 4) < 0.25) continue;
    const column = camera.columnOf(plot * PLOT_DEG - courseDeg);
    if (column === null) continue;
    const tall = (1.8 + 6.5 * chance(seed, around, 5) * quarter) * pxPerDeg;
    const wide = PLOT_DEG * pxPerDeg * (0.55 + 0.6 * chance(seed, around, 6));
    fillRect(picture, column, horizonY - tall, wide, tall, palette('town'));
    if (light > 0.6) continue;
    drawWindows(camera, palette, { column, wide, tall, around, seed });
  }
}

function drawWindows(
  { picture, horizonY }: Camera,
  palette: Palette,
  house: { column: number; wide: number; tall: number; around: number; seed: number },
): void {
  for (let floor = 4; floor < house.tall - 2; floor += 5) {
    for (let x = 3; x < house.wide - 3; x += 5) {
      if (chance(house.seed, house.around * 997 + floor * 31 + x, 7) < 0.6) continue;
      fillRect(picture, house.column + x, horizonY - house.tall + floor, 2, 2, palette('townWindow'));
    }
  }
}
