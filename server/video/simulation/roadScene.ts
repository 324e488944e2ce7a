import { createCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { gantries } from './gantry.ts';
import type { Journey, Moment } from './journey.ts';
import { drawLandscape } from './landscape.ts';
import type { Palette } from './palette.ts';
import { mix } from './picture.ts';
import type { Picture } from './picture.ts';
import { fillPolygon } from './polygon.ts';
import { drawRoadway, roadside } from './roadway.ts';
import { carsAround, traffic } from './traffic.ts';
import { MOUNTS } from './view.ts';
import type { View } from './view.ts';

/** What one frame is drawn from. */
export interface Frame {
  picture: Picture;
  /** The part above the caption strip, pixels. */
  size: { width: number; height: number };
  palette: Palette;
  /** 0 at night, 1 by day. */
  light: number;
  moment: Moment;
  journey: Journey;
  fromMs: number;
  /** Of the vehicle: its traffic, trees and signs. */
  seed: number;
}

/** The road as one of the outer cameras sees it; all of them see the same road and the same cars. */
export function drawRoadScene(frame: Frame, view: Exclude<View, 'cabin'>): void {
  const { palette, moment, light, seed } = frame;
  const camera = createCamera(MOUNTS[view], frame.picture, frame.size, moment.bend);
  drawLandscape(camera, palette, moment.courseDeg, seed, light);
  drawRoadway(camera, palette, moment);
  const cars = carsAround(frame.journey, moment, frame.fromMs, seed);
  const standing = [
    ...roadside(camera, palette, moment, seed),
    ...gantries(camera, palette, moment, seed),
    ...traffic(camera, palette, cars, light),
  ];
  for (const thing of standing.sort((a, b) => b.depthM - a.depthM)) thing.draw();
  drawOwnVehicle(camera, palette, view);
}

function drawOwnVehicle(camera: Camera, palette: Palette, view: Exclude<View, 'cabin'>): void {
  const { width, height, picture } = camera;
  if (view === 'front') {
    const hood: number[] = [width, height, 0, height];
    for (let x = 0; x <= width; x += 32)
      hood.push(x, height - 22 * (1 - ((x - width / 2) / (width / 2)) ** 2 * 0.8));
    fillPolygon(picture, hood, palette('bonnet'));
  } else if (view === 'rear') {
    fillPolygon(
      picture,
      [
        0,
        height,
        0,
        height - 12,
        width * 0.2,
        height - 16,
        width * 0.8,
        height - 16,
        width,
        height - 12,
        width,
        height,
      ],
      palette('bonnet'),
    );
  } else {
    drawOwnSide(camera, palette, view === 'left' ? -1.02 : 1.02);
  }
}

/** The own body along the picture's edge, with the gap under it, a rear wheel and a shadow. */
function drawOwnSide(camera: Camera, palette: Palette, x: number): void {
  const out = x * 1.35;
  camera.fill([x * 0.5, 0, 2, out, 0, 2, out, 0, -5.2, x * 0.5, 0, -5.2], palette('shadow'));
  camera.fill([x, 0.55, 2, x, 2.9, 2, x, 2.9, -5, x, 0.55, -5], palette('ownBody'));
  camera.fill([x, 0.45, 2, x, 0.8, 2, x, 0.8, -5, x, 0.45, -5], palette('ownBodyLow'));
  camera.fill(
    [x, 1.5, 2, x, 1.58, 2, x, 1.58, -5, x, 1.5, -5],
    mix(palette('ownBody'), palette('shadow'), 0.18),
  );
  camera.fill([x, 0.8, -1.6, x, 2.8, -1.6, x, 2.8, -1.66, x, 0.8, -1.66], palette('ownBodyLow'));
  const wheel: number[] = [];
  for (let i = 0; i < 16; i++) {
    const angle = (i / 16) * 2 * Math.PI;
    wheel.push(x * 1.01, 0.36 + 0.36 * Math.sin(angle), -3.6 + 0.36 * Math.cos(angle));
  }
  camera.fill(wheel, palette('tyre'));
}
