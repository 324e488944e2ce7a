import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterPoint } from '../../../../renderer/map/vehicles/clusterVehicles.ts';
import { clusterVehicles } from '../../../../renderer/map/vehicles/clusterVehicles.ts';

const point = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
  state: fc.constantFrom('moving', 'idle', 'stopped', 'offline'),
});
const fleet = fc
  .array(point, { maxLength: 80 })
  .map((points): ClusterPoint[] => points.map((p, i) => ({ ...p, id: `v${i}` })));

const parked = (id: string, x: number, y: number): ClusterPoint => ({ id, x, y, state: 'stopped' });

describe('clustering', () => {
  it('clustering leaves no vehicle out and counts none twice', () => {
    fc.assert(
      fc.property(fleet, (points) => {
        const { clusters, gathered } = clusterVehicles(points, 0.1);
        const singles = points.filter((_, index) => gathered[index] === 0).map(({ id }) => id);
        const ids = [...singles, ...clusters.flatMap(({ members }) => members)];
        expect(ids.sort()).toEqual(points.map(({ id }) => id).sort());
        for (const { counts, members } of clusters) {
          expect(counts.moving + counts.idle + counts.stopped + counts.offline).toBe(members.length);
        }
      }),
    );
  });

  it('clustering keeps rings apart by the radius, and members within it', () => {
    fc.assert(
      fc.property(fleet, (points) => {
        const byId = new Map(points.map((p) => [p.id, p]));
        const { clusters } = clusterVehicles(points, 0.1);
        clusters.forEach((a, i) => {
          for (const b of clusters.slice(i + 1))
            expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.1);
          for (const id of a.members) {
            const member = byId.get(id);
            expect(Math.hypot((member?.x ?? NaN) - a.x, (member?.y ?? NaN) - a.y)).toBeLessThanOrEqual(0.1);
          }
        });
      }),
    );
  });

  it('clustering leaves three neighbours single and gathers four', () => {
    const three = [parked('a', 0.5, 0.5), parked('b', 0.501, 0.5), parked('c', 0.5, 0.501)];
    expect(clusterVehicles(three, 0.01).clusters).toEqual([]);
    const four = clusterVehicles([...three, parked('d', 0.501, 0.501)], 0.01);
    expect(four.clusters).toHaveLength(1);
    expect([...four.gathered]).toEqual([1, 1, 1, 1]);
  });

  it('clustering does not move a depot’s ring when vehicles drive through it', () => {
    const depot = [0, 1, 2, 3, 4].map((i) => parked(`p${i}`, 0.5 + i * 0.001, 0.5));
    const before = clusterVehicles(depot, 0.01).clusters[0];
    for (const x of [0.492, 0.5, 0.508]) {
      const passing: ClusterPoint = { id: 'a', x, y: 0.5, state: 'moving' };
      const { clusters } = clusterVehicles([passing, ...depot], 0.01);
      expect(clusters.map(({ id, x: atX }) => [id, atX])).toEqual([[before?.id, before?.x]]);
    }
  });
});
