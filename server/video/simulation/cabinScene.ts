import { createCamera } from './camera.ts';
import type { CameraMount } from './camera.ts';
import { drawDriver } from './driver.ts';
import type { Place } from './driver.ts';
import { drawLandscape } from './landscape.ts';
import type { Palette } from './palette.ts';
import { mix } from './picture.ts';
import type { Picture } from './picture.ts';
import { fillPolygon } from './polygon.ts';
import { drawRoadway, roadside } from './roadway.ts';
import type { Frame } from './roadScene.ts';
import { carsAround, traffic } from './traffic.ts';

/** The passenger's window at the picture's left, seen from the middle of the windscreen: out to the right and back. */
const WINDOW_MOUNT: CameraMount = {
  xM: 0.9,
  heightM: 1.9,
  zM: 0.5,
  yawDeg: 128,
  fieldDeg: 44,
  horizon: 0.66,
  mirrored: false,
};
const WINDOW = { width: 0.38, height: 0.62 };

/** The driver at the wheel, from above the windscreen; the landscape passes by in the side window. */
export function drawCabinScene(frame: Frame): void {
  const { picture, size, palette, moment, seed, light } = frame;
  const window = { width: size.width * WINDOW.width, height: size.height * WINDOW.height };
  const outside = createCamera(WINDOW_MOUNT, picture, window, 0);
  drawLandscape(outside, palette, moment.courseDeg, seed, light);
  drawRoadway(outside, palette, moment);
  const cars = carsAround(frame.journey, moment, frame.fromMs, seed);
  const standing = [...roadside(outside, palette, moment, seed), ...traffic(outside, palette, cars, light)];
  standing.sort((a, b) => b.depthM - a.depthM);
  for (const thing of standing) thing.draw();

  const place = drawer(picture, size);
  drawShell(place, palette, light);
  drawDriver(place, palette, moment);
}

function drawer(picture: Picture, { width, height }: { width: number; height: number }): Place {
  return (corners, colour, down = 0) => {
    const inPixels = corners.map((fraction, i) =>
      i % 2 === 0 ? fraction * width : (fraction + down) * height,
    );
    fillPolygon(picture, inPixels, colour);
  };
}

/** All that is not window: roof, pillars, door, rear wall, seat. */
function drawShell(place: Place, palette: Palette, light: number): void {
  const wall = palette('cabin');
  const edge = palette('cabinLight');
  place([0, 0, 1, 0, 1, 0.13, 0.4, 0.1, 0.04, 0.16, 0, 0.2], wall);
  place([0, 0.1, 0.05, 0.14, 0.03, 0.62, 0, 0.64], edge);
  place([0, 0.6, 0.36, 0.56, 0.36, 1, 0, 1], wall);
  place([0, 0.6, 0.36, 0.56, 0.36, 0.585, 0, 0.63], edge);
  place([0.36, 0.08, 0.4, 0.08, 0.42, 1, 0.34, 1], edge);
  place([0.39, 0.08, 1, 0.08, 1, 1, 0.41, 1], wall);
  place([0.74, 0.16, 0.97, 0.18, 0.97, 0.5, 0.74, 0.48], mix(palette('glass'), palette('sky'), 0.25 * light));
  place([0.74, 0.16, 0.755, 0.16, 0.755, 0.48, 0.74, 0.48], edge);
  place([0.44, 0.34, 0.47, 0.2, 0.63, 0.2, 0.67, 0.36, 0.72, 1, 0.4, 1], palette('seat'));
  place([0.49, 0.16, 0.62, 0.16, 0.63, 0.27, 0.48, 0.27], palette('seat'));
}
