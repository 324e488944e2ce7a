import { edgeNumbers, type Sides } from './shapeTypes.ts';
import type { LatLon } from './geodesy.ts';

/** Which places lie within the rings of one polygon; the border counts as inside. */
export interface RingBands {
  holds(place: LatLon): boolean;
  /** Sides read so far, by all questions. */
  read(): number;
}

/** A tree of bands that is counted and not built yet. */
export interface RingBandsPlan {
  /** How often a side stands in a node or a leaf. */
  entries: number;
  /** Of the typed arrays. */
  bytes: number;
  /** The most sides that one question reads. */
  maxRead: number;
  build(): RingBands;
}

/** So many corners at most lie between the borders of a leaf; fewer leaves would make it more. */
const cornersOfLeaf = 4;
const maxDepth = 12;
/** A side spans at most two nodes of a level, and begins and ends in a leaf. */
export const maxEntriesOfEdge = 2 * maxDepth + 2;

/**
 * The sides of a polygon's rings by bands of latitude: a tree whose leaves end at corners. A side stands in the nodes
 * that it spans whole (at most two of each level), and in the leaves that it begins or ends within. The sides of a valid
 * polygon do not cross, so those that span a node lie in it from west to east, and a binary search counts those that
 * lie west of a place. Entries grow with the corners, and a question reads a few sides of each level, whatever the shape.
 *
 * @param edges those from `first` to `end`, counted in sides, are the rings
 */
export function planRingBands(edges: Sides, first: number, end: number): RingBandsPlan {
  const lats = new Float64Array(end - first);
  for (let edge = first; edge < end; edge++) lats[edge - first] = edges[edge * edgeNumbers + 1] ?? 0;
  lats.sort();
  const borders = bordersOf(lats);
  const leafCount = Math.max(0, borders.length - 1);
  let size = 1;
  while (size < leafCount) size *= 2;

  /** The last leaf that begins at or south of a latitude; `leafCount` for the northern end. */
  function leafOf(lat: number): number {
    let [low, high] = [0, leafCount];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((borders[middle] ?? 0) <= lat) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Shows each node that a side spans, then each leaf that it lies in with a part (from `2 * size` on). */
  function eachNode(edge: number, see: (node: number, edge: number) => void): void {
    const [a, b] = [edges[edge * edgeNumbers + 1] ?? 0, edges[edge * edgeNumbers + 3] ?? 0];
    if (a === b) return;
    const [south, north] = a < b ? [a, b] : [b, a];
    let from = leafOf(south);
    let to = leafOf(north);
    const beginsWithin = (borders[from] ?? 0) < south;
    const endsWithin = (borders[to] ?? 0) < north;
    if (beginsWithin) see(2 * size + from, edge);
    if (endsWithin && !(beginsWithin && from === to)) see(2 * size + to, edge);
    if (beginsWithin) from += 1;
    for (from += size, to += size; from < to; from >>= 1, to >>= 1) {
      if (from % 2 === 1) see(from++, edge);
      if (to % 2 === 1) see(--to, edge);
    }
  }

  const starts = new Uint32Array(3 * size + 1);
  const isLevel = (edge: number) => edges[edge * edgeNumbers + 1] === edges[edge * edgeNumbers + 3];
  let levelCount = 0;
  for (let edge = first; edge < end; edge++) {
    if (isLevel(edge)) levelCount += 1;
    else eachNode(edge, (node) => (starts[node + 1] = (starts[node + 1] ?? 0) + 1));
  }
  let maxOfLeaf = 0;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    let reads = starts[2 * size + leaf + 1] ?? 0;
    for (let node = size + leaf; node >= 1; node >>= 1) reads += searchSteps(starts[node + 1] ?? 0);
    maxOfLeaf = Math.max(maxOfLeaf, reads);
  }
  for (let node = 0; node < starts.length - 1; node++)
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const entries = starts.at(-1) ?? 0;

  return {
    entries: entries + levelCount,
    bytes: (entries + levelCount + starts.length) * 4 + borders.byteLength,
    // On a border between two leaves both are asked.
    maxRead: 2 * maxOfLeaf + searchSteps(levelCount),

    build() {
      const { members, level } = filled();
      sortSpanning(edges, members, starts, borders, size);
      let readInAll = 0;
      level.sort((a, b) => latOf(a) - latOf(b) || westOf(a) - westOf(b) || eastOf(a) - eastOf(b));
      return { holds, read: () => readInAll };

      function latOf(edge: number): number {
        return edges[edge * edgeNumbers + 1] ?? 0;
      }
      function westOf(edge: number): number {
        return Math.min(edges[edge * edgeNumbers] ?? 0, edges[edge * edgeNumbers + 2] ?? 0);
      }
      function eastOf(edge: number): number {
        return Math.max(edges[edge * edgeNumbers] ?? 0, edges[edge * edgeNumbers + 2] ?? 0);
      }

      function holds({ lat, lon }: LatLon): boolean {
        if (leafCount === 0) return isOnLevel(lat, lon);
        if (lat < (borders[0] ?? 0) || lat > (borders[leafCount] ?? 0)) return false;
        const leaf = leafOf(lat);
        const west = leaf < leafCount ? westIn(leaf, lat, lon) : 0;
        if (west === onBorder) return true;
        // What ends at this latitude stands south of it alone.
        if (borders[leaf] === lat && leaf > 0 && westIn(leaf - 1, lat, lon) === onBorder) return true;
        return west % 2 === 1 || (levelCount > 0 && isOnLevel(lat, lon));
      }

      /** How many sides pass west of a place in a leaf; `onBorder` when one passes through it. */
      function westIn(leaf: number, lat: number, lon: number): number {
        let west = 0;
        for (let node = size + leaf; node >= 1; node >>= 1) {
          const begin = starts[node] ?? 0;
          let low = begin;
          let high = starts[node + 1] ?? 0;
          while (low < high) {
            const middle = (low + high) >> 1;
            readInAll += 1;
            const turn = turnOf(members[middle] ?? 0, lat, lon);
            if (turn === 0) return onBorder;
            if (turn > 0) low = middle + 1;
            else high = middle;
          }
          west += low - begin;
        }
        const begin = starts[2 * size + leaf] ?? 0;
        const past = starts[2 * size + leaf + 1] ?? 0;
        readInAll += past - begin;
        for (let at = begin; at < past; at++) {
          const edge = members[at] ?? 0;
          const [a, b] = [edges[edge * edgeNumbers + 1] ?? 0, edges[edge * edgeNumbers + 3] ?? 0];
          if ((a > lat && b > lat) || (a < lat && b < lat)) continue;
          const turn = turnOf(edge, lat, lon);
          if (turn === 0) return onBorder;
          if (turn > 0 && (a > lat || b > lat)) west += 1;
        }
        return west;
      }

      function isOnLevel(lat: number, lon: number): boolean {
        let [low, high] = [0, levelCount];
        while (low < high) {
          const middle = (low + high) >> 1;
          readInAll += 1;
          const edge = level[middle] ?? 0;
          if (latOf(edge) < lat || (latOf(edge) === lat && westOf(edge) <= lon)) low = middle + 1;
          else high = middle;
        }
        const edge = level[low - 1];
        return edge !== undefined && latOf(edge) === lat && westOf(edge) <= lon && lon <= eastOf(edge);
      }
    },
  };

  function filled() {
    const members = new Uint32Array(entries);
    const level = new Uint32Array(levelCount);
    const next = starts.slice();
    let levels = 0;
    for (let edge = first; edge < end; edge++) {
      if (isLevel(edge)) level[levels++] = edge;
      else {
        eachNode(edge, (node) => {
          const at = next[node] ?? 0;
          members[at] = edge;
          next[node] = at + 1;
        });
      }
    }
    return { members, level };
  }

  /** More than 0 when a side, taken from south to north, passes west of a place, and 0 when through it. */
  function turnOf(edge: number, lat: number, lon: number): number {
    const at = edge * edgeNumbers;
    const x1 = (edges[at] ?? 0) - lon;
    const y1 = (edges[at + 1] ?? 0) - lat;
    const x2 = (edges[at + 2] ?? 0) - lon;
    const y2 = (edges[at + 3] ?? 0) - lat;
    return y1 < y2 ? x2 * y1 - x1 * y2 : x1 * y2 - x2 * y1;
  }
}

const onBorder = -1;

/** Of a binary search in so many. */
function searchSteps(count: number): number {
  return count === 0 ? 0 : Math.floor(Math.log2(count)) + 1;
}

/** Latitudes in order, between two of which lie few corners; what lies at one of them begins and ends no leaf's part. */
function bordersOf(lats: Float64Array): Float64Array {
  const step = Math.max(cornersOfLeaf, Math.ceil(lats.length / 2 ** maxDepth));
  const borders: number[] = [];
  for (let at = 0; at < lats.length + step - 1; at += step) {
    const lat = lats[Math.min(at, lats.length - 1)] ?? 0;
    if (lat !== borders.at(-1)) borders.push(lat);
  }
  return Float64Array.from(borders);
}

/** From west to east, as they lie half-way up their node. */
function sortSpanning(
  edges: Sides,
  members: Uint32Array,
  starts: Uint32Array,
  borders: Float64Array,
  size: number,
): void {
  const lons = new Float64Array(edges.length / edgeNumbers);
  for (let node = 1; node < 2 * size; node++) {
    const spanning = members.subarray(starts[node], starts[node + 1]);
    if (spanning.length < 2) continue;
    let [leaf, last] = [node, node];
    while (leaf < size) [leaf, last] = [2 * leaf, 2 * last + 1];
    const end = Math.min(last - size + 1, borders.length - 1);
    const lat = ((borders[leaf - size] ?? 0) + (borders[end] ?? 0)) / 2;
    for (const edge of spanning) lons[edge] = lonAt(edges, edge * edgeNumbers, lat);
    spanning.sort((a, b) => (lons[a] ?? 0) - (lons[b] ?? 0));
  }
}

function lonAt(edges: Sides, at: number, lat: number): number {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
  return x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1);
}
