import { createCamera, type CameraMount } from '../../server/video/simulation/renderedFrames.ts';
import { driverParts, shellParts } from './cabin.ts';
import { carParts, PAINTS, VAN_PAINTS } from './cars.ts';
import { COLOURS } from './colours.ts';
import { glyphs, lookalikes, wordParts } from './font.ts';
import { seededRandom } from './seededRandom.ts';

/** A polygon in metres, x, height, z, …; on the vehicle itself in pixels, x, y, …. */
export interface Part {
  colour: string;
  corners: number[];
  far?: string;
  farM?: number;
  seenM?: [least: number, most: number];
}

/** Of the picture above the caption. */
const SCENE_PX = { width: 512, height: 240 };

/** Metres from the middle of the own lane, right is positive; three lanes of 3.6 m, the own one is the middle. */
const LANE_M = 3.6;
const EDGE_M = 1.5 * LANE_M;
const ROAD = { left: -EDGE_M - 1, right: EDGE_M + 2.6 };
const OTHER_ROAD = { left: -21, right: -9.6 };
const RAIL = { left: -7.2, right: ROAD.right + 0.5 };
const AHEAD: [number, number] = [0, 1000];

const still = { looseM: 0, fasterMs: null, heading: 1, share: 1 };

/** What the simulated camera draws: the world along its road, the vehicle's own parts, colours and letters. */
export function cameraData() {
  const random = seededRandom(17);
  return rounded({
    colours: COLOURS,
    glyphs: glyphs(),
    lookalikes: lookalikes(),
    views: views(),
    words: [
      { view: 'front', words: 'front|road|ahead|forward' },
      { view: 'cabin', words: 'cabin|driver|inside|interior' },
      { view: 'left', words: 'left' },
      { view: 'right', words: 'right' },
      { view: 'rear', words: 'rear|back|cargo|trailer' },
    ],
    wired: ['front', 'cabin', 'left', 'rear', 'right'],
    ridges: [
      { colour: 'farHills', heightsDeg: ridge(8, 3), houses: [] },
      { colour: 'hills', heightsDeg: ridge(5, 5), houses: [] },
      { colour: 'trees', heightsDeg: ridge(1.7, 19).map((it) => it + 0.9), houses: houses() },
    ],
    road: {
      ahead: [
        ...ground(1),
        { colour: 'roadLit', corners: [-1.6, 0, 1, 1.6, 0, 1, 3.4, 0, 30, -3.2, 0, 30] },
        ...lines(1),
      ],
      behind: [...ground(-1), ...lines(-1)],
    },
    rails: { ahead: rails(1), behind: rails(-1) },
    lying: [...[-LANE_M / 2, LANE_M / 2, -15].map(dashes), ...[RAIL.left, RAIL.right].map(railPosts)],
    standing: [trees(-1), trees(1), reflectors(), gantries(), ...lanes()],
    ownLane: PAINTS.map((paint) => carParts(0.1, 1, paint, false, ['left', 'right'])),
  });

  /** Heights over the horizon, one each 3 degrees: a few waves that close after a full turn. */
  function ridge(heightDeg: number, waves: number): number[] {
    const phases = [0, 1, 2].map(() => random.between(0, 2 * Math.PI));
    return Array.from({ length: 120 }, (_, index) => {
      const wave = (n: number) =>
        Math.sin((index / 60) * Math.PI * (waves + n * 3) + (phases[n] ?? 0)) / (n + 1);
      return heightDeg * Math.max(0.08, 0.45 + 0.35 * (wave(0) + wave(1) + wave(2)));
    });
  }

  /** A distant town in quarters of nine plots of 3 degrees each. */
  function houses() {
    return Array.from({ length: 14 }, () => random.next()).flatMap((quarter, index) =>
      Array.from({ length: 9 }, (_, plot) => ({
        deg: (index * 9 + plot) * 3,
        tallDeg: 1.8 + 6.5 * random.next() * quarter,
        wideDeg: 3 * (0.55 + 0.6 * random.next()),
        isBuilt: quarter >= 0.35 && random.chance(0.75),
      })).flatMap(({ isBuilt, ...house }) => (isBuilt && house.deg < 360 ? house : [])),
    );
  }
}

/** Along the road: dense near the camera, where a bend shows most. */
const STATIONS_M = [-4, 0, 3, 6, 10, 16, 24, 36, 55, 85, 130, 200, 320];
/** Whether the camera looks ahead or back. */
type Way = 1 | -1;

function ground(way: Way): Part[] {
  return [
    band(way, 'verge', [-60, 0], [OTHER_ROAD.left - 6, 0]),
    band(way, 'verge', [RAIL.right + 5, 0], [60, 0]),
    band(way, 'otherRoad', [OTHER_ROAD.left, 0], [OTHER_ROAD.right, 0]),
    band(way, 'road', [ROAD.left, 0], [ROAD.right, 0]),
  ];
}

function lines(way: Way): Part[] {
  const middles = [-EDGE_M, EDGE_M, OTHER_ROAD.right - 0.8];
  return middles.map((x) => band(way, 'line', [x - 0.1, 0], [x + 0.1, 0]));
}

function rails(way: Way): Part[] {
  return [RAIL.left, RAIL.right].map((x) => band(way, 'rail', [x, 0.45], [x, 0.78]));
}

/** Between two lines along the road, given by their place across and their height. */
function band(
  way: Way,
  colour: string,
  from: [x: number, height: number],
  to: [x: number, height: number],
): Part {
  const edge = (line: [number, number]) => STATIONS_M.map((z) => [...line, z * way]);
  return { colour, corners: [...edge(from), ...edge(to).reverse()].flat() };
}

function dashes(x: number) {
  const corners = [x - 0.08, 0, 0, x - 0.08, 0, 6, x + 0.08, 0, 6, x + 0.08, 0, 0];
  return { ...still, everyM: 18, reachM: 150, variants: [[{ colour: 'line', corners }]] };
}

/** Wide enough apart not to seem to run backwards at 8 frames/s below 170 km/h. */
function railPosts(x: number) {
  return { ...still, everyM: 12, reachM: 100, variants: [[upright('railPost', x - 0.07, x + 0.07, 0, 0.6)]] };
}

function upright(colour: string, x0: number, x1: number, y0: number, y1: number, z = 0): Part {
  return { colour, corners: [x0, y0, z, x1, y0, z, x1, y1, z, x0, y1, z] };
}

const CROWN = [
  [-0.22, 0.24],
  [-0.33, 0.48],
  [-0.25, 0.76],
  [-0.06, 0.98],
  [0.14, 0.92],
  [0.29, 0.7],
  [0.33, 0.44],
  [0.2, 0.22],
];

/** Beyond the rails, twelve by their place and height. */
function trees(side: 1 | -1) {
  const random = seededRandom(side + 2);
  const variants = Array.from({ length: 12 }, (_, index): Part[] => {
    const x = side * ((side < 0 ? 28 : 15) + (16 * (index + random.next())) / 12);
    const tall = random.between(4, 9);
    const crown = CROWN.flatMap(([across = 0, up = 0]) => [x + across * tall, up * tall, 0]);
    return [
      upright('trunk', x - 0.03 * tall, x + 0.03 * tall, 0, 0.4 * tall),
      { colour: 'treesNear', corners: crown, far: 'trees', farM: 240 },
    ];
  });
  return { ...still, everyM: 14, reachM: 220, share: 0.38, variants };
}

function reflectors() {
  const x = ROAD.right + 0.1;
  const parts = [upright('post', x - 0.06, x + 0.06, 0, 1), upright('tyre', x - 0.07, x + 0.07, 0.68, 0.82)];
  return { ...still, everyM: 50, reachM: 150, variants: [parts] };
}

/** Sign bridges over the own carriageway; their boards face those who drive towards them. The names are the town's. */
function gantries() {
  const [leftM, rightM, beamM] = [-6.9, 8.9, 6.6];
  const places = ['Northgate', 'Hillside', 'Riverside', 'Old Town', 'Harbour', 'Westfield', 'Station'];
  const variants = places.map((place, index): Part[] => [
    upright('steel', leftM - 0.2, leftM + 0.2, 0, beamM + 0.5),
    upright('steel', rightM - 0.2, rightM + 0.2, 0, beamM + 0.5),
    upright('steel', leftM, rightM, beamM, beamM + 0.5),
    ...board(-LANE_M * 0.75, 6, [place, `A${index + 1}`]),
    ...board(LANE_M, 4.4, [`${1 + ((index * 5) % 9)} km`]),
  ]);
  return { ...still, everyM: 700, reachM: 200, variants };

  function board(middle: number, width: number, words: string[]): Part[] {
    const [left, right, low, high] = [middle - width / 2, middle + width / 2, beamM - 0.6, beamM + 2.2];
    return [
      upright('steel', left, right, low, high),
      { ...upright('board', left, right, low, high), seenM: AHEAD },
      // Farther off a dot of a letter would be less than half a pixel.
      ...words.flatMap((word, line) =>
        wordParts(word, left + 0.35, high - 0.35 - line * 1.2, 0.1).map((corners): Part => {
          return { colour: 'boardText', corners, seenM: [0, 76] };
        }),
      ),
    ];
  }
}

/** Lanes whose cars keep their distances and pass with them, like beads on a string. */
function lanes() {
  return (
    [
      { x: -LANE_M, everyM: 60, fasterMs: 5, heading: 1, share: 0.6 },
      { x: LANE_M, everyM: 55, fasterMs: -4, heading: 1, share: 0.5 },
      { x: -12.6, everyM: 50, fasterMs: 4, heading: -1, share: 0.55 },
      { x: -16.8, everyM: 90, fasterMs: -2, heading: -1, share: 0.6 },
    ] as const
  ).map(({ x, ...lane }) => ({
    ...lane,
    reachM: 180,
    looseM: lane.everyM / 2,
    variants: [...PAINTS, ...VAN_PAINTS].map((paint, index) =>
      carParts(x, lane.heading, paint, index >= PAINTS.length, [x < 0 ? 'right' : 'left']),
    ),
  }));
}

/** Cameras of a van that is 2 m wide and 6 m long. The ones at its sides look back, as mirrors do. */
const MOUNTS = {
  front: { xM: 0, heightM: 2.1, zM: 0.6, yawDeg: 0, fieldDeg: 68, horizon: 0.47, mirrored: false },
  rear: { xM: 0, heightM: 2.5, zM: -5, yawDeg: 180, fieldDeg: 84, horizon: 0.42, mirrored: false },
  left: { xM: -1.55, heightM: 2, zM: 0.8, yawDeg: 190, fieldDeg: 76, horizon: 0.42, mirrored: true },
  right: { xM: 1.55, heightM: 2, zM: 0.8, yawDeg: 170, fieldDeg: 76, horizon: 0.42, mirrored: true },
  /** Out of the passenger's window, at the picture's left, to the right and back. */
  cabin: { xM: 0.9, heightM: 1.9, zM: 0.5, yawDeg: 128, fieldDeg: 44, horizon: 0.66, mirrored: false },
};

/** What each camera sees of the vehicle itself, as its wheel turns from one full lock to the other. */
function views() {
  const { width, height } = SCENE_PX;
  const hood = [width, height, 0, height];
  for (let x = 0; x <= width; x += 32)
    hood.push(x, height - 22 * (1 - ((x - width / 2) / (width / 2)) ** 2 * 0.8));
  const bumper = [0, 1, 0, 0.95, 0.2, 0.933, 0.8, 0.933, 1, 0.95, 1, 1];
  // The share of the picture, from its upper left corner, in which the world is seen.
  const whole = { width: 1, height: 1 };
  const steers = Array.from({ length: 9 }, (_, index) => index / 4 - 1);
  return {
    front: { mount: MOUNTS.front, ...whole, overlays: [[{ colour: 'bonnet', corners: hood }]] },
    rear: { mount: MOUNTS.rear, ...whole, overlays: [[{ colour: 'bonnet', corners: inPixels(bumper) }]] },
    left: { mount: MOUNTS.left, ...whole, overlays: [ownSide(MOUNTS.left, -1.02)] },
    right: { mount: MOUNTS.right, ...whole, overlays: [ownSide(MOUNTS.right, 1.02)] },
    cabin: {
      ...{ mount: MOUNTS.cabin, width: 0.38, height: 0.62 },
      overlays: steers.map((steer) =>
        [...shellParts(), ...driverParts(steer)].map((part) => ({
          ...part,
          corners: inPixels(part.corners),
        })),
      ),
    },
  };
}

function inPixels(shares: readonly number[]): number[] {
  return shares.map((it, index) => it * (index % 2 === 0 ? SCENE_PX.width : SCENE_PX.height));
}

/** The own body along the picture's edge, with the gap under it, a rear wheel and a shadow. */
function ownSide(mount: CameraMount, x: number): Part[] {
  const camera = createCamera(mount, SCENE_PX, 0);
  const out = x * 1.35;
  const wheel = Array.from({ length: 16 }, (_, index) => (index / 8) * Math.PI).flatMap((angle) => [
    ...[x * 1.01, 0.36 + 0.36 * Math.sin(angle), -3.6 + 0.36 * Math.cos(angle)],
  ]);
  const along = (colour: string, y0: number, y1: number): Part => ({
    colour,
    corners: [x, y0, 2, x, y1, 2, x, y1, -5, x, y0, -5],
  });
  const parts: Part[] = [
    { colour: 'shadow', corners: [x * 0.5, 0, 2, out, 0, 2, out, 0, -5.2, x * 0.5, 0, -5.2] },
    along('ownBody', 0.55, 2.9),
    along('ownBodyLow', 0.45, 0.8),
    along('ownBodyEdge', 1.5, 1.58),
    { colour: 'ownBodyLow', corners: [x, 0.8, -1.6, x, 2.8, -1.6, x, 2.8, -1.66, x, 0.8, -1.66] },
    { colour: 'tyre', corners: wheel },
  ];
  return parts.map((part) => ({ ...part, corners: camera.project(part.corners) }));
}

/** To a hundredth of a metre, degree or pixel, which nobody sees. */
function rounded<T>(data: T): T {
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ),
  ) as T;
}
