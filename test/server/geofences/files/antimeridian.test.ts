import fc from 'fast-check';
import pointInPolygon from 'point-in-polygon-hao';
import { describe, expect, it } from 'vitest';
import {
  splitAtAntimeridian,
  TooManyCrossings,
  type Corner,
} from '../../../../server/geofences/files/antimeridian.ts';
import { geometryErrors } from '../../../../server/geofences/geometryErrors.ts';

const box = (west: number, east: number, south = 0, north = 10): Corner[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

function faults(parts: Corner[][][]) {
  return geometryErrors({
    shape: 'polygon',
    geometry: { type: 'MultiPolygon', coordinates: parts },
    radius_m: null,
    width_m: null,
  });
}

function bounds(ring: readonly Corner[] = []) {
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
}

describe('a polygon at the antimeridian', () => {
  it('a polygon at the antimeridian is left as it is when it only touches it', () => {
    for (const ring of [box(170, 180), box(-180, -170)]) {
      expect(splitAtAntimeridian([ring], true)).toEqual([[ring]]);
    }
  });

  it('a polygon at the antimeridian is cut there when its longitudes go on beyond 180, on either side', () => {
    for (const ring of [box(170, 190), box(-190, -170)]) {
      const parts = splitAtAntimeridian([ring], false);
      expect(parts.map((rings) => bounds(rings[0]))).toEqual([
        [170, 180, 0, 10],
        [-180, -170, 0, 10],
      ]);
      expect(faults(parts)).toEqual([]);
    }
  });

  it('a polygon at the antimeridian is cut there when a side goes the shorter way over it, which is not the way of GeoJSON', () => {
    const ring = box(170, -170);
    expect(splitAtAntimeridian([ring], true).map((rings) => bounds(rings[0]))).toEqual([
      [170, 180, 0, 10],
      [-180, -170, 0, 10],
    ]);
    expect(splitAtAntimeridian([ring], false)).toEqual([[ring]]);
  });

  it('a polygon at the antimeridian is counted back when it lies beyond as a whole', () => {
    expect(splitAtAntimeridian([box(185, 190)], false)).toEqual([[box(-175, -170)]]);
  });

  it('a polygon at the antimeridian keeps its holes, those that are cut too', () => {
    const holes = [box(171, 172, 1, 2), box(-172, -171, 1, 2), box(179, -179, 4, 6)];
    const parts = splitAtAntimeridian([box(170, -170), ...holes], true);
    expect(faults(parts)).toEqual([]);
    expect(parts.map((rings) => rings.length)).toEqual([2, 2]);
    const inside = (lon: number, lat: number) =>
      parts.some((rings) => pointInPolygon([lon, lat], rings) === true);
    expect(inside(175, 5)).toBe(true);
    expect(inside(-175, 5)).toBe(true);
    for (const [lon, lat] of [
      [171.5, 1.5],
      [-171.5, 1.5],
      [179.5, 5],
      [-179.5, 5],
    ] as const) {
      expect(inside(lon, lat)).toBe(false);
    }
  });

  it('a polygon at the antimeridian holds the same places in its parts as before, whatever its form', () => {
    const spoke = fc.integer({ min: 200, max: 1_000 }).map((it) => it / 100);
    const spokes = fc.array(spoke, { minLength: 3, maxLength: 14 });
    const shift = fc.integer({ min: -1_200, max: 1_200 }).map((it) => it / 100 + 0.0013);
    const places = fc.array(
      fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -999, max: 999 })),
      {
        minLength: 5,
      },
    );
    fc.assert(
      fc.property(spokes, shift, fc.boolean(), places, (lengths, east, hasHole, asked) => {
        const star = (factor: number): Corner[] => {
          const ring = lengths.map((length, at): Corner => {
            const angle = 0.1 + (2 * Math.PI * at) / lengths.length;
            return [180 + east + factor * length * Math.cos(angle), factor * length * Math.sin(angle)];
          });
          return [...ring, ...ring.slice(0, 1)];
        };
        const rings = hasHole ? [star(1), star(0.5)] : [star(1)];
        const parts = splitAtAntimeridian(rings, false);
        expect(faults(parts)).toEqual([]);
        for (const [x, y] of asked) {
          const [lon, lat] = [180 + east + x / 100 + 0.00007, y / 100 + 0.00003];
          const before = pointInPolygon([lon, lat], rings);
          const turned = lon > 180 ? lon - 360 : lon;
          const after = parts.some((it) => pointInPolygon([turned, lat], it) === true);
          expect(after).toBe(before);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** West of the border a spine, from which teeth reach over it: two crossings each. */
  const comb = (teeth: number): Corner[] => {
    const points = Array.from({ length: teeth }, (_, at): Corner[] => [
      [179, at * 0.05],
      [182, at * 0.05],
      [182, at * 0.05 + 0.03],
      [179, at * 0.05 + 0.03],
    ]).flat();
    return [...points, [178, teeth * 0.05], [178, -0.01], ...points.slice(0, 1)];
  };

  it('a polygon at the antimeridian may go over it 1,000 times, and each hole stays in the part that it lies in', () => {
    const holes = Array.from({ length: 900 }, (_, at): Corner[] =>
      at % 2 === 0
        ? box(181, 181.5, (at % 500) * 0.05 + 0.01, (at % 500) * 0.05 + 0.02)
        : box(179.1, 179.5, (at % 500) * 0.05 + 0.01, (at % 500) * 0.05 + 0.02),
    ).slice(0, 500);
    const parts = splitAtAntimeridian([comb(500), ...holes], false);
    expect(parts).toHaveLength(501);
    expect(
      parts
        .map((rings) => rings.length)
        .sort((a, b) => b - a)
        .slice(0, 3),
    ).toEqual([251, 2, 2]);
    expect(faults(parts)).toEqual([]);
  });

  it('a polygon at the antimeridian is refused beyond 1,000 crossings before it is cut', () => {
    for (const teeth of [501, 45_000]) {
      const reason = {
        code: 'geofence.crossings',
        values: { crossings: String(2 * teeth), most: '1000' },
      };
      expect(() => splitAtAntimeridian([comb(teeth)], false)).toThrow(
        expect.objectContaining({ name: TooManyCrossings.name, reason }),
      );
      expect(() => splitAtAntimeridian([comb(teeth)], false)).toThrow(`${2 * teeth} times, at most 1000`);
    }
  });
});
