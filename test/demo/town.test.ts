import { describe, expect, it } from 'vitest';
import { newGeofence } from '../../server/contract/geofences.ts';
import { crossing, segmentsOf, distanceM } from './planeGeometry.ts';
import { createTown } from './town.ts';
import type { StreetGraph } from './townModel.ts';
import { toLatLon, toPlane } from './townProjection.ts';
import { plane } from './naiveGeofences.ts';

const town = createTown(1);

function reachable(graph: StreetGraph, from: number): Set<number> {
  const seen = new Set([from]);
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const edge of graph.edges.filter(({ from: a, to: b }) => a === node || b === node)) {
      const next = edge.from === node ? edge.to : edge.from;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return seen;
}

describe('the town', () => {
  it('the town is the same for the same seed and another for another', () => {
    expect(JSON.stringify(createTown(1))).toBe(JSON.stringify(town));
    expect(JSON.stringify(createTown(2).features)).not.toBe(JSON.stringify(town.features));
  });

  it.each([1, 2, 3, 99])(
    'the town has every street and place reachable from every other, with seed %i',
    (seed) => {
      const { graph, places } = createTown(seed);
      const seen = reachable(graph, places[0]?.node ?? -1);
      expect(seen.size).toBe(graph.nodes.length);
      expect(places.every(({ node }) => seen.has(node))).toBe(true);
      expect(graph.nodes.length).toBeGreaterThan(1000);
    },
  );

  it('the town puts each place near where the plan has it, at the kind of road that it needs', () => {
    const at = (name: string) => {
      const place = town.places.find((candidate) => candidate.name === name);
      if (place === undefined) throw new Error(`no ${name}`);
      return { place, point: toPlane(place) };
    };
    expect(distanceM(at('Depot').point, { x: -555, y: 2060 })).toBeLessThan(30);
    expect(distanceM(at('Fairfield school').point, { x: 1200, y: 660 })).toBeLessThan(120);
    for (const name of ['A4 west', 'A4 east', 'A7', 'A12'])
      expect(Math.hypot(at(name).point.x, at(name).point.y)).toBeGreaterThan(2900);
    for (const { node, lat, lon } of town.places) {
      expect(toLatLon(town.graph.nodes[node]?.point ?? { x: 0, y: 0 })).toEqual({ lat, lon });
    }
  });

  it('the town keeps its edges as long as their points say, between the nodes that they name', () => {
    for (const { points, from, to, lengthM } of town.graph.edges) {
      expect(points[0]).toEqual(town.graph.nodes[from]?.point);
      expect(points.at(-1)).toEqual(town.graph.nodes[to]?.point);
      expect(segmentsOf(points).reduce((sum, [a, b]) => sum + distanceM(a, b), 0)).toBeCloseTo(lengthM, 6);
    }
  });

  it('the town draws every kind of feature, each with what its map layer needs, in less than 600 kB', () => {
    const { features } = town.features;
    const kinds = new Map<string, number>();
    for (const { properties } of features) kinds.set(properties.kind, (kinds.get(properties.kind) ?? 0) + 1);
    expect([...kinds.keys()].sort()).toEqual([
      'arterial',
      'district',
      'motorway',
      'park',
      'rail',
      'street',
      'water',
    ]);
    expect(kinds.get('street')).toBeGreaterThan(400);
    for (const { properties, geometry } of features) {
      expect(properties.name).toBeTruthy();
      if (properties.kind === 'motorway') expect(properties.ref).toMatch(/^(R1|A\d+)$/);
      if (properties.kind === 'park') expect(geometry.type).toBe('Polygon');
      if (properties.kind === 'district') expect(geometry.type).toBe('Point');
    }
    const text = JSON.stringify(town.features);
    expect(text.length).toBeLessThan(600_000);
    expect(text).not.toMatch(/\.\d{7,}/);
    expect(text).not.toContain('null');
  });

  it('the town gives geofences that the API takes, closed, anticlockwise and crossing themselves nowhere', () => {
    expect(town.geofences.map(({ name }) => name)).toEqual([
      'Depot',
      'Quay 4',
      'Fairfield school',
      'Ring road',
      'Old Town',
    ]);
    for (const geofence of town.geofences) {
      expect(newGeofence.safeParse(geofence).error).toBeUndefined();
      if (geofence.geometry.type === 'Point') continue;
      const isPolygon = geofence.geometry.type === 'Polygon';
      const line = (
        geofence.geometry.type === 'Polygon'
          ? (geofence.geometry.coordinates[0] ?? [])
          : geofence.geometry.coordinates
      ).map(plane);
      if (isPolygon) expect(line[0]).toEqual(line.at(-1));
      const segments = segmentsOf(line);
      for (const [index, [a, b]] of segments.entries()) {
        for (const [c, d] of segments.slice(index + 2, isPolygon && index === 0 ? -1 : undefined)) {
          expect(crossing(a, b, c, d)).toBeNull();
        }
      }
      const doubledArea = segments.reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0);
      if (isPolygon) expect(doubledArea).toBeGreaterThan(0);
    }
  });

  it('the town allows 30 km/h at most on every street within the school geofence', () => {
    const school = town.geofences.find(({ name }) => name === 'Fairfield school');
    if (school?.geometry.type !== 'Point') throw new Error('the school geofence is a circle');
    const centre = plane(school.geometry.coordinates);
    const inside = town.graph.edges.filter(({ points }) =>
      points.some((point) => distanceM(point, centre) < 165),
    );
    expect(inside.length).toBeGreaterThan(5);
    expect(Math.max(...inside.map(({ limitKmh }) => limitKmh))).toBe(30);
  });
});
