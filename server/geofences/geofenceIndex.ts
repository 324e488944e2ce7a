import Flatbush from 'flatbush';
import type { Geofence } from '../contract/geofences.ts';
import type { FenceShape } from './geofenceShape.ts';
import { lonDifference, type Box, type LatLon } from './geodesy.ts';
import { indexLimits, measureShape } from './indexLimits.ts';

/** A geofence, ready for the engine. */
export interface IndexedGeofence {
  geofence: Geofence;
  shape: FenceShape;
  /** Since then the shape, or for whom it holds, is as it is now; Unix ms. */
  known_from_ms: number;
}

export interface GeofenceIndex {
  get(geozoneId: string): IndexedGeofence | undefined;
  /**
   * Shows all fences whose box the straight way from `a` to `b` may touch, each once; give the same place twice for a
   * point. Makes no list of them, since this is asked for each position.
   */
  near<T>(a: LatLon, b: LatLon, see: (geofence: IndexedGeofence, work: T) => void, work: T): void;
}

interface Candidate {
  entry: IndexedGeofence;
  box: Box;
  /** The cell that its south-western corner lies in. */
  row: number;
  column: number;
  /** The only box of its fence. */
  isAlone: boolean;
}

/**
 * Indexes geofences for a piece of work of its own.
 *
 * @throws Error for one that cannot be indexed, or for more bytes than all geofences of the host may take
 */
export function createGeofenceIndex(
  geofences: readonly { geofence: Geofence; known_from_ms: number }[],
): GeofenceIndex {
  let left = indexLimits.bytes;
  return geofenceIndexOf(
    geofences.map(({ geofence, known_from_ms }) => {
      const { plan, fault } = measureShape(geofence);
      if (fault !== null) throw new Error(`geofence ${geofence.geozone_id} ${fault.message}`);
      left -= plan.bytes;
      if (left < 0) throw new Error(`the indexes would take more than ${indexLimits.bytes} bytes`);
      return { geofence, known_from_ms, shape: plan.build() };
    }),
  );
}

/** Of shapes that are indexed already: only their boxes are put in order. */
export function geofenceIndexOf(geofences: readonly IndexedGeofence[]): GeofenceIndex {
  const byId = new Map<string, IndexedGeofence>();
  const candidates: Candidate[] = [];
  for (const entry of geofences) {
    byId.set(entry.geofence.geozone_id, entry);
    const boxes = entry.shape.boxes.flatMap(aroundTheWorld);
    const isAlone = boxes.length === 1;
    for (const box of boxes) {
      candidates.push({ entry, box, row: rowOf(box[1]), column: columnOf(box[0]), isAlone });
    }
  }
  const search = searchTree(candidates);
  const cellAt = createCells(search);

  function seeInTree<T>(
    boxes: readonly Box[],
    see: (geofence: IndexedGeofence, work: T) => void,
    work: T,
  ): void {
    for (const entry of new Set(boxes.flatMap(search).map((it) => it.entry))) see(entry, work);
  }

  return {
    get: (geozoneId) => byId.get(geozoneId),
    near(a, b, see, work) {
      const west = a.lon < b.lon ? a.lon : b.lon;
      const east = a.lon < b.lon ? b.lon : a.lon;
      const south = a.lat < b.lat ? a.lat : b.lat;
      const north = a.lat < b.lat ? b.lat : a.lat;
      if (east - west > 180 && Math.abs(lonDifference(east, west)) <= 180) {
        const sides: Box[] = [
          [east, south, 180, north],
          [-180, south, west, north],
        ];
        seeInTree(sides, see, work);
        return;
      }
      const firstColumn = columnOf(west);
      const lastColumn = columnOf(east);
      const firstRow = rowOf(south);
      const lastRow = rowOf(north);
      if (lastColumn - firstColumn > 1 || lastRow - firstRow > 1) {
        seeInTree([[west, south, east, north]], see, work);
        return;
      }
      let seen: Set<IndexedGeofence> | null = null;
      for (let row = firstRow; row <= lastRow; row++) {
        for (let column = firstColumn; column <= lastColumn; column++) {
          for (const candidate of cellAt(row, column)) {
            const { box } = candidate;
            if (box[0] > east || box[2] < west || box[1] > north || box[3] < south) continue;
            // What lies in several of the cells, or with its edge on the line between two, is seen in one.
            if (row !== (candidate.row > firstRow ? candidate.row : firstRow)) continue;
            if (column !== (candidate.column > firstColumn ? candidate.column : firstColumn)) continue;
            if (!candidate.isAlone) {
              seen ??= new Set();
              if (seen.has(candidate.entry)) continue;
              seen.add(candidate.entry);
            }
            see(candidate.entry, work);
          }
        }
      }
    },
  };
}

/** What reaches over the antimeridian is found from its other side as well. */
export function aroundTheWorld(box: Box): Box[] {
  const [west, south, east, north] = box;
  return [
    box,
    ...(west < -180 ? [[west + 360, south, 180, north] as const] : []),
    ...(east > 180 ? [[-180, south, east - 360, north] as const] : []),
  ];
}

function searchTree(candidates: readonly Candidate[]): (box: Box) => Candidate[] {
  if (candidates.length === 0) return () => [];
  const tree = new Flatbush(candidates.length);
  for (const { box } of candidates) tree.add(...box);
  tree.finish();
  return (box) => tree.search(...box).flatMap((at) => candidates[at] ?? []);
}

/** About 900 m of latitude: most ways between two fixes lie within one cell, or two. */
const cellsPerDegree = 128;
const columnsAround = 360 * cellsPerDegree + 1;
/** Some ten megabytes; after that the cache is cleared. */
const maxCells = 50_000;

const columnOf = (lon: number) => Math.floor((lon + 180) * cellsPerDegree);
const rowOf = (lat: number) => Math.floor((lat + 90) * cellsPerDegree);

/**
 * Vehicles are where they were a moment ago: what touches a small square of the map is looked up in the tree once and
 * kept.
 */
function createCells(search: (box: Box) => Candidate[]) {
  const cells = new Map<number, readonly Candidate[]>();
  return (row: number, column: number): readonly Candidate[] => {
    const key = row * columnsAround + column;
    const known = cells.get(key);
    if (known !== undefined) return known;
    if (cells.size >= maxCells) cells.clear();
    const [west, south] = [column / cellsPerDegree - 180, row / cellsPerDegree - 90];
    const cell = search([west, south, west + 1 / cellsPerDegree, south + 1 / cellsPerDegree]);
    cells.set(key, cell);
    return cell;
  };
}
