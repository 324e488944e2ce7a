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
  /** 1 for each of the points, by its index, that a cluster holds. */
  gathered: Uint8Array;
}

/** Fewer vehicles than this stay single, however close: a cluster must say more than what it hides. */
const FEWEST_MEMBERS = 4;

/**
 * Gathers vehicles that lie within `radius` (in Mercator units) of one that stands. Standing vehicles seed clusters
 * before moving ones, so that a depot's ring stays where it is while others drive by. 10,000 take some milliseconds.
 */
export function clusterVehicles(points: readonly ClusterPoint[], radius: number): Clustering {
  const clusters: Cluster[] = [];
  const gathered = new Uint8Array(points.length);
  const freeNear = createNeighbours(points, radius);
  for (const wantsMoving of [false, true]) {
    for (let index = 0; index < points.length; index++) {
      const seed = points[index];
      if (seed === undefined || (seed.state === 'moving') !== wantsMoving || freeNear.isTaken(index))
        continue;
      const near = freeNear.of(index);
      if (near.length < FEWEST_MEMBERS) {
        freeNear.take(index);
        continue;
      }
      clusters.push(clusterOf(seed, near, points));
      for (const other of near) {
        freeNear.take(other);
        gathered[other] = 1;
      }
    }
  }
  return { clusters, gathered };
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

/**
 * Finds the points within `radius` of one that no cluster has taken yet. Points lie in chains by the cell of a grid, and
 * cells share the chains by a hash: what lies elsewhere is left out by its distance. Numbers in typed arrays, since this
 * runs every second for all vehicles.
 */
function createNeighbours(points: readonly ClusterPoint[], radius: number) {
  const { length } = points;
  const mask = 2 ** Math.ceil(Math.log2(length + 1)) - 1;
  const xs = new Float64Array(length);
  const ys = new Float64Array(length);
  const first = new Int32Array(mask + 1).fill(-1);
  const next = new Int32Array(length);
  const taken = new Uint8Array(length);
  const chainOf = (column: number, row: number): number =>
    (Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) & mask;
  const cellOf = (at: number): number => Math.floor(at / radius);
  // From the end, so that each chain begins with the first of its points.
  for (let index = length - 1; index >= 0; index--) {
    const { x, y } = points[index] as ClusterPoint;
    xs[index] = x;
    ys[index] = y;
    const chain = chainOf(cellOf(x), cellOf(y));
    next[index] = first[chain] ?? -1;
    first[chain] = index;
  }
  const seen: number[] = [];

  return {
    isTaken: (index: number): boolean => taken[index] === 1,
    take(index: number): void {
      taken[index] = 1;
    },
    of(index: number): number[] {
      const x = xs[index] ?? NaN;
      const y = ys[index] ?? NaN;
      const column = cellOf(x);
      const row = cellOf(y);
      const found: number[] = [];
      seen.length = 0;
      for (let r = row - 1; r <= row + 1; r++) {
        for (let c = column - 1; c <= column + 1; c++) {
          const chain = chainOf(c, r);
          if (seen.includes(chain)) continue;
          seen.push(chain);
          for (let other = first[chain] ?? -1; other >= 0; other = next[other] ?? -1) {
            const dx = (xs[other] ?? NaN) - x;
            const dy = (ys[other] ?? NaN) - y;
            if (taken[other] === 0 && dx * dx + dy * dy <= radius * radius) found.push(other);
          }
        }
      }
      return found;
    },
  };
}
