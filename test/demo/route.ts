import { distanceM, type PlanePoint } from './planeGeometry.ts';
import { edgesOf, nodeOf } from './streetGraph.ts';
import type { GraphEdge, RoadClass, StreetGraph } from './townModel.ts';

interface RoutePoint extends PlanePoint {
  /** The largest road that meets here, at a place where three ways or more meet; else null. */
  junction: RoadClass | null;
}

export interface RouteSegment {
  limitKmh: number;
  roadClass: RoadClass;
  name: string;
}

/** `segments[i]` leads from `points[i]` to `points[i + 1]`. */
export interface Route {
  points: RoutePoint[];
  segments: RouteSegment[];
  lengthM: number;
  /** At the limit all the way, with a moment lost at each street corner. */
  durationS: number;
  /** How far along each of the asked nodes lies: 0 first, `lengthM` last. */
  viaM: number[];
}

const FASTEST_MS = 80 / 3.6;
/** Seconds lost at a corner of side streets: it keeps through traffic on the main roads. */
const CORNER_S: Record<RoadClass, number> = { motorway: 0, arterial: 1, street: 3, yard: 3 };
const RANK: RoadClass[] = ['yard', 'street', 'arterial', 'motorway'];

/**
 * The quickest way by the limits from node to node, through all of them in order; it turns back on the spot only where
 * there is no other way on.
 * @throws RangeError for fewer than two nodes, or an id that is none of the graph's.
 */
export function findRoute(graph: StreetGraph, nodes: readonly number[]): Route {
  const first = nodes[0];
  if (first === undefined || nodes.length < 2) throw new RangeError('a route leads from one node to another');
  const route: Route = {
    points: [routePoint(graph, first)],
    segments: [],
    lengthM: 0,
    durationS: 0,
    viaM: [0],
  };
  let at = first;
  let last: GraphEdge | null = null;
  for (const to of nodes.slice(1)) {
    for (const edge of shortestPath(graph, at, to, last)) {
      append(graph, route, edge, at);
      at = edge.from === at ? edge.to : edge.from;
      last = edge;
    }
    route.viaM.push(route.lengthM);
  }
  return route;
}

function append(graph: StreetGraph, route: Route, edge: GraphEdge, from: number): void {
  const way = edge.from === from ? edge.points : edge.points.toReversed();
  const end = edge.from === from ? edge.to : edge.from;
  for (const [index, point] of way.entries()) {
    if (index === 0) continue;
    route.points.push(index === way.length - 1 ? routePoint(graph, end) : { ...point, junction: null });
    route.segments.push({ limitKmh: edge.limitKmh, roadClass: edge.roadClass, name: edge.name });
  }
  route.lengthM += edge.lengthM;
  route.durationS += secondsOver(edge);
}

function routePoint(graph: StreetGraph, id: number): RoutePoint {
  const edges = edgesOf(graph, id);
  const largest = Math.max(...edges.map(({ roadClass }) => RANK.indexOf(roadClass)));
  return { ...nodeOf(graph, id).point, junction: edges.length < 3 ? null : (RANK[largest] ?? null) };
}

const secondsOver = (edge: GraphEdge): number =>
  edge.lengthM / (edge.limitKmh / 3.6) + CORNER_S[edge.roadClass];

/** A*: the straight line at the fastest limit never overestimates. */
function shortestPath(
  graph: StreetGraph,
  from: number,
  to: number,
  arrivedBy: GraphEdge | null,
): GraphEdge[] {
  const goal = nodeOf(graph, to).point;
  const seconds = new Map([[from, 0]]);
  const cameBy = new Map<number, GraphEdge>();
  const settled = new Set<number>();
  const ways = edgesOf(graph, from);
  const open = minimumHeap();
  open.push(from, 0);
  for (let node = open.pop(); node !== null && node !== to; node = open.pop()) {
    if (settled.has(node)) continue;
    settled.add(node);
    for (const edge of edgesOf(graph, node)) {
      if (node === from && edge.id === arrivedBy?.id && ways.length > 1) continue;
      const next = edge.from === node ? edge.to : edge.from;
      const reached = (seconds.get(node) ?? 0) + secondsOver(edge);
      if (reached >= (seconds.get(next) ?? Infinity)) continue;
      seconds.set(next, reached);
      cameBy.set(next, edge);
      open.push(next, reached + distanceM(nodeOf(graph, next).point, goal) / FASTEST_MS);
    }
  }
  const path: GraphEdge[] = [];
  for (let node = to; node !== from;) {
    const edge = cameBy.get(node);
    // Only where the one way not to turn back leads nowhere else.
    if (edge === undefined) return arrivedBy === null ? [] : shortestPath(graph, from, to, null);
    path.unshift(edge);
    node = edge.from === node ? edge.to : edge.from;
  }
  return path;
}

function minimumHeap(): { push(node: number, cost: number): void; pop(): number | null } {
  const heap: { node: number; cost: number }[] = [];
  const costAt = (index: number): number => heap[index]?.cost ?? Infinity;
  const swap = (a: number, b: number): void => {
    const [first, second] = [heap[a], heap[b]];
    if (first === undefined || second === undefined) return;
    heap[a] = second;
    heap[b] = first;
  };
  return {
    push(node, cost) {
      heap.push({ node, cost });
      for (let child = heap.length - 1; child > 0;) {
        const parent = (child - 1) >> 1;
        if (costAt(parent) <= costAt(child)) return;
        swap(parent, child);
        child = parent;
      }
    },
    pop() {
      swap(0, heap.length - 1);
      const min = heap.pop();
      for (let parent = 0; ;) {
        const left = 2 * parent + 1;
        const child = costAt(left + 1) < costAt(left) ? left + 1 : left;
        if (costAt(child) >= costAt(parent)) return min?.node ?? null;
        swap(parent, child);
        parent = child;
      }
    },
  };
}
