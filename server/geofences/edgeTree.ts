import { lonDifference, metresOfDegree, metresOfLon, originDistance, type LatLon } from './geodesy.ts';
import { edgeNumbers, type Coordinates, type Sides } from './shapeTypes.ts';

/** So far east and north. */
export interface Degrees {
  lon: number;
  lat: number;
}

type VisitEdge = (edge: number, aLon: number) => number;

/** Fewer are looked at one by one. */
export const fewSides = 16;
const sidesOfLeaf = 4;

/**
 * So many sides and nodes are read for one question. Twice what a place on the densest shape that is taken needs
 * (`mostSidesOverPlace`); only a place from which thousands of sides lie at the very distance that is asked for needs
 * more, and counts as within that distance.
 */
export const maxRead = 2_048;

const turns = [0, 360, -360] as const;
/** About a tenth of a millimetre: more than what rounding moves. */
const slackDegrees = 1e-9;
const slackM = 1e-3;

export function edgeTreeBytes(edgeCount: number): number {
  if (edgeCount < fewSides) return 0;
  const leaves = Math.ceil(edgeCount / sidesOfLeaf);
  return edgeCount * 4 + (2 * leaves - 1) * (4 * 8 + 2 * 4);
}

/** The sides of lines that are closed already if they are rings. */
export function sidesOf(lines: readonly Coordinates[]): Sides {
  const edges = new Float64Array(countSides(lines) * edgeNumbers);
  let at = 0;
  for (const line of lines) {
    for (let from = 0; from + 1 < line.length; from++) {
      const [lon = 0, lat = 0] = line[from] ?? [];
      const [toLon = 0, toLat = 0] = line[from + 1] ?? [];
      edges[at++] = lon;
      edges[at++] = lat;
      edges[at++] = lon + lonDifference(toLon, lon);
      edges[at++] = toLat;
    }
  }
  return edges;
}

export function countSides(lines: readonly Coordinates[]): number {
  return lines.reduce((sum, line) => sum + line.length - 1, 0);
}

/** A tree of boxes over sides in the order of a curve that fills the plane (Morton). */
export function createEdgeTree(edges: Sides) {
  const count = edges.length / edgeNumbers;
  let readInAll = 0;
  const order = count < fewSides ? new Uint32Array(0) : mortonOrder(edges);
  const leafCount = Math.ceil(order.length / sidesOfLeaf);
  const nodeCount = Math.max(0, 2 * leafCount - 1);
  const boxes = new Float64Array(nodeCount * 4);
  /** The second child of a node, whose first follows it; 0 for a leaf. */
  const second = new Uint32Array(nodeCount);
  /** Where the sides of a node begin in the order. */
  const begins = new Uint32Array(nodeCount);
  if (leafCount > 0) buildNode(0, 0, leafCount);
  const [west, east] = lonsOf(edges);

  function buildNode(node: number, first: number, end: number): number {
    begins[node] = first * sidesOfLeaf;
    const at = node * 4;
    if (end - first === 1) {
      const members = order.subarray(first * sidesOfLeaf, end * sidesOfLeaf);
      boxes.set([Infinity, Infinity, -Infinity, -Infinity], at);
      for (const edge of members) {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = edges.subarray(edge * edgeNumbers, (edge + 1) * edgeNumbers);
        widen(at, Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
      }
      return node + 1;
    }
    const middle = (first + end) >> 1;
    const other = buildNode(node + 1, first, middle);
    second[node] = other;
    const next = buildNode(other, middle, end);
    boxes.copyWithin(at, (node + 1) * 4, (node + 2) * 4);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = boxes.subarray(other * 4, (other + 1) * 4);
    widen(at, x1, y1, x2, y2);
    return next;
  }

  function widen(at: number, x1: number, y1: number, x2: number, y2: number): void {
    boxes[at] = Math.min(boxes[at] ?? 0, x1);
    boxes[at + 1] = Math.min(boxes[at + 1] ?? 0, y1);
    boxes[at + 2] = Math.max(boxes[at + 2] ?? 0, x2);
    boxes[at + 3] = Math.max(boxes[at + 3] ?? 0, y2);
  }

  function edgeDistance(edge: number, lon: number, lat: number, lonM: number): number {
    const at = edge * edgeNumbers;
    return originDistance(
      ((edges[at] ?? 0) - lon) * lonM,
      ((edges[at + 1] ?? 0) - lat) * metresOfDegree,
      ((edges[at + 2] ?? 0) - lon) * lonM,
      ((edges[at + 3] ?? 0) - lat) * metresOfDegree,
    );
  }

  function nodeDistance(node: number, lon: number, lat: number, lonM: number): number {
    const at = node * 4;
    const x = Math.max((boxes[at] ?? 0) - lon, 0, lon - (boxes[at + 2] ?? 0)) * lonM;
    const y = Math.max((boxes[at + 1] ?? 0) - lat, 0, lat - (boxes[at + 3] ?? 0)) * metresOfDegree;
    return Math.sqrt(x * x + y * y);
  }

  function isWithinOfAll(lon: number, lat: number, metres: number, lonM: number): boolean {
    for (let edge = 0; edge < count; edge++) {
      if (edgeDistance(edge, lon, lat, lonM) <= metres) return true;
    }
    return false;
  }

  function isWithinOfTree(lon: number, lat: number, metres: number, lonM: number): boolean {
    const reach = metres + slackM;
    let left = maxRead;
    let depth = 0;
    stack[depth++] = 0;
    if (nodeDistance(0, lon, lat, lonM) > reach) return false;
    while (depth > 0) {
      const node = stack[--depth] ?? 0;
      const other = second[node] ?? 0;
      const reads = other === 0 ? sidesOfLeaf : 2;
      left -= reads;
      readInAll += reads;
      if (left < 0) return true;
      if (other === 0) {
        const begin = begins[node] ?? 0;
        for (let at = begin; at < Math.min(begin + sidesOfLeaf, count); at++) {
          if (edgeDistance(order[at] ?? 0, lon, lat, lonM) <= metres) return true;
        }
        continue;
      }
      const toFirst = nodeDistance(node + 1, lon, lat, lonM);
      const toOther = nodeDistance(other, lon, lat, lonM);
      // The nearer one is taken from the stack first.
      if (toFirst <= toOther) {
        if (toOther <= reach) stack[depth++] = other;
        if (toFirst <= reach) stack[depth++] = node + 1;
      } else {
        if (toFirst <= reach) stack[depth++] = node + 1;
        if (toOther <= reach) stack[depth++] = other;
      }
    }
    return false;
  }

  function alongAll(a: LatLon, way: Degrees, margin: Degrees, see: VisitEdge): void {
    const wayWest = Math.min(0, way.lon) - margin.lon - slackDegrees;
    const wayEast = Math.max(0, way.lon) + margin.lon + slackDegrees;
    for (const turn of turns) {
      const lon = a.lon + turn;
      if (lon + wayEast < west || lon + wayWest > east) continue;
      readInAll += count;
      for (let edge = 0; edge < count; edge++) see(edge, lon);
    }
  }

  function alongTree(a: LatLon, way: Degrees, margin: Degrees, see: VisitEdge): void {
    let limit = 1;
    let left = maxRead;
    const marginLon = margin.lon + slackDegrees;
    const marginLat = margin.lat + slackDegrees;
    const wayWest = Math.min(0, way.lon) - marginLon;
    const wayEast = Math.max(0, way.lon) + marginLon;

    /** The share at which the way comes to a node; more than 1 when it never does. */
    function entry(node: number, lon: number): number {
      const at = node * 4;
      let enter = 0;
      let leave = 1;
      const low = (boxes[at] ?? 0) - marginLon - lon;
      const high = (boxes[at + 2] ?? 0) + marginLon - lon;
      if (way.lon === 0) {
        if (low > 0 || high < 0) return never;
      } else {
        const [one, two] = [low / way.lon, high / way.lon];
        enter = Math.max(enter, Math.min(one, two));
        leave = Math.min(leave, Math.max(one, two));
      }
      const south = (boxes[at + 1] ?? 0) - marginLat - a.lat;
      const north = (boxes[at + 3] ?? 0) + marginLat - a.lat;
      if (way.lat === 0) {
        if (south > 0 || north < 0) return never;
      } else {
        const [one, two] = [south / way.lat, north / way.lat];
        enter = Math.max(enter, Math.min(one, two));
        leave = Math.min(leave, Math.max(one, two));
      }
      return enter > leave ? never : enter;
    }

    for (const turn of turns) {
      const lon = a.lon + turn;
      if (lon + wayEast < west || lon + wayWest > east) continue;
      let depth = 0;
      stack[depth] = 0;
      entries[depth++] = entry(0, lon);
      while (depth > 0) {
        const node = stack[--depth] ?? 0;
        if ((entries[depth] ?? never) > limit) continue;
        const other = second[node] ?? 0;
        const reads = other === 0 ? sidesOfLeaf : 2;
        left -= reads;
        readInAll += reads;
        if (left < 0) return;
        if (other === 0) {
          const begin = begins[node] ?? 0;
          for (let at = begin; at < Math.min(begin + sidesOfLeaf, count); at++)
            limit = see(order[at] ?? 0, lon);
          continue;
        }
        const atFirst = entry(node + 1, lon);
        const atOther = entry(other, lon);
        const isFirstNearer = atFirst <= atOther;
        stack[depth] = isFirstNearer ? other : node + 1;
        entries[depth++] = isFirstNearer ? atOther : atFirst;
        stack[depth] = isFirstNearer ? node + 1 : other;
        entries[depth++] = isFirstNearer ? atFirst : atOther;
      }
    }
  }

  return {
    /** Whether one of them is at most `metres` away from a place, on the plane that touches the earth there. */
    isWithin(place: LatLon, metres: number): boolean {
      const lonM = metresOfLon(place.lat);
      const margin = Math.min(360, metres / lonM) + slackDegrees;
      for (const turn of turns) {
        const lon = place.lon + turn;
        if (lon + margin < west || lon - margin > east) continue;
        if (leafCount === 0) {
          readInAll += count;
          if (isWithinOfAll(lon, place.lat, metres, lonM)) return true;
        } else if (isWithinOfTree(lon, place.lat, metres, lonM)) return true;
      }
      return false;
    },

    /**
     * Shows the sides whose box, with a margin in degrees, the straight way from `a` by so many degrees touches; about in
     * the order in which it comes to them. `see` answers the share of the way beyond which nothing matters any more.
     */
    along: leafCount === 0 ? alongAll : alongTree,

    /** Sides and nodes read so far, by all questions. */
    read: () => readInAll,
  };
}

const never = 2;
/** A tree of 2^30 leaves goes no deeper; questions are asked one after the other. */
const stack = new Uint32Array(64);
const entries = new Float64Array(64);

/** The westernmost and the easternmost longitude. */
function lonsOf(edges: Sides): [number, number] {
  let [west, east] = [Infinity, -Infinity];
  for (let at = 0; at < edges.length; at += 2) {
    const lon = edges[at] ?? 0;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  return [west, east];
}

/** Of the middles of the sides, in steps of which 65,536 make the shape. */
function mortonOrder(edges: Sides): Uint32Array {
  const count = edges.length / edgeNumbers;
  const [west, east] = lonsOf(edges);
  let [south, north] = [Infinity, -Infinity];
  for (let at = 1; at < edges.length; at += 2) {
    south = Math.min(south, edges[at] ?? 0);
    north = Math.max(north, edges[at] ?? 0);
  }
  const stepsOf = (a: number, b: number, low: number, high: number) =>
    high > low ? Math.floor((((a + b) / 2 - low) / (high - low)) * 0xffff) : 0;
  const keys = new Float64Array(count);
  for (let edge = 0; edge < count; edge++) {
    const at = edge * edgeNumbers;
    const x = stepsOf(edges[at] ?? 0, edges[at + 2] ?? 0, west, east);
    const y = stepsOf(edges[at + 1] ?? 0, edges[at + 3] ?? 0, south, north);
    // Below 2^53 for up to two million sides.
    keys[edge] = (spread(x) + 2 * spread(y)) * 2 ** 21 + edge;
  }
  return Uint32Array.from(keys.sort(), (key) => key % 2 ** 21);
}

/** Puts a 0 before each of 16 bits. */
function spread(bits: number): number {
  let spread = bits;
  spread = (spread | (spread << 8)) & 0x00ff00ff;
  spread = (spread | (spread << 4)) & 0x0f0f0f0f;
  spread = (spread | (spread << 2)) & 0x33333333;
  return (spread | (spread << 1)) & 0x55555555;
}
