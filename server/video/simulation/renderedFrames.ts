import { createHash } from 'node:crypto';
import scene from '../../../resources/demo/camera.json' with { type: 'json' };
import { CAPTION_PX, drawCaption } from './caption.ts';
import { createJourney, TIGHTEST_BEND, type Moment, type RenderJob } from './journey.ts';
import { createPicture, fillPolygon, fillRect, mix, type Picture, tint, type Tint } from './picture.ts';

/** 16:9 and whole 16-pixel blocks, so that the encoder pads nothing. */
export const CLIP_WIDTH = 512;
export const CLIP_HEIGHT = 288;

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
  /** Of traffic: to the mean speed of the vehicle; null of what does not move. */
  fasterMs: number | null;
  /** 1 when it drives as we do, −1 when it comes towards us. */
  heading: number;
  variants: Part[][];
}

interface Thing {
  parts: Part[];
  z: number;
}

const VIEWS: Record<string, typeof scene.views.front> = scene.views;
const STANDING: Kind[] = scene.standing;
const LYING: Kind[] = scene.lying;

/** Columns between two points of a ridge, pixels. */
const RIDGE_STEP_PX = 12;

/** What a channel looks at, by its name, or by its number in the order in which cameras are usually wired. */
export function viewOf({ channel, name }: { channel: number; name: string }): string {
  const named = scene.words.find(({ words }) => new RegExp(words, 'i').test(name));
  return named?.view ?? scene.wired[(Math.max(1, Math.floor(channel)) - 1) % scene.wired.length] ?? 'front';
}

/** Frames that fill the fragment; the last one may be shorter than the others. */
export function frameCount({ fromMs, toMs, fps }: Pick<RenderJob, 'fromMs' | 'toMs' | 'fps'>): number {
  // A millisecond of slack: 30 s at 8 frames/s are 240 frames, whatever the rounding.
  return Math.max(1, Math.ceil(((toMs - fromMs - 1) * fps) / 1000));
}

/**
 * Draws frame after frame into one picture, which the next call draws over. Nothing but the job decides what is drawn:
 * the same job gives the same pixels. All cameras of a vehicle see the same road and the same cars.
 */
export function createRenderedFrames(job: RenderJob) {
  const { fromMs, vehicle, channel } = job;
  const picture = createPicture(CLIP_WIDTH, CLIP_HEIGHT);
  const journey = createJourney(job.positions, fromMs);
  // Of the vehicle: its traffic, trees and signs.
  const seed = createHash('sha256').update(`${vehicle.name}/${vehicle.plate}`).digest().readUInt32LE();
  const { mount, width, height, overlays } = VIEWS[viewOf(channel)] ?? scene.views.front;
  const size = { width: CLIP_WIDTH * width, height: (CLIP_HEIGHT - CAPTION_PX) * height };
  const way = Math.cos((mount.yawDeg / 180) * Math.PI) >= 0 ? 'ahead' : 'behind';
  let light = NaN;
  let palette: Palette = createPalette(scene.colours, 1);

  function draw(index: number): Picture {
    const moment = journey.at(fromMs + (index * 1000) / job.fps);
    // Twilight takes an hour: a new palette every few seconds is enough.
    const now = Math.round(daylight(moment.atMs, moment.position) * 256) / 256;
    if (now !== light) palette = createPalette(scene.colours, (light = now));
    const camera = createCamera(mount, size, moment.bend);
    const depthM = ({ z }: Thing) => camera.depthOf(0, z);
    drawLandscape(camera, moment.courseDeg + (seed % 360));
    const lying = [
      { parts: scene.road[way], z: 0 },
      ...LYING.flatMap((kind, nr) => thingsOf(kind, nr, moment)),
    ];
    for (const thing of [...lying, { parts: scene.rails[way], z: 0 }]) drawThing(camera, thing);
    const standing = [
      ...STANDING.flatMap((kind, nr) => thingsOf(kind, nr + 5, moment)),
      ...carsInOwnLane(moment),
    ];
    for (const thing of standing.sort((a, b) => depthM(b) - depthM(a)))
      if (depthM(thing) > 1) drawThing(camera, thing);
    const lock = (moment.bend / TIGHTEST_BEND + 1) / 2;
    for (const { corners, colour } of overlays[Math.round(lock * (overlays.length - 1))] ?? [])
      fillPolygon(picture, corners, palette(colour));
    drawCaption(picture, job, moment);
    return picture;
  }

  /** Sky, hills, a distant town and the ground, all by the compass: when the vehicle turns, they pan. */
  function drawLandscape({ horizonY, pxPerDeg, ...camera }: Camera, northDeg: number): void {
    fillRect(picture, 0, 0, size.width, horizonY, palette('sky'));
    fillRect(picture, 0, horizonY - 30, size.width, 30, palette('haze'));
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
      const ridge = [size.width, horizonY + 1, 0, horizonY + 1];
      for (let x = 0; x < size.width + RIDGE_STEP_PX; x += RIDGE_STEP_PX) {
        const place = ((((camera.bearingOf(x) + northDeg) / 360) % 1) + 1) * heightsDeg.length;
        const [before = 0, after = 0] = [0, 1].map(
          (i) => heightsDeg[Math.floor(place + i) % heightsDeg.length],
        );
        ridge.push(x, camera.rowOf(before + (after - before) * (place % 1)));
      }
      fillPolygon(picture, ridge, palette(colour));
    }
    fillRect(picture, 0, horizonY, size.width, size.height - horizonY, palette('ground'));
  }

  function thingsOf(kind: Kind, nr: number, { roadM, atMs }: Moment): Thing[] {
    const { everyM, reachM, share, looseM, fasterMs, heading, variants } = kind;
    const ownMs = fasterMs === null ? 0 : Math.max(3, journey.meanSpeedMs + fasterMs) * heading;
    const passedM = roadM - (ownMs * (atMs - fromMs)) / 1000;
    const things: Thing[] = [];
    const last = Math.floor((passedM + reachM) / everyM);
    for (let index = Math.ceil((passedM - reachM) / everyM); index <= last; index++) {
      if (chance(seed, index, nr + 10) >= share) continue;
      const z = index * everyM + looseM * chance(seed, index, nr + 50) - passedM;
      things.push({ parts: variantOf(variants, index, nr), z });
    }
    return things;
  }

  /** One ahead and one behind that keep their distance to us, and drive on when we slow down. */
  function carsInOwnLane({ speedMs, atMs }: Moment): Thing[] {
    const gapM = 0.6 * speedMs + Math.max(0, 7 - speedMs) * 30;
    const sway = 3 * Math.sin((atMs - fromMs) / 6000 + chance(seed, 0, 40) * 6);
    const places = [11 + sway + gapM, sway - gapM - 17];
    return places.map((z, index) => ({ parts: variantOf(scene.ownLane, index, 40), z }));
  }

  function variantOf(variants: Part[][], index: number, nr: number): Part[] {
    return variants[Math.floor(chance(seed, index, nr + 30) * variants.length)] ?? [];
  }

  function drawThing(camera: Camera, { parts, z }: Thing): void {
    const aheadM = z - mount.zM;
    for (const {
      colour,
      corners,
      far,
      farM = 1,
      seenM: [least = -Infinity, most = Infinity] = [],
    } of parts) {
      if (aheadM < least || aheadM > most) continue;
      const near = palette(colour);
      const tint = far === undefined ? near : mix(near, palette(far), camera.depthOf(0, z) / farM);
      fillPolygon(picture, camera.project(corners, z), tint);
    }
  }

  return { count: frameCount(job), draw };
}

/** A number from 0 to 1 that depends on nothing but its arguments: the same place looks the same in every clip. */
function chance(seed: number, place: number, aspect: number): number {
  let h = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(aspect + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

const DAY_MS = 86_400_000;
/** From deep twilight to plain day, degrees of the sun above the horizon. */
const DARK_BELOW_DEG = -7;
const LIGHT_ABOVE_DEG = 5;
const RADIANS = Math.PI / 180;
const BLACK = tint('#000000');

type Palette = (name: string) => Tint;

/**
 * @param colours by name, by day and at night
 * @param light 0 at night, 1 by day; the tints between are mixed
 */
function createPalette(colours: Record<string, string[]>, light: number): Palette {
  const mixed = new Map(
    Object.entries(colours).map(([name, [day = '', night = '']]) => [
      name,
      mix(tint(night), tint(day), light),
    ]),
  );
  return (name) => mixed.get(name) ?? BLACK;
}

/**
 * 0 at night, 1 by day, between in the twilight, from the sun's height at that place and time. Good to a few
 * minutes: the equation of time (16 min at most) is left out. With no place known the clock's hour alone decides.
 */
export function daylight(atMs: number, place: { lat: number; lon: number } | null): number {
  const { lat, lon } = place ?? { lat: 0, lon: 0 };
  const day = (atMs - Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1)) / DAY_MS;
  const declination = -23.44 * RADIANS * Math.cos((2 * Math.PI * (day + 10)) / 365.25);
  const hourAngle = (((atMs % DAY_MS) / DAY_MS) * 360 - 180 + lon) * RADIANS;
  const sine =
    Math.sin(lat * RADIANS) * Math.sin(declination) +
    Math.cos(lat * RADIANS) * Math.cos(declination) * Math.cos(hourAngle);
  const heightDeg = Math.asin(Math.min(1, Math.max(-1, sine))) / RADIANS;
  const held = Math.min(1, Math.max(0, (heightDeg - DARK_BELOW_DEG) / (LIGHT_ABOVE_DEG - DARK_BELOW_DEG)));
  return held * held * (3 - 2 * held);
}

/** A camera on the vehicle. Metres from the middle of its front axle on the road; forward is z, right is x. */
export interface CameraMount {
  xM: number;
  heightM: number;
  zM: number;
  /** Where it looks, degrees clockwise from forward. */
  yawDeg: number;
  /** Horizontal field of view, degrees. */
  fieldDeg: number;
  /** Height of the horizon in the picture, share from the top. */
  horizon: number;
  /** Shown as a mirror would show it. */
  mirrored: boolean;
}

/** Nearer than this nothing is drawn, metres. */
const NEAR_M = 0.4;

type Camera = ReturnType<typeof createCamera>;

/**
 * @param size of what the camera fills, pixels
 * @param bend of the road, 1/m: a point at distance z is shifted by half of bend × z² to the right
 */
export function createCamera(mount: CameraMount, size: { width: number; height: number }, bend: number) {
  const focalPx = size.width / 2 / Math.tan((mount.fieldDeg / 360) * Math.PI);
  const horizonY = size.height * mount.horizon;
  const yaw = (mount.yawDeg / 180) * Math.PI;
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  const side = mount.mirrored ? -1 : 1;

  /** Sideways and forward of the camera. */
  function place(x: number, z: number): [across: number, depth: number] {
    const dx = x + (bend / 2) * z * z - mount.xM;
    const dz = z - mount.zM;
    return [dx * cos - dz * sin, dx * sin + dz * cos];
  }

  /**
   * A polygon of the world in the picture, x, y, x, y, … in pixels; fewer than three corners when it is not before the
   * camera.
   * @param corners x, height, z, x, height, z, … in metres along the bending road, z from `aheadM` before the vehicle
   */
  function project(corners: readonly number[], aheadM = 0): number[] {
    const flat: number[] = [];
    let before: number[] | undefined;
    const put = ([across = 0, up = 0, depth = 1]: number[]) => {
      const scale = focalPx / depth;
      flat.push(size.width / 2 + side * across * scale, horizonY + (mount.heightM - up) * scale);
    };
    // Cut at the near plane, after Sutherland and Hodgman; the first corner comes again to close the outline.
    for (let i = 0; i <= corners.length; i += 3) {
      const at = i % corners.length;
      const [across, depth] = place(corners[at] ?? 0, aheadM + (corners[at + 2] ?? 0));
      const corner = [across, corners[at + 1] ?? 0, depth];
      const depthBefore = before?.[2] ?? depth;
      if (before !== undefined && depthBefore >= NEAR_M !== depth >= NEAR_M) {
        const fraction = (NEAR_M - depthBefore) / (depth - depthBefore);
        put(before.map((from, axis) => from + ((corner[axis] ?? 0) - from) * fraction));
      }
      if (depth >= NEAR_M && i < corners.length) put(corner);
      before = corner;
    }
    return flat;
  }

  return {
    ...{ mount, ...size, horizonY, project },
    /** Pixels per degree in the middle of the picture. */
    pxPerDeg: (focalPx * Math.PI) / 180,
    /** How far a spot on the road is before the camera, metres; negative behind it. */
    depthOf: (x: number, z: number): number => place(x, z)[1],
    /** Direction of a column of the picture, degrees clockwise from forward. */
    bearingOf: (column: number): number =>
      mount.yawDeg + (Math.atan(((column - size.width / 2) * side) / focalPx) / Math.PI) * 180,
    /** Column of a direction; null when it is far aside or behind. */
    columnOf(bearingDeg: number): number | null {
      const off = ((((bearingDeg - mount.yawDeg) % 360) + 540) % 360) - 180;
      return Math.abs(off) > 80 ? null : size.width / 2 + side * focalPx * Math.tan((off / 180) * Math.PI);
    },
    /** Row of a height over the horizon. */
    rowOf: (heightDeg: number): number => horizonY - focalPx * Math.tan((heightDeg / 180) * Math.PI),
  };
}
