import scene from '../../../resources/demo/camera.json' with { type: 'json' };
import { createCamera, type Camera, type CameraMount } from './camera.ts';
import { TIGHTEST_BEND, type Journey, type Moment } from './journey.ts';
import type { Palette } from './palette.ts';
import { fillPolygon, fillRect, mix, type Picture } from './picture.ts';

/** A polygon in metres (x, height, z, …) or, on what belongs to the vehicle itself, in pixels (x, y, …). */
interface Part {
  colour: string;
  corners: number[];
  /** The colour that it takes on with distance, wholly so at `farM`. */
  far?: string | undefined;
  farM?: number | undefined;
  /** Seen while the thing is this far ahead of the camera, least and most, metres. */
  seenM?: number[] | undefined;
}

/** What stands, lies or drives along the road each `everyM` metres, at a share of these places, pushed on by `looseM` at most. */
interface Kind {
  everyM: number;
  reachM: number;
  share: number;
  looseM: number;
  /** Of traffic, in our direction: to the mean speed of the vehicle; null of what does not move. */
  fasterMs: number | null;
  /** 1 when it drives as we do, −1 when it comes towards us. */
  heading: number;
  variants: Part[][];
}

interface View {
  mount: CameraMount;
  /** Share of the picture, from its upper left corner, in which the world is seen. */
  width: number;
  height: number;
  /** The vehicle's own parts, as its wheel turns from one full lock to the other. */
  overlays: Part[][];
}

interface Thing {
  parts: Part[];
  z: number;
  depthM: number;
}

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

const VIEWS: Record<string, View> = scene.views;
const STANDING: Kind[] = scene.standing;
const LYING: Kind[] = scene.lying;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/front|road|ahead|forward/i, 'front'],
  [/cabin|driver|inside|interior/i, 'cabin'],
  [/left/i, 'left'],
  [/right/i, 'right'],
  [/rear|back|cargo|trailer/i, 'rear'],
];
/** Channels without a descriptive name, in the order in which cameras are usually wired. */
const BY_NUMBER: readonly string[] = ['front', 'cabin', 'left', 'rear', 'right'];

/** Columns between two points of a ridge, pixels. */
const RIDGE_STEP_PX = 12;

/** What a channel looks at: front, cabin, left, right or rear. */
export function viewOf({ channel, name }: { channel: number; name: string }): string {
  const named = WORDS.find(([word]) => word.test(name));
  return named?.[1] ?? BY_NUMBER[(Math.max(1, Math.floor(channel)) - 1) % BY_NUMBER.length] ?? 'front';
}

/** The road as one of the cameras sees it; all of them see the same road and the same cars. */
export function drawScene(frame: Frame, viewName: string): void {
  const { picture, size, palette, moment } = frame;
  const view = VIEWS[viewName];
  if (view === undefined) return;
  const window = { width: size.width * view.width, height: size.height * view.height };
  const camera = createCamera(view.mount, window, moment.bend);
  drawLandscape(camera, frame);
  const way = Math.cos((view.mount.yawDeg / 180) * Math.PI) >= 0 ? 'ahead' : 'behind';
  drawThing(camera, frame, { parts: scene.road[way], z: 0, depthM: 0 });
  for (const thing of thingsOf(camera, frame, LYING)) drawThing(camera, frame, thing);
  drawThing(camera, frame, { parts: scene.rails[way], z: 0, depthM: 0 });
  const standing = [...thingsOf(camera, frame, STANDING), ...carsInOwnLane(camera, frame)];
  for (const thing of standing.sort((a, b) => b.depthM - a.depthM))
    if (thing.depthM > 1) drawThing(camera, frame, thing);
  const lock = (moment.bend / TIGHTEST_BEND + 1) / 2;
  for (const { corners, colour } of view.overlays[Math.round(lock * (view.overlays.length - 1))] ?? [])
    fillPolygon(picture, corners, palette(colour));
}

/** Sky, hills, a distant town and the ground, all by the compass: when the vehicle turns, they pan. */
function drawLandscape(camera: Camera, { picture, palette, moment, light, seed }: Frame): void {
  const { width, height, horizonY, pxPerDeg } = camera;
  const northDeg = moment.courseDeg + (seed % 360);
  fillRect(picture, 0, 0, width, horizonY, palette('sky'));
  fillRect(picture, 0, horizonY - 30, width, 30, palette('haze'));
  for (const { colour, heightsDeg, houses } of scene.ridges) {
    for (const [index, { deg, tallDeg, wideDeg }] of houses.entries()) {
      const column = camera.columnOf(deg - northDeg);
      if (column === null) continue;
      const [wide, tall] = [wideDeg * pxPerDeg, tallDeg * pxPerDeg];
      fillRect(picture, column, horizonY - tall, wide, tall, palette('town'));
      for (let y = 4; light <= 0.6 && y < tall - 2; y += 5)
        for (let x = 3; x < wide - 3; x += 5)
          if (chance(seed, index * 997 + y * 31 + x, 7) > 0.6)
            fillRect(picture, column + x, horizonY - tall + y, 2, 2, palette('townWindow'));
    }
    const ridge = [width, horizonY + 1, 0, horizonY + 1];
    for (let x = 0; x < width + RIDGE_STEP_PX; x += RIDGE_STEP_PX) {
      const turn = (((camera.bearingOf(x) + northDeg) / 360) % 1) + 1;
      const place = (turn * heightsDeg.length) % heightsDeg.length;
      const [before = 0, after = 0] = [0, 1].map((i) => heightsDeg[(Math.floor(place) + i) % heightsDeg.length]);
      ridge.push(x, camera.rowOf(before + (after - before) * (place % 1)));
    }
    fillPolygon(picture, ridge, palette(colour));
  }
  fillRect(picture, 0, horizonY, width, height - horizonY, palette('ground'));
}

function thingsOf(camera: Camera, frame: Frame, kinds: readonly Kind[]): Thing[] {
  const { moment, journey, seed, fromMs } = frame;
  return kinds.flatMap(({ everyM, reachM, share, looseM, fasterMs, heading, variants }, kind) => {
    const ownMs = fasterMs === null ? 0 : Math.max(3, journey.meanSpeedMs + fasterMs) * heading;
    const passedM = moment.roadM - (ownMs * (moment.atMs - fromMs)) / 1000;
    const things: Thing[] = [];
    const last = Math.floor((passedM + reachM) / everyM);
    for (let index = Math.ceil((passedM - reachM) / everyM); index <= last; index++) {
      if (chance(seed, index, kind + 10) >= share) continue;
      const z = index * everyM + looseM * chance(seed, index, kind + 50) - passedM;
      things.push({ parts: variantOf(variants, seed, index, kind), z, depthM: camera.depthOf(0, z) });
    }
    return things;
  });
}

function variantOf(variants: Part[][], seed: number, index: number, kind: number): Part[] {
  return variants[Math.floor(chance(seed, index, kind + 30) * variants.length)] ?? [];
}

function drawThing(camera: Camera, { picture, palette }: Frame, { parts, z, depthM }: Thing): void {
  const aheadM = z - camera.mount.zM;
  for (const { colour, corners, far, farM = 1, seenM: [least = -Infinity, most = Infinity] = [] } of parts) {
    if (aheadM < least || aheadM > most) continue;
    const tint = far === undefined ? palette(colour) : mix(palette(colour), palette(far), depthM / farM);
    fillPolygon(picture, camera.project(corners, z), tint);
  }
}

/** One ahead and one behind that keep their distance to us, and drive on when we slow down. */
function carsInOwnLane(camera: Camera, { moment, fromMs, seed }: Frame): Thing[] {
  const gapM = 0.6 * moment.speedMs + Math.max(0, 7 - moment.speedMs) * 30;
  const sway = 3 * Math.sin((moment.atMs - fromMs) / 6000 + chance(seed, 0, 40) * 6);
  return [11 + sway + gapM, sway - gapM - 17].map((z, index) => {
    return { parts: variantOf(scene.ownLane, seed, index, 40), z, depthM: camera.depthOf(0, z) };
  });
}

/** A number from 0 to 1 that depends on nothing but its arguments: the same place looks the same in every clip. */
function chance(seed: number, place: number, aspect: number): number {
  let h = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(aspect + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}
