import type { GroundGrid } from './groundGrid.ts';
import { crossing, distanceM, segmentsOf, type PlanePoint } from './planeGeometry.ts';
import { partSeed, seededRandom } from './seededRandom.ts';
import { edgesOf, graphOf, nodeOf, subgraph } from './streetGraph.ts';
import type { GraphEdge, GraphNode, RoadLine, StreetGraph } from './townModel.ts';

/** Where blocks of two districts meet, a street runs on this far to meet one of the other's. */
const RUN_ON_M = 170;
/** Shorter ones are nobody's address. */
const STUB_M = 70;
/** Of the longer dead ends, some stay: every town has them. */
const KEPT_SHARE = 0.4;

/** Lengthens dead ends to the next street ahead, and takes away stubs and most of what still ends nowhere. */
export function tidyDeadEnds(graph: StreetGraph, grid: GroundGrid, seed: number): StreetGraph {
  const random = seededRandom(partSeed(seed, 'dead ends'));
  let tidy = graphOf([...graph.edges, ...runningOn(graph, grid)].map(asLine));
  const kept = new Set<string>();
  for (;;) {
    const doomed = new Set<GraphEdge>();
    for (const node of tidy.nodes) {
      const edge = deadEndAt(tidy, node);
      if (edge === null) continue;
      const place = `${Math.round(node.point.x)},${Math.round(node.point.y)}`;
      if (kept.has(place)) continue;
      if (edge.lengthM >= STUB_M && random.chance(KEPT_SHARE)) kept.add(place);
      else doomed.add(edge);
    }
    if (doomed.size === 0) return tidy;
    tidy = subgraph(tidy, (edge) => !doomed.has(edge));
  }
}

function asLine({ name, ref, roadClass, limitKmh, points }: RoadLine): RoadLine {
  return { name, ref, roadClass, limitKmh, points };
}

function deadEndAt(graph: StreetGraph, node: GraphNode): GraphEdge | null {
  const [edge, ...more] = edgesOf(graph, node.id);
  return edge?.roadClass === 'street' && more.length === 0 ? edge : null;
}

function runningOn(graph: StreetGraph, grid: GroundGrid): RoadLine[] {
  const added: RoadLine[] = [];
  for (const node of graph.nodes) {
    const edge = deadEndAt(graph, node);
    if (edge === null) continue;
    const points = edge.to === node.id ? edge.points : edge.points.toReversed();
    const before = points.at(-2);
    if (before === undefined) continue;
    const length = distanceM(before, node.point);
    const ahead = {
      x: node.point.x + ((node.point.x - before.x) / length) * RUN_ON_M,
      y: node.point.y + ((node.point.y - before.y) / length) * RUN_ON_M,
    };
    const end = firstStreetAhead(graph, edge, node.point, ahead);
    if (end !== null && isClear(node.point, end, grid))
      added.push({ ...asLine(edge), points: [node.point, end] });
  }
  return added;
}

function firstStreetAhead(
  graph: StreetGraph,
  own: GraphEdge,
  from: PlanePoint,
  ahead: PlanePoint,
): PlanePoint | null {
  let nearest: PlanePoint | null = null;
  for (const edge of graph.edges) {
    if (edge.id === own.id || edge.roadClass === 'motorway' || edge.roadClass === 'yard') continue;
    if (distanceM(from, nodeOf(graph, edge.from).point) > RUN_ON_M + edge.lengthM) continue;
    for (const [a, b] of segmentsOf(edge.points)) {
      const hit = crossing(from, ahead, a, b)?.point;
      if (hit !== undefined && (nearest === null || distanceM(from, hit) < distanceM(from, nearest)))
        nearest = hit;
    }
  }
  return nearest;
}

function isClear(from: PlanePoint, to: PlanePoint, grid: GroundGrid): boolean {
  const steps = Math.ceil(distanceM(from, to) / 6);
  return Array.from({ length: steps }, (_, step) => step / steps).every(
    (share) => !grid.isBarred({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }),
  );
}
