import {
  crossing,
  distanceM,
  lengthM,
  nearestOnSegment,
  segmentsOf,
  type PlanePoint,
} from './planeGeometry.ts';
import type { GraphEdge, GraphNode, RoadLine, StreetGraph } from './townModel.ts';

/** Ends and crossings this near to each other are one junction. */
const SAME_PLACE_M = 2;
/** A road that ends this near to another ends on it. */
const TOUCH_M = 2;
const CELL_M = 80;

interface Segment {
  line: number;
  index: number;
  a: PlanePoint;
  b: PlanePoint;
  cuts: { share: number; point: PlanePoint }[];
}

/** Finds the junctions of lines that cross or touch. The result may fall into several pieces. */
export function graphOf(lines: RoadLine[]): StreetGraph {
  const segments = lines.map(({ points }, line) =>
    segmentsOf(points).map(([a, b], index): Segment => ({ line, index, a, b, cuts: [] })),
  );
  const cells = indexSegments(segments.flat());
  cutAtCrossings(cells);
  for (const { points } of lines) {
    for (const end of [points[0], points.at(-1)]) if (end !== undefined) cutAtEnd(cells, end);
  }
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const nodeAt = nodeFinder(nodes);
  for (const [line, road] of lines.entries()) {
    let from: GraphNode | null = null;
    let way: PlanePoint[] = [];
    for (const { point, isJunction } of stationsOf(segments[line] ?? [])) {
      if (!isJunction) {
        way.push(point);
        continue;
      }
      const to = nodeAt(point);
      if (from !== null && from !== to) addEdge(nodes, edges, road, from, to, way);
      from = to;
      way = [];
    }
  }
  return { nodes, edges };
}

/** The piece with the most nodes, renumbered from 0. */
export function largestPiece(graph: StreetGraph): StreetGraph {
  const pieceOf = new Map<number, number>();
  const sizes: number[] = [];
  for (const node of graph.nodes) {
    if (pieceOf.has(node.id)) continue;
    const piece = sizes.length;
    const open = [node.id];
    pieceOf.set(node.id, piece);
    let size = 0;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      size += 1;
      for (const edge of edgesOf(graph, id)) {
        const next = edge.from === id ? edge.to : edge.from;
        if (pieceOf.has(next)) continue;
        pieceOf.set(next, piece);
        open.push(next);
      }
    }
    sizes.push(size);
  }
  const largest = sizes.indexOf(Math.max(...sizes));
  return subgraph(graph, (edge) => pieceOf.get(edge.from) === largest);
}

/** The edges that are kept, with the nodes that they need, renumbered from 0. */
export function subgraph(graph: StreetGraph, isKept: (edge: GraphEdge) => boolean): StreetGraph {
  const nodes: GraphNode[] = [];
  const renumbered = new Map<number, GraphNode>();
  const nodeFor = (id: number): GraphNode => {
    const known = renumbered.get(id);
    if (known !== undefined) return known;
    const node = { id: nodes.length, point: nodeOf(graph, id).point, edges: [] };
    nodes.push(node);
    renumbered.set(id, node);
    return node;
  };
  const edges = graph.edges.filter(isKept).map((edge, id) => {
    const [from, to] = [nodeFor(edge.from), nodeFor(edge.to)];
    from.edges.push(id);
    to.edges.push(id);
    return { ...edge, id, from: from.id, to: to.id };
  });
  return { nodes, edges };
}

/** @throws RangeError for an id that is none of the graph's. */
export function nodeOf(graph: StreetGraph, id: number): GraphNode {
  const node = graph.nodes[id];
  if (node === undefined) throw new RangeError(`no node ${id} in the street graph`);
  return node;
}

export function edgesOf(graph: StreetGraph, node: number): GraphEdge[] {
  return nodeOf(graph, node).edges.flatMap((id) => graph.edges[id] ?? []);
}

function indexSegments(segments: Segment[]): Map<string, Segment[]> {
  const cells = new Map<string, Segment[]>();
  for (const segment of segments) {
    for (const key of cellsOf(segment.a, segment.b)) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [segment]);
      else cell.push(segment);
    }
  }
  return cells;
}

const cellKey = (column: number, row: number): string => `${column},${row}`;

function cellsOf(a: PlanePoint, b: PlanePoint): string[] {
  const keys: string[] = [];
  const range = (from: number, to: number): [number, number] => [
    Math.floor((Math.min(from, to) - TOUCH_M) / CELL_M),
    Math.floor((Math.max(from, to) + TOUCH_M) / CELL_M),
  ];
  const [left, right] = range(a.x, b.x);
  const [bottom, top] = range(a.y, b.y);
  for (let column = left; column <= right; column += 1) {
    for (let row = bottom; row <= top; row += 1) keys.push(cellKey(column, row));
  }
  return keys;
}

// A pair that shares two cells is cut twice at the same place, which is one node all the same.
function cutAtCrossings(cells: Map<string, Segment[]>): void {
  for (const cell of cells.values()) {
    for (const [index, first] of cell.entries()) {
      for (const second of cell.slice(index + 1)) {
        if (first.line === second.line && Math.abs(first.index - second.index) <= 1) continue;
        const hit = crossing(first.a, first.b, second.a, second.b);
        if (hit === null) continue;
        first.cuts.push({ share: hit.shareOfFirst, point: hit.point });
        second.cuts.push({ share: hit.shareOfSecond, point: hit.point });
      }
    }
  }
}

function cutAtEnd(cells: Map<string, Segment[]>, end: PlanePoint): void {
  for (const segment of cells.get(cellKey(Math.floor(end.x / CELL_M), Math.floor(end.y / CELL_M))) ?? []) {
    const touch = nearestOnSegment(end, segment.a, segment.b);
    if (distanceM(touch, end) > TOUCH_M) continue;
    const length = distanceM(segment.a, segment.b);
    segment.cuts.push({ share: length === 0 ? 0 : distanceM(segment.a, touch) / length, point: touch });
  }
}

function stationsOf(segments: Segment[]): { point: PlanePoint; isJunction: boolean }[] {
  const stations: { point: PlanePoint; isJunction: boolean }[] = [];
  for (const [index, { a, b, cuts }] of segments.entries()) {
    stations.push({ point: a, isJunction: index === 0 });
    for (const { point } of cuts.sort((first, second) => first.share - second.share)) {
      stations.push({ point, isJunction: true });
    }
    if (index === segments.length - 1) stations.push({ point: b, isJunction: true });
  }
  return stations;
}

function nodeFinder(nodes: GraphNode[]): (point: PlanePoint) => GraphNode {
  const cells = new Map<string, GraphNode[]>();
  return (point) => {
    const column = Math.floor(point.x / SAME_PLACE_M);
    const row = Math.floor(point.y / SAME_PLACE_M);
    for (let x = column - 1; x <= column + 1; x += 1) {
      for (let y = row - 1; y <= row + 1; y += 1) {
        const near = cells.get(cellKey(x, y))?.find((node) => distanceM(node.point, point) < SAME_PLACE_M);
        if (near !== undefined) return near;
      }
    }
    const node: GraphNode = { id: nodes.length, point, edges: [] };
    nodes.push(node);
    const cell = cells.get(cellKey(column, row));
    if (cell === undefined) cells.set(cellKey(column, row), [node]);
    else cell.push(node);
    return node;
  };
}

function addEdge(
  nodes: GraphNode[],
  edges: GraphEdge[],
  { name, ref, roadClass, limitKmh }: RoadLine,
  from: GraphNode,
  to: GraphNode,
  way: PlanePoint[],
): void {
  const inner = way.filter((point) => distanceM(point, from.point) > 1 && distanceM(point, to.point) > 1);
  const points = [from.point, ...inner, to.point];
  const length = lengthM(points);
  const isDouble = from.edges.some((id) => {
    const other = edges[id];
    return (
      other !== undefined &&
      (other.from === to.id || other.to === to.id) &&
      Math.abs(other.lengthM - length) < 5
    );
  });
  if (isDouble) return;
  const edge = {
    id: edges.length,
    from: from.id,
    to: to.id,
    points,
    lengthM: length,
    limitKmh,
    roadClass,
    name,
    ref,
  };
  edges.push(edge);
  nodes[from.id]?.edges.push(edge.id);
  nodes[to.id]?.edges.push(edge.id);
}
