import {
  band,
  crossing,
  distanceM,
  insidePolygon,
  nearestOnLine,
  segmentsOf,
  smoothCurve,
  type PlanePoint,
} from './planeGeometry.ts';
import { partSeed, seededRandom } from './seededRandom.ts';
import type { RoadLine } from './townModel.ts';
import {
  HARBOUR_BASIN,
  HARBOUR_NAME,
  MOTORWAY_LIMIT_KMH,
  RAILWAYS,
  RING,
  RING_LIMIT_KMH,
  RING_NAME,
  RING_REF,
  RIVER,
  RIVER_HALF_WIDTH_M,
  RIVER_NAME,
  ROADS,
  YARD_ROADS,
  type PlannedRoad,
} from './townPlan.ts';
import { PARKS, type PlannedPark } from './townQuarters.ts';

interface NamedOutline {
  name: string;
  outline: PlanePoint[];
}

/** The plan drawn out as curves: all that stands before the first street. */
export interface TownGround {
  ring: PlanePoint[];
  riverCourse: PlanePoint[];
  water: NamedOutline[];
  parks: NamedOutline[];
  railways: { name: string; points: PlanePoint[] }[];
  /** Ring, motorways and arterials. */
  mainRoads: RoadLine[];
  yardRoads: RoadLine[];
}

const CURVE_STEP_M = 28;
/** A planned road's end lies this near to the road that it is meant to end on. */
const END_REACH_M = 90;
const YARD_END_REACH_M = 12;
/** Motorways slow down towards the ring's junctions. */
const RAMP_M = 320;

export function drawGround(seed: number): TownGround {
  const ring = smoothCurve(RING, CURVE_STEP_M, true);
  const drawn = [
    ...ROADS.map((road) => ({ road, isYard: false, curve: smoothCurve(road.through, CURVE_STEP_M) })),
    ...YARD_ROADS.map((road) => ({ road, isYard: true, curve: road.through })),
  ];
  const ringLine: RoadLine = {
    name: RING_NAME,
    ref: RING_REF,
    roadClass: 'motorway',
    limitKmh: RING_LIMIT_KMH,
    points: ring,
  };
  const joined = drawn.map(({ road, isYard }) => {
    const others = [ring, ...drawn.filter((other) => other.road !== road).map((other) => other.curve)];
    const reachM = isYard ? YARD_END_REACH_M : END_REACH_M;
    const last = road.through.length - 1;
    const through = road.through.map((point, index) =>
      index === 0 || index === last ? joinedEnd(point, others, reachM) : point,
    );
    return { road, isYard, curve: isYard ? through : smoothCurve(through, CURVE_STEP_M) };
  });
  return {
    ring,
    riverCourse: smoothCurve(RIVER, CURVE_STEP_M),
    water: [
      { name: RIVER_NAME, outline: riverOutline() },
      { name: HARBOUR_NAME, outline: [...HARBOUR_BASIN, ...HARBOUR_BASIN.slice(0, 1)] },
    ],
    parks: PARKS.map((park) => ({ name: park.name, outline: parkOutline(park, seed) })),
    railways: RAILWAYS.map(({ name, through }) => ({ name, points: smoothCurve(through, CURVE_STEP_M) })),
    mainRoads: [
      ringLine,
      ...joined.filter(({ isYard }) => !isYard).flatMap(({ road, curve }) => splitAtRing(road, curve, ring)),
    ],
    yardRoads: joined.filter(({ isYard }) => isYard).map(({ road, curve }) => roadLine(road, 'yard', curve)),
  };
}

function joinedEnd(end: PlanePoint, others: PlanePoint[][], reachM: number): PlanePoint {
  const nearest = others
    .map((line) => nearestOnLine(end, line))
    .reduce((best, candidate) => (candidate.distanceM < best.distanceM ? candidate : best));
  return nearest.distanceM <= reachM ? nearest.point : end;
}

function roadLine(road: PlannedRoad, roadClass: RoadLine['roadClass'], line: PlanePoint[]): RoadLine {
  return { name: road.name, ref: null, roadClass, limitKmh: road.limitKmh, points: line };
}

/** Inside the ring an arterial, beyond it a motorway where the plan says so, slower near the ring. */
function splitAtRing(road: PlannedRoad, curve: PlanePoint[], ring: PlanePoint[]): RoadLine[] {
  const beyond = road.beyondRing;
  if (beyond === undefined) return [roadLine(road, 'arterial', curve)];
  const pieces: RoadLine[] = [];
  for (const [a, b] of segmentsOf(curve)) {
    const cut = segmentsOf(ring)
      .map(([c, d]) => crossing(a, b, c, d)?.point)
      .find((point) => point !== undefined);
    const parts = cut === undefined ? [[a, b] as const] : [[a, cut] as const, [cut, b] as const];
    for (const [start, end] of parts) {
      if (distanceM(start, end) < 0.01) continue;
      const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
      const ramp = nearestOnLine(middle, ring).distanceM < RAMP_M;
      const line: RoadLine = insidePolygon(middle, ring)
        ? roadLine(road, 'arterial', [start, end])
        : {
            name: beyond.name,
            ref: beyond.ref,
            roadClass: 'motorway',
            limitKmh: ramp ? road.limitKmh : MOTORWAY_LIMIT_KMH,
            points: [start, end],
          };
      const last = pieces.at(-1);
      if (last?.name === line.name && last.limitKmh === line.limitKmh) last.points.push(end);
      else pieces.push(line);
    }
  }
  return pieces;
}

function riverOutline(): PlanePoint[] {
  const course = smoothCurve(RIVER, CURVE_STEP_M);
  return band(course, (index) => {
    const along = (index / (course.length - 1)) * (RIVER_HALF_WIDTH_M.length - 1);
    const before = RIVER_HALF_WIDTH_M[Math.floor(along)] ?? 0;
    const after = RIVER_HALF_WIDTH_M[Math.ceil(along)] ?? before;
    return before + (after - before) * (along % 1);
  });
}

function parkOutline(park: PlannedPark, seed: number): PlanePoint[] {
  const random = seededRandom(partSeed(seed, park.name));
  const corners = 9;
  const outline = Array.from({ length: corners }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI;
    const reach = random.between(0.75, 1.15);
    return {
      x: park.at.x + Math.cos(angle) * park.radiusM[0] * reach,
      y: park.at.y + Math.sin(angle) * park.radiusM[1] * reach,
    };
  });
  return smoothCurve(outline, 30, true);
}
