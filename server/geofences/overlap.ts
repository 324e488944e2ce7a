import type { LatLon } from './geodesy.ts';

/** Where boxes lie over each other the most. */
export interface Overlap extends LatLon {
  /** The sum of the weights of the boxes there. */
  weight: number;
}

/**
 * The place over which boxes have the most weight together; edges count. A sweep from west to east over a tree of
 * latitudes: n boxes take about n log n steps. Null when there is no box.
 *
 * @param boxes four numbers each: west, south, east, north
 */
export function heaviestOverlap(boxes: Float64Array, weightOf: (box: number) => number): Overlap | null {
  const count = boxes.length / 4;
  if (count === 0) return null;
  const lats = latitudesOf(boxes);
  const rowOf = (lat: number) => {
    let [low, high] = [0, lats.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lats[middle] ?? 0) < lat) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const byWest = inOrder(boxes, 0);
  const byEast = inOrder(boxes, 2);
  const rows = createRows(lats.length);
  let heaviest: Overlap = { lat: 0, lon: 0, weight: -Infinity };
  let ended = 0;
  for (const box of byWest) {
    const west = boxes[box * 4] ?? 0;
    for (; ended < count; ended++) {
      const over = byEast[ended] ?? 0;
      if ((boxes[over * 4 + 2] ?? 0) >= west) break;
      rows.add(rowOf(boxes[over * 4 + 1] ?? 0), rowOf(boxes[over * 4 + 3] ?? 0), -weightOf(over));
    }
    rows.add(rowOf(boxes[box * 4 + 1] ?? 0), rowOf(boxes[box * 4 + 3] ?? 0), weightOf(box));
    if (rows.max() > heaviest.weight) {
      heaviest = { lat: lats[rows.mostAt()] ?? 0, lon: west, weight: rows.max() };
    }
  }
  return heaviest;
}

/**
 * Of a grid over all boxes, the cell that the most of them touch: no place lies under more. Takes as many steps as
 * there are boxes and cells.
 */
export function densestCell(boxes: Float64Array): Overlap {
  const cellsAcross = Math.ceil(Math.sqrt(boxes.length));
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < boxes.length; at += 4) {
    west = Math.min(west, boxes[at] ?? 0);
    south = Math.min(south, boxes[at + 1] ?? 0);
    east = Math.max(east, boxes[at + 2] ?? 0);
    north = Math.max(north, boxes[at + 3] ?? 0);
  }
  const cellOf = (degrees: number, first: number, last: number) =>
    last > first ? Math.floor(((degrees - first) / (last - first)) * (cellsAcross - 1)) : 0;
  const columnOf = (lon: number) => cellOf(lon, west, east);
  const rowOf = (lat: number) => cellOf(lat, south, north);
  // What begins at a corner of the grid counts for all cells east and north of it, until it is taken off again.
  const across = cellsAcross + 1;
  const counts = new Int32Array(across * across);
  const change = (row: number, column: number, by: number) => {
    const at = row * across + column;
    counts[at] = (counts[at] ?? 0) + by;
  };
  for (let at = 0; at < boxes.length; at += 4) {
    const [column, row] = [columnOf(boxes[at] ?? 0), rowOf(boxes[at + 1] ?? 0)];
    const [lastColumn, lastRow] = [columnOf(boxes[at + 2] ?? 0), rowOf(boxes[at + 3] ?? 0)];
    change(row, column, 1);
    change(row, lastColumn + 1, -1);
    change(lastRow + 1, column, -1);
    change(lastRow + 1, lastColumn + 1, 1);
  }
  let densest: Overlap = { lat: south, lon: west, weight: 0 };
  for (let row = 0; row < cellsAcross; row++) {
    let inRow = 0;
    for (let column = 0; column < cellsAcross; column++) {
      const at = row * across + column;
      inRow += counts[at] ?? 0;
      const weight = inRow + (row === 0 ? 0 : (counts[at - across] ?? 0));
      counts[at] = weight;
      if (weight > densest.weight)
        densest = {
          lat: south + ((north - south) * row) / (cellsAcross - 1),
          lon: west + ((east - west) * column) / (cellsAcross - 1),
          weight,
        };
    }
  }
  return densest;
}

function latitudesOf(boxes: Float64Array): Float64Array {
  const all = new Float64Array(boxes.length / 2);
  for (let at = 0; at < all.length; at++) all[at] = boxes[at * 2 + 1] ?? 0;
  all.sort();
  return all.filter((lat, at) => at === 0 || lat !== all[at - 1]);
}

function inOrder(boxes: Float64Array, number: number): Uint32Array {
  const order = Uint32Array.from({ length: boxes.length / 4 }, (_, at) => at);
  return order.sort((a, b) => (boxes[a * 4 + number] ?? 0) - (boxes[b * 4 + number] ?? 0));
}

/** Numbers in a row, of which stretches grow and shrink, and the largest is asked for. */
function createRows(count: number) {
  let size = 1;
  while (size < count) size *= 2;
  const added = new Float64Array(2 * size);
  const max = new Float64Array(2 * size);

  function raise(node: number, by: number): void {
    added[node] = (added[node] ?? 0) + by;
    max[node] = (max[node] ?? 0) + by;
  }

  function settle(leaf: number): void {
    for (let node = leaf >> 1; node >= 1; node >>= 1) {
      max[node] = (added[node] ?? 0) + Math.max(max[2 * node] ?? 0, max[2 * node + 1] ?? 0);
    }
  }

  return {
    /** Both ends are in it. */
    add(first: number, last: number, by: number): void {
      for (let [low, high] = [first + size, last + size + 1]; low < high; low >>= 1, high >>= 1) {
        if (low % 2 === 1) raise(low++, by);
        if (high % 2 === 1) raise(--high, by);
      }
      settle(first + size);
      settle(last + size);
    },
    max: () => max[1] ?? 0,
    mostAt(): number {
      let node = 1;
      while (node < size) node = (max[2 * node] ?? 0) >= (max[2 * node + 1] ?? 0) ? 2 * node : 2 * node + 1;
      return node - size;
    },
  };
}
