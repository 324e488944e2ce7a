import fc from 'fast-check';
import pointInPolygon from 'point-in-polygon-hao';
import { describe, expect, it } from 'vitest';
import { createRingBands } from '../../../server/geofences/ringBands.ts';
import { offset } from './fences.ts';

const middle = { lat: 52.5, lon: 13.4 };

/** A closed star of so many spokes, of up to some kilometres. */
function star(lengths: readonly number[], radiusM: number): [number, number][] {
  const corners = lengths.map((length, at): [number, number] => {
    const angle = (2 * Math.PI * at) / lengths.length;
    const { lon, lat } = offset(
      middle,
      length * radiusM * Math.cos(angle),
      length * radiusM * Math.sin(angle),
    );
    return [lon, lat];
  });
  return [...corners, ...corners.slice(0, 1)];
}

const spokes = fc.array(
  fc.integer({ min: 500, max: 1_000 }).map((it) => it / 1_000),
  { minLength: 70, maxLength: 600, size: 'max' },
);
const metres = fc.integer({ min: -3_300_000, max: 3_300_000 }).map((it) => it / 1_000);

describe('a polygon of many corners', () => {
  it('holds what walking all of its corners says that it holds, with a hole and without', () => {
    let [inside, outside] = [0, 0];
    fc.assert(
      fc.property(
        spokes,
        spokes,
        fc.boolean(),
        fc.array(fc.tuple(metres, metres), { minLength: 30, maxLength: 30 }),
        (outer, inner, hasHole, places) => {
          const rings = hasHole ? [star(outer, 3_000), star(inner, 1_400).reverse()] : [star(outer, 3_000)];
          const bands = createRingBands(rings);
          for (const [east, north] of places) {
            const place = offset(middle, east, north);
            const holds = bands.holds(place);
            expect(holds).toBe(pointInPolygon([place.lon, place.lat], rings) !== false);
            if (holds) inside++;
            else outside++;
          }
        },
      ),
      { endOnFailure: true },
    );
    expect(Math.min(inside, outside)).toBeGreaterThan(500);
  });

  it('holds its corners, and its straight sides along a meridian or a parallel', () => {
    fc.assert(
      fc.property(spokes, (lengths) => {
        const ring = star(lengths, 3_000);
        const bands = createRingBands([ring]);
        for (const [lon, lat] of ring) expect(bands.holds({ lat, lon })).toBe(true);
      }),
    );
    const comb = Array.from({ length: 100 }, (_, at): [number, number][] => [
      [at, at % 2],
      [at + 1, at % 2],
    ]).flat();
    const ring: [number, number][] = [...comb, [100, -1], [0, -1], [0, 0]];
    const bands = createRingBands([ring]);
    for (const [lon, lat] of [
      [0.5, 0],
      [1, 0.5],
      [1.5, 1],
      [50.5, -1],
      [0, -0.5],
      [100, -1],
    ] as const) {
      expect(bands.holds({ lat, lon })).toBe(true);
    }
    expect(bands.holds({ lat: 0.01, lon: 0.5 })).toBe(false);
    expect(bands.holds({ lat: 0.99, lon: 1.5 })).toBe(true);
    expect(bands.holds({ lat: 1.01, lon: 1.5 })).toBe(false);
    expect(bands.holds({ lat: -1.01, lon: 50 })).toBe(false);
  });
});
