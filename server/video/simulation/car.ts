import type { Camera } from './camera.ts';
import type { ColourName, Palette } from './palette.ts';
import { mix } from './picture.ts';

export interface Car {
  xM: number;
  /** Its hindmost point: metres ahead of the own front axle, negative behind. */
  zM: number;
  /** 1 when it drives as we do, −1 when it comes towards us. */
  heading: 1 | -1;
  paint: ColourName;
  isVan: boolean;
}

interface Build {
  /** Half of the width, metres. */
  half: number;
  longM: number;
  /** Outline of the face, and its window: across, up. */
  outline: readonly (readonly [number, number])[];
  window: readonly (readonly [number, number])[];
  /** Height of the lamps. */
  lampM: number;
}

const CAR: Build = {
  half: 0.9,
  longM: 4.2,
  outline: box(0.9, 0.3, 0.85).concat([
    [0.9, 0.85],
    [0.66, 1.46],
    [-0.66, 1.46],
    [-0.9, 0.85],
  ]),
  window: [
    [-0.72, 0.9],
    [-0.56, 1.36],
    [0.56, 1.36],
    [0.72, 0.9],
  ],
  lampM: 0.72,
};

const VAN: Build = {
  half: 1,
  longM: 5.4,
  outline: box(1, 0.35, 2.4),
  window: box(0.86, 1.35, 2.1),
  lampM: 0.8,
};

/** A car as its nearer face, one side and its shadow; heads or tails by the way it goes. */
export function drawCar(camera: Camera, palette: Palette, car: Car, light: number): void {
  const build = car.isVan ? VAN : CAR;
  const looksAhead = camera.depthOf(0, 100) > camera.depthOf(0, 0);
  const [back, front] = [car.zM, car.zM + build.longM];
  const [near, far] = looksAhead ? [back, front] : [front, back];
  if (camera.depthOf(car.xM, far) < 1) return;
  const seesTail = looksAhead === (car.heading === 1);
  const body = mix(palette(car.paint), palette('haze'), camera.depthOf(car.xM, near) / 500);
  const face = (points: readonly (readonly [number, number])[]) =>
    points.flatMap(([across, up]) => [car.xM + across, up, near]);
  const patch = (x0: number, x1: number, y0: number, y1: number, name: ColourName) =>
    camera.fill(
      face([
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
      ]),
      palette(name),
    );

  const wide = build.half + 0.1;
  const ground = [
    car.xM - wide,
    0,
    near,
    car.xM + wide,
    0,
    near,
    car.xM + wide,
    0,
    far,
    car.xM - wide,
    0,
    far,
  ];
  camera.fill(ground, palette('shadow'));
  drawSide(camera, palette, car, build, near, far, mix(body, palette('shadow'), 0.45));
  for (const side of [-1, 1]) patch(side * (build.half - 0.3), side * (build.half - 0.02), 0, 0.4, 'tyre');
  camera.fill(face(build.outline), body);
  camera.fill(face(build.window), palette('glass'));
  const lamp = seesTail ? 'tail' : 'head';
  const tall = light < 0.5 && !seesTail ? 0.26 : 0.16;
  for (const side of [-1, 1]) {
    patch(
      side * (build.half - 0.34),
      side * (build.half - 0.06),
      build.lampM - tall / 2,
      build.lampM + tall / 2,
      lamp,
    );
  }
  patch(-0.26, 0.26, 0.45, 0.57, 'plate');
}

/** The long side that is turned to the camera, with its windows. */
function drawSide(
  camera: Camera,
  palette: Palette,
  car: Car,
  build: Build,
  near: number,
  far: number,
  colour: Parameters<Camera['fill']>[1],
): void {
  const x = car.xM + (car.xM < camera.mount.xM ? build.half : -build.half);
  const top = car.isVan ? 2.4 : 0.85;
  camera.fill([x, 0.3, near, x, top, near, x, top, far, x, 0.3, far], colour);
  if (!car.isVan) {
    const at = (fraction: number) => near + (far - near) * fraction;
    const inner = x + (x > car.xM ? -0.24 : 0.24);
    camera.fill(
      [x, 0.85, near, inner, 1.46, at(0.15), inner, 1.46, at(0.62), x, 0.85, at(0.8)],
      palette('glass'),
    );
  }
  const wheel = (fraction: number) => near + (far - near) * fraction;
  for (const fraction of [0.18, 0.8]) {
    const [from, to] = [wheel(fraction - 0.08), wheel(fraction + 0.08)];
    camera.fill([x, 0, from, x, 0.55, from, x, 0.55, to, x, 0, to], palette('tyre'));
  }
}

function box(half: number, low: number, high: number): (readonly [number, number])[] {
  return [
    [-half, high],
    [-half, low],
    [half, low],
    [half, high],
  ];
}
