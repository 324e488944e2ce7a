import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthM } from './planeGeometry.ts';
import { findRoute } from './route.ts';
import { nodeOf } from './streetGraph.ts';
import { createTown } from './town.ts';
import type { GraphEdge, StreetGraph } from './townModel.ts';

const { graph, places } = createTown(1);
const anyNode = fc.nat(graph.nodes.length - 1);

/** A diamond: the short way 0-1-3 goes by a slow lane, the long way 0-2-3 by a fast road. */
function diamond(): StreetGraph {
  const at = [[0, 0], [100, 50], [100, -200], [200, 0]].map(([x = 0, y = 0], id) => ({ id, point: { x, y }, edges: [] as number[] })); // prettier-ignore
  const edges = (
    [
      [0, 1, 10],
      [1, 3, 10],
      [0, 2, 60],
      [2, 3, 60],
    ] as const
  ).map(([from, to, limitKmh], id): GraphEdge => {
    // prettier-ignore
    at[from]?.edges.push(id);
    at[to]?.edges.push(id);
    const points = [at[from]?.point ?? { x: 0, y: 0 }, at[to]?.point ?? { x: 0, y: 0 }];
    return {
      id,
      from,
      to,
      points,
      lengthM: lengthM(points),
      limitKmh,
      roadClass: 'street',
      name: `edge ${id}`,
      ref: null,
    };
  });
  return { nodes: at, edges };
}

describe('a route', () => {
  it('a route takes the quickest way, not the shortest', () => {
    const route = findRoute(diamond(), [0, 3]);
    expect(route.segments.map(({ name }) => name)).toEqual(['edge 2', 'edge 3']);
    expect(route.segments.map(({ limitKmh }) => limitKmh)).toEqual([60, 60]);
  });

  it('a route does not turn back on the spot at a node on its way', () => {
    const route = findRoute(diamond(), [0, 1, 0]);
    expect(route.segments.map(({ name }) => name)).toEqual(['edge 0', 'edge 1', 'edge 3', 'edge 2']);
  });

  it('a route leads from any node to any other, along the graph, with a limit for each segment', () => {
    fc.assert(
      fc.property(anyNode, anyNode, (from, to) => {
        fc.pre(from !== to);
        const route = findRoute(graph, [from, to]);
        expect(route.points[0]).toMatchObject(nodeOf(graph, from).point);
        expect(route.points.at(-1)).toMatchObject(nodeOf(graph, to).point);
        expect(route.segments).toHaveLength(route.points.length - 1);
        expect(lengthM(route.points)).toBeCloseTo(route.lengthM, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('a route takes no longer there than by any stop on the way', () => {
    fc.assert(
      fc.property(anyNode, anyNode, anyNode, (from, via, to) => {
        fc.pre(from !== via && via !== to && from !== to);
        const direct = findRoute(graph, [from, to]).durationS;
        expect(direct).toBeLessThanOrEqual(
          findRoute(graph, [from, via]).durationS + findRoute(graph, [via, to]).durationS + 1e-6,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('a route says how far along it each asked place lies', () => {
    const nodes = places.slice(0, 4).map(({ node }) => node);
    const route = findRoute(graph, nodes);
    expect(route.viaM).toHaveLength(4);
    expect(route.viaM[0]).toBe(0);
    expect(route.viaM.at(-1)).toBe(route.lengthM);
    expect(route.viaM).toEqual([...route.viaM].sort((a, b) => a - b));
  });

  it('a route refuses to lead nowhere', () => {
    expect(() => findRoute(graph, [0])).toThrow(RangeError);
    expect(() => findRoute(graph, [0, -5])).toThrow(RangeError);
  });
});
