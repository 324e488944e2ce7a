import type { StateCounts } from '../glyphs/clusterRing.ts';
import type { VehicleState } from '../glyphs/glyphShapes.ts';

/** A vehicle that may disappear in a cluster; x and y in Web Mercator, 0 to 1 over the world. */
export interface ClusterPoint {
  id: string;
  x: number;
  y: number;
  state: VehicleState;
}

export interface Cluster {
  /** The vehicle that the cluster grew from: its id, and its place, so that no two rings come nearer than `radius`. */
  id: string;
  x: number;
  y: number;
  counts: StateCounts;
  members: string[];
}

export interface Clustering {
  clusters: Cluster[];
  singles: Set<string>;
}

/** Fewer vehicles than this stay single, however close: a cluster must say more than what it hides. */
const FEWEST_MEMBERS = 4;

/**
 * Gathers vehicles that lie within `radius` (in Mercator units) of one that stands. Standing vehicles seed clusters
 * before moving ones, so that a depot's ring stays where it is while others drive by. 10,000 take some milliseconds.
 */
export function clusterVehicles(points: readonly ClusterPoint[], radius: number): Clustering {
  const singles = new Set<string>();
  const clusters: Cluster[] = [];
  const grid = gridOf(points, radius);
  const taken = new Uint8Array(points.length);
  for (const index of seedOrder(points)) {
    const seed = points[index];
    if (seed === undefined || taken[index] === 1) continue;
    const near = neighbours(points, grid, seed, radius).filter((other) => taken[other] === 0);
    if (near.length < FEWEST_MEMBERS) {
      singles.add(seed.id);
      taken[index] = 1;
      continue;
    }
    clusters.push(clusterOf(seed, near, points));
    for (const other of near) taken[other] = 1;
  }
  return { clusters, singles };
}

function* seedOrder(points: readonly ClusterPoint[]): Generator<number> {
  for (let i = 0; i < points.length; i++) if (points[i]?.state !== 'moving') yield i;
  for (let i = 0; i < points.length; i++) if (points[i]?.state === 'moving') yield i;
}

function clusterOf(seed: ClusterPoint, near: readonly number[], points: readonly ClusterPoint[]): Cluster {
  const cluster: Cluster = {
    id: seed.id,
    x: seed.x,
    y: seed.y,
    counts: { moving: 0, idle: 0, stopped: 0, overdue: 0, offline: 0 },
    members: [],
  };
  for (const index of near) {
    const point = points[index];
    if (point === undefined) continue;
    cluster.counts[point.state === 'never' ? 'offline' : point.state]++;
    cluster.members.push(point.id);
  }
  return cluster;
}

type Grid = Map<number, number[]>;

// More columns than any grid has: 2^26 cells of 24 px round the world is beyond zoom 20.
const COLUMNS = 2 ** 26;

function gridOf(points: readonly ClusterPoint[], side: number): Grid {
  const grid: Grid = new Map();
  points.forEach((point, i) => {
    const key = Math.floor(point.y / side) * COLUMNS + Math.floor(point.x / side);
    const cell = grid.get(key);
    if (cell) cell.push(i);
    else grid.set(key, [i]);
  });
  return grid;
}

function neighbours(
  points: readonly ClusterPoint[],
  grid: Grid,
  centre: ClusterPoint,
  radius: number,
): number[] {
  const column = Math.floor(centre.x / radius);
  const row = Math.floor(centre.y / radius);
  const found: number[] = [];
  for (let y = row - 1; y <= row + 1; y++) {
    for (let x = column - 1; x <= column + 1; x++) {
      for (const index of grid.get(y * COLUMNS + x) ?? []) {
        const other = points[index];
        if (other && (other.x - centre.x) ** 2 + (other.y - centre.y) ** 2 <= radius ** 2) found.push(index);
      }
    }
  }
  return found;
}
