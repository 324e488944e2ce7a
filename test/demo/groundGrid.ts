import { distanceM, segmentsOf, type PlanePoint, type Polyline } from './planeGeometry.ts';
import type { TownGround } from './townGround.ts';
import { DEPOT_FENCE, QUAY_FENCE } from './townPlan.ts';
import { DISTRICTS } from './townQuarters.ts';

/** What lies where, asked thousands of times while streets are laid: a raster of the town, 8 m a cell. */
export interface GroundGrid {
  /** Index into DISTRICTS of the district that a point belongs to; -1 on main roads, in water and beyond the town. */
  districtAt(point: PlanePoint): number;
  /** No street may cross here: water, park, rail, motorway, yard, each with its verge. */
  isBarred(point: PlanePoint): boolean;
  /** No street corner here either: too near a main road. */
  isCrowded(point: PlanePoint): boolean;
}

const CELL_M = 8;
const HALF_WIDTH_M = 3600;
const HALF_HEIGHT_M = 3000;
const COLUMNS = (2 * HALF_WIDTH_M) / CELL_M;
const ROWS = (2 * HALF_HEIGHT_M) / CELL_M;

const VERGE_M = { motorway: 52, arterial: 34, rail: 26, bank: 28, park: 16, yard: 36 };

export function surveyGround(ground: TownGround): GroundGrid {
  const walls = new Uint8Array(COLUMNS * ROWS);
  const barred = new Uint8Array(COLUMNS * ROWS);
  const crowded = new Uint8Array(COLUMNS * ROWS);
  for (const road of ground.mainRoads) {
    stampLine(walls, road.points, 0);
    if (road.roadClass === 'motorway') stampLine(barred, road.points, VERGE_M.motorway);
    else stampLine(crowded, road.points, VERGE_M.arterial);
  }
  for (const railway of ground.railways) {
    stampLine(walls, railway.points, 0);
    stampLine(barred, railway.points, VERGE_M.rail);
  }
  for (const { outline } of ground.water) {
    stampArea(walls, outline, 0);
    stampArea(barred, outline, VERGE_M.bank);
  }
  for (const { outline } of ground.parks) stampArea(barred, outline, VERGE_M.park);
  for (const outline of [DEPOT_FENCE, QUAY_FENCE])
    stampArea(barred, [...outline, ...outline.slice(0, 1)], VERGE_M.yard);
  const owners = floodDistricts(walls);
  return {
    districtAt: (point) => owners[cellOf(point)] ?? -1,
    isBarred: (point) => (barred[cellOf(point)] ?? 1) === 1,
    isCrowded: (point) => (crowded[cellOf(point)] ?? 1) === 1 || (barred[cellOf(point)] ?? 1) === 1,
  };
}

function cellOf({ x, y }: PlanePoint): number {
  const column = Math.floor((x + HALF_WIDTH_M) / CELL_M);
  const row = Math.floor((y + HALF_HEIGHT_M) / CELL_M);
  return column < 0 || row < 0 || column >= COLUMNS || row >= ROWS ? -1 : row * COLUMNS + column;
}

const cellCentre = (cell: number): PlanePoint => ({
  x: ((cell % COLUMNS) + 0.5) * CELL_M - HALF_WIDTH_M,
  y: (Math.floor(cell / COLUMNS) + 0.5) * CELL_M - HALF_HEIGHT_M,
});

function stampLine(raster: Uint8Array, line: Polyline, marginM: number): void {
  for (const [a, b] of segmentsOf(line)) {
    const steps = Math.max(1, Math.ceil(distanceM(a, b) / (marginM > 0 ? CELL_M : 3)));
    for (let step = 0; step <= steps; step += 1) {
      stampDisc(
        raster,
        { x: a.x + ((b.x - a.x) * step) / steps, y: a.y + ((b.y - a.y) * step) / steps },
        marginM,
      );
    }
  }
}

function stampDisc(raster: Uint8Array, centre: PlanePoint, radiusM: number): void {
  const own = cellOf(centre);
  if (own >= 0) raster[own] = 1;
  for (let x = centre.x - radiusM; x <= centre.x + radiusM; x += CELL_M) {
    for (let y = centre.y - radiusM; y <= centre.y + radiusM; y += CELL_M) {
      const cell = cellOf({ x, y });
      if (cell >= 0 && distanceM({ x, y }, centre) <= radiusM) raster[cell] = 1;
    }
  }
}

/** Row by row between the outline's crossings: the river is long, and a test of every cell would take seconds. */
function stampArea(raster: Uint8Array, outline: Polyline, marginM: number): void {
  stampLine(raster, outline, marginM);
  const sides = segmentsOf(outline);
  for (let row = 0; row < ROWS; row += 1) {
    const { y } = cellCentre(row * COLUMNS);
    const crossings = sides
      .filter(([a, b]) => a.y > y !== b.y > y)
      .map(([a, b]) => a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y))
      .sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const [from = 0, to = 0] = crossings.slice(pair, pair + 2);
      for (let x = from; x <= to; x += CELL_M) {
        const cell = cellOf({ x, y });
        if (cell >= 0) raster[cell] = 1;
      }
    }
  }
}

/** The built-up town ends at a rounded rectangle with a ragged edge. */
function isBuiltUp({ x, y }: PlanePoint): boolean {
  const ragged = 1 + 0.07 * Math.sin(x / 310 + 1) + 0.07 * Math.sin(y / 270) + 0.05 * Math.sin((x + y) / 190);
  return Math.abs(x / 3050) ** 2.6 + Math.abs(y / 2620) ** 2.6 < ragged;
}

/** Every district grows from its middle at the same pace until it meets a main road, water, rail or a neighbour. */
function floodDistricts(walls: Uint8Array): Int16Array {
  const owners = new Int16Array(COLUMNS * ROWS).fill(-1);
  let front = DISTRICTS.map(({ at }, index) => {
    const cell = cellOf(at);
    owners[cell] = index;
    return cell;
  });
  while (front.length > 0) {
    const grown: number[] = [];
    for (const cell of front) {
      for (const neighbour of [cell - 1, cell + 1, cell - COLUMNS, cell + COLUMNS]) {
        if (owners[neighbour] !== -1 || walls[neighbour] === 1 || !isBuiltUp(cellCentre(neighbour))) continue;
        owners[neighbour] = owners[cell] ?? -1;
        grown.push(neighbour);
      }
    }
    front = grown;
  }
  return owners;
}
