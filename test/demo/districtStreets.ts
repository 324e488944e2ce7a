import type { GroundGrid } from './groundGrid.ts';
import { crossing, distanceM, segmentsOf, smoothCurve, turnDeg, type PlanePoint } from './planeGeometry.ts';
import { partSeed, seededRandom, type SeededRandom } from './seededRandom.ts';
import type { StreetNames } from './streetNames.ts';
import type { RoadLine } from './townModel.ts';
import type { TownGround } from './townGround.ts';
import { STREET_LIMIT_KMH } from './townPlan.ts';
import { DISTRICTS, type PlannedDistrict } from './townQuarters.ts';

/** How far from its middle a district is looked for; none is wider. */
const REACH_M = 1500;
/** A street that ends this near to another's mouth on a main road makes a crossroads of it. */
const SHARED_MOUTH_M = 24;
/** Streets meet main roads at this angle or more. */
const MOUTH_ANGLE_DEG = 42;
const CURVE_STEP_M = 45;

interface Lattice {
  corner(line: number, place: number): PlanePoint;
  lines: number;
  places: number;
}

/** The street blocks of every district: its own angle, spacing and swing, cut off by what is there already. */
export function layStreets(
  seed: number,
  ground: TownGround,
  grid: GroundGrid,
  names: StreetNames,
): RoadLine[] {
  const mouths: PlanePoint[] = [];
  const arterials = ground.mainRoads
    .filter(({ roadClass }) => roadClass === 'arterial')
    .flatMap(({ points }) => segmentsOf(points));
  return DISTRICTS.flatMap((district, index) => {
    const random = seededRandom(partSeed(seed, `${district.name} ${index}`));
    const lattice = latticeOf(district, random);
    const isCorner = (point: PlanePoint): boolean =>
      grid.districtAt(point) === index && !grid.isCrowded(point);
    const mouthFrom = (from: PlanePoint, towards: PlanePoint): PlanePoint | null =>
      mouthOnArterial(from, towards, arterials, mouths, grid);
    return [
      ...runs(lattice.lines, lattice.places, (line, place) => lattice.corner(line, place), district.gaps / 3),
      ...runs(lattice.places, lattice.lines, (place, line) => lattice.corner(line, place), district.gaps),
    ];

    function runs(
      lines: number,
      length: number,
      corner: (line: number, place: number) => PlanePoint,
      gaps: number,
    ): RoadLine[] {
      const streets: RoadLine[] = [];
      for (let line = 0; line < lines; line += 1) {
        const corners = Array.from({ length }, (_, place) => corner(line, place));
        for (const run of runsOf(corners, isCorner, grid, () => random.chance(gaps))) {
          const [first, last] = [corners[run.start], corners[run.end]];
          if (first === undefined || last === undefined) continue;
          const head = run.start > 0 ? mouthFrom(first, corners[run.start - 1] ?? first) : null;
          const tail = run.end < length - 1 ? mouthFrom(last, corners[run.end + 1] ?? last) : null;
          const line = [
            ...(head ? [head] : []),
            ...corners.slice(run.start, run.end + 1),
            ...(tail ? [tail] : []),
          ];
          if (line.length < 2) continue;
          streets.push({
            name: names.next(),
            ref: null,
            roadClass: 'street',
            limitKmh: STREET_LIMIT_KMH,
            points: line.length > 2 ? smoothCurve(line, CURVE_STEP_M) : line,
          });
        }
      }
      return streets;
    }
  });
}

function latticeOf(district: PlannedDistrict, random: SeededRandom): Lattice {
  const offsets = ([min, max]: [number, number]): number[] => {
    const marks: number[] = [];
    for (let at = -REACH_M + random.between(0, max); at < REACH_M; at += random.between(min, max))
      marks.push(at);
    return marks;
  };
  const across = offsets(district.acrossM);
  const along = offsets(district.alongM);
  const angle = (district.angleDeg * Math.PI) / 180;
  const [east, north] = [Math.sin(angle), Math.cos(angle)];
  const swing = [0, 1, 2, 3].map(() => ({
    phase: random.between(0, 2 * Math.PI),
    lengthM: random.between(160, 330),
  }));
  const wave = (which: number, at: number): number => {
    const { phase, lengthM } = swing[which] ?? { phase: 0, lengthM: 1 };
    return district.bendM * Math.sin(at / lengthM + phase);
  };
  return {
    lines: across.length,
    places: along.length,
    corner: (line, place) => {
      const v = across[line] ?? 0;
      const u = along[place] ?? 0;
      const sideways = v + wave(0, u) + wave(1, u + 0.6 * v);
      const onward = u + wave(2, v) + wave(3, v - 0.4 * u);
      return {
        x: district.at.x + onward * east + sideways * north,
        y: district.at.y + onward * north - sideways * east,
      };
    },
  };
}

/** Stretches of corners that can be joined; one corner alone counts, for it may reach a main road on both sides. */
function runsOf(
  corners: PlanePoint[],
  isCorner: (point: PlanePoint) => boolean,
  grid: GroundGrid,
  isGap: () => boolean,
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = -1;
  for (const [index, corner] of corners.entries()) {
    if (!isCorner(corner)) {
      start = -1;
      continue;
    }
    const before = corners[index - 1];
    const last = found.at(-1);
    const joins = start >= 0 && before !== undefined && isOpen(before, corner, grid) && !isGap();
    if (joins && last !== undefined) last.end = index;
    else found.push({ start: index, end: index });
    start = index;
  }
  return found;
}

function isOpen(from: PlanePoint, to: PlanePoint, grid: GroundGrid): boolean {
  const district = grid.districtAt(from);
  const steps = Math.ceil(distanceM(from, to) / 6);
  for (let step = 1; step < steps; step += 1) {
    const at = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
    if (grid.isBarred(at) || grid.districtAt(at) !== district) return false;
  }
  return true;
}

/** Where a street that leaves its last corner comes upon a main road; null when it does not, or too slantwise. */
function mouthOnArterial(
  from: PlanePoint,
  towards: PlanePoint,
  arterials: (readonly [PlanePoint, PlanePoint])[],
  mouths: PlanePoint[],
  grid: GroundGrid,
): PlanePoint | null {
  const reach = { x: from.x + (towards.x - from.x) * 1.35, y: from.y + (towards.y - from.y) * 1.35 };
  let mouth: PlanePoint | null = null;
  for (const [a, b] of arterials) {
    const hit = crossing(from, reach, a, b);
    if (hit === null || (mouth !== null && distanceM(from, hit.point) > distanceM(from, mouth))) continue;
    const turn = turnDeg(from, hit.point, b);
    mouth = Math.min(turn, 180 - turn) >= MOUTH_ANGLE_DEG ? hit.point : null;
    if (mouth === null) return null;
  }
  if (mouth === null) return null;
  const at = mouth;
  const shared = mouths.find((other) => distanceM(other, at) < SHARED_MOUTH_M) ?? at;
  const steps = Math.ceil(distanceM(from, shared) / 6);
  for (let step = 1; step < steps; step += 1) {
    const share = step / steps;
    if (grid.isBarred({ x: from.x + (shared.x - from.x) * share, y: from.y + (shared.y - from.y) * share }))
      return null;
  }
  if (shared === at) mouths.push(at);
  return shared;
}
