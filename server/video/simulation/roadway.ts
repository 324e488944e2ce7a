import type { Camera } from './camera.ts';
import { chance } from './chance.ts';
import type { Moment } from './journey.ts';
import type { Palette } from './palette.ts';
import { mix } from './picture.ts';
import type { Tint } from './picture.ts';

/** Metres from the middle of the own lane, right is positive; three lanes of 3.6 m, the own one is the middle. */
export const LANE_M = 3.6;
const EDGE_M = 1.5 * LANE_M;
const ROAD = { left: -EDGE_M - 1, right: EDGE_M + 2.6 };
const OTHER_ROAD = { left: -21, right: -9.6 };
const RAIL = { left: -7.2, right: ROAD.right + 0.5 };

/** Along the road ahead or behind: dense near the camera, where a bend shows most. */
const STATIONS_M = [-4, 0, 3, 6, 10, 16, 24, 36, 55, 85, 130, 200, 320];
const SEEN_M = 150;

const DASH = { everyM: 18, longM: 6, wideM: 0.16 };
/** Posts of the guard rail; wide enough apart not to seem to run backwards at 8 frames/s below 170 km/h. */
const RAIL_POST_EVERY_M = 12;

export function drawRoadway(camera: Camera, palette: Palette, moment: Moment): void {
  const ahead = Math.cos((camera.mount.yawDeg / 180) * Math.PI) >= 0 ? 1 : -1;
  const stations = STATIONS_M.map((station) => station * ahead);
  const strip = (left: number, right: number, colour: Tint) =>
    fillStrip(camera, stations, left, right, colour);
  strip(-60, OTHER_ROAD.left - 6, palette('verge'));
  strip(RAIL.right + 5, 60, palette('verge'));
  strip(OTHER_ROAD.left, OTHER_ROAD.right, palette('otherRoad'));
  strip(ROAD.left, ROAD.right, palette('road'));
  if (ahead > 0) drawHeadlightCone(camera, palette);
  for (const x of [-EDGE_M, EDGE_M]) strip(x - 0.1, x + 0.1, palette('line'));
  strip(OTHER_ROAD.right - 0.9, OTHER_ROAD.right - 0.7, palette('line'));
  for (const x of [-LANE_M / 2, LANE_M / 2, -15]) drawDashes(camera, palette, moment, x, ahead);
  for (const x of [RAIL.left, RAIL.right]) drawRail(camera, palette, moment, x, stations, ahead);
}

/** Every place along the road where something stands each `everyM` metres, as distance from the vehicle. */
export function eachPlace(
  roadM: number,
  everyM: number,
  reachM: number,
  act: (zM: number, index: number) => void,
) {
  const last = Math.floor((roadM + reachM) / everyM);
  for (let index = Math.ceil((roadM - reachM) / everyM); index <= last; index++)
    act(index * everyM - roadM, index);
}

function fillStrip(
  camera: Camera,
  stations: readonly number[],
  left: number,
  right: number,
  colour: Tint,
): void {
  const corners: number[] = [];
  for (const z of stations) corners.push(left, 0, z);
  for (const z of stations.toReversed()) corners.push(right, 0, z);
  camera.fill(corners, colour);
}

function drawHeadlightCone(camera: Camera, palette: Palette): void {
  camera.fill([-1.6, 0, 1, 1.6, 0, 1, 3.4, 0, 30, -3.2, 0, 30], palette('roadLit'));
}

function drawDashes(camera: Camera, palette: Palette, moment: Moment, x: number, ahead: number): void {
  const half = DASH.wideM / 2;
  eachPlace(moment.roadM, DASH.everyM, SEEN_M, (z) => {
    const [from, to] = [z, z + DASH.longM];
    if (Math.max(from * ahead, to * ahead) < -4) return;
    camera.fill([x - half, 0, from, x - half, 0, to, x + half, 0, to, x + half, 0, from], palette('line'));
  });
}

function drawRail(
  camera: Camera,
  palette: Palette,
  moment: Moment,
  x: number,
  stations: readonly number[],
  ahead: number,
): void {
  eachPlace(moment.roadM, RAIL_POST_EVERY_M, 100, (z) => {
    if (z * ahead < -4) return;
    camera.fill([x - 0.07, 0, z, x - 0.07, 0.6, z, x + 0.07, 0.6, z, x + 0.07, 0, z], palette('railPost'));
  });
  const beam: number[] = [];
  for (const z of stations) beam.push(x, 0.45, z);
  for (const z of stations.toReversed()) beam.push(x, 0.78, z);
  camera.fill(beam, palette('rail'));
}

export interface Standing {
  depthM: number;
  draw: () => void;
}

/** Trees beyond the rails and reflector posts, as things to be drawn from far to near. */
export function roadside(camera: Camera, palette: Palette, moment: Moment, seed: number): Standing[] {
  const found: Standing[] = [];
  const stand = (x: number, z: number, draw: () => void) => {
    const depthM = camera.depthOf(x, z);
    if (depthM > 1) found.push({ depthM, draw });
  };
  for (const side of [-1, 1]) {
    eachPlace(moment.roadM, 14, 220, (z, index) => {
      if (chance(seed, index, side + 10) < 0.62) return;
      const x = side * (side < 0 ? 28 : 15) + side * 16 * chance(seed, index, side + 20);
      stand(x, z, () => drawTree(camera, palette, x, z, 4 + 5 * chance(seed, index, side + 30)));
    });
  }
  eachPlace(moment.roadM, 50, 150, (z) => {
    const x = ROAD.right + 0.1;
    stand(x, z, () => {
      camera.fill([x - 0.06, 0, z, x + 0.06, 0, z, x + 0.06, 1, z, x - 0.06, 1, z], palette('post'));
      camera.fill(
        [x - 0.07, 0.68, z, x + 0.07, 0.68, z, x + 0.07, 0.82, z, x - 0.07, 0.82, z],
        palette('tyre'),
      );
    });
  });
  return found;
}

/** Across the line of sight, so that a tree looks alike from every camera. */
function drawTree(camera: Camera, palette: Palette, x: number, z: number, heightM: number): void {
  const yaw = (camera.mount.yawDeg / 180) * Math.PI;
  const [ax, az] = [Math.cos(yaw), -Math.sin(yaw)];
  const far = Math.min(1, camera.depthOf(x, z) / 240);
  const flat = (points: readonly (readonly [number, number])[]) =>
    points.flatMap(([across, up]) => [x + ax * across * heightM, up * heightM, z + az * across * heightM]);
  camera.fill(
    flat([
      [-0.03, 0],
      [-0.03, 0.4],
      [0.03, 0.4],
      [0.03, 0],
    ]),
    palette('trunk'),
  );
  camera.fill(flat(CROWN), mix(palette('treesNear'), palette('trees'), far));
}

const CROWN: readonly (readonly [number, number])[] = [
  [-0.22, 0.24],
  [-0.33, 0.48],
  [-0.25, 0.76],
  [-0.06, 0.98],
  [0.14, 0.92],
  [0.29, 0.7],
  [0.33, 0.44],
  [0.2, 0.22],
];
