import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clipRing } from '../../../../renderer/map/basemap/clipRing.ts';

const box = { west: 0, south: 0, east: 10, north: 10 };

function signedArea(ring: readonly GeoJSON.Position[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? [];
    const [bx = 0, by = 0] = ring[i] ?? [];
    sum += ax * by - bx * ay;
  }
  return sum / 2;
}

it('clipping leaves of a triangle what lies in the box', () => {
  const ring = clipRing(
    [
      [5, 5],
      [15, 5],
      [5, 15],
      [5, 5],
    ],
    box,
  );
  expect(Math.abs(signedArea(ring ?? []))).toBeCloseTo(25, 9);
});

it('clipping leaves nothing of a ring outside of the box', () => {
  expect(
    clipRing(
      [
        [20, 20],
        [30, 20],
        [20, 30],
        [20, 20],
      ],
      box,
    ),
  ).toBeNull();
});

it('clipping cuts any triangle into pieces that add up to it, box by box', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(point, point, point, (a, b, c) => {
      const ring = [a, b, c, a];
      let sum = 0;
      for (const west of [0, 10]) {
        for (const south of [0, 10]) {
          sum += signedArea(clipRing(ring, { west, south, east: west + 10, north: south + 10 }) ?? []);
        }
      }
      expect(sum).toBeCloseTo(signedArea(ring), 6);
    }),
  );
});
