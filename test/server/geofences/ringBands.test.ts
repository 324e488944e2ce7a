import fc from 'fast-check';
import pointInPolygon from 'point-in-polygon-hao';
import { describe, expect, it } from 'vitest';
import { planRingBands } from '../../../server/geofences/ringBands.ts';
import { countSides, sidesOf } from '../../../server/geofences/edgeTree.ts';
import { geofenceShape } from '../../../server/geofences/geofenceShape.ts';
import { closed, coast, comb, roundRing, spiral, zigzag, type Ring } from './densePolygons.ts';
import { offset } from './geofences.ts';

const createRingBands = (rings: [number, number][][]) =>
  planRingBands(sidesOf(rings), 0, countSides(rings)).build();

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
  it('a polygon of many corners holds what walking all of its corners says that it holds, with a hole and without', () => {
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

  it('a polygon of many corners holds its corners, and its straight sides along a meridian or a parallel', () => {
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

  const angle = fc.oneof(
    fc.constantFrom(0, Math.PI / 2, Math.PI / 4, Math.PI),
    fc.integer({ min: 0, max: 6_283 }).map((it) => it / 1_000),
  );
  const count = fc.integer({ min: 40, max: 900 });
  const dense = fc.oneof(
    fc.tuple(count, angle).map(([corners, turn]) => [zigzag(corners, turn)]),
    fc.tuple(count, angle).map(([corners, turn]) => [zigzag(corners, turn, 0.05)]),
    fc.tuple(count, angle).map(([corners, turn]) => [comb(corners, turn)]),
    fc.tuple(count, fc.integer({ min: 1, max: 12 })).map(([corners, turns]) => [spiral(corners, turns)]),
    fc.tuple(count, count).map(([corners, hole]) => [coast(corners, hole), roundRing(hole, 0.1).reverse()]),
    // Corners on a grid: many of the same latitude, level and upright sides.
    fc.tuple(count, fc.integer({ min: 2, max: 40 })).map(([corners, steps]) => [stairs(corners, steps)]),
  );
  const share = fc.integer({ min: 0, max: 100_000 }).map((it) => it / 100_000);

  it('a polygon of many corners holds what walking all of its corners says, as a zigzag, comb, spiral, coast with a hole, or stairs', () => {
    let [inside, outside, border] = [0, 0, 0];
    fc.assert(
      fc.property(
        dense,
        fc.array(fc.tuple(share, share), { minLength: 20, maxLength: 20 }),
        (rings, places) => {
          const bands = createRingBands(rings);
          const corners = rings.flat();
          for (const [x, y] of places) {
            const [cornerLon, cornerLat] = corners[Math.floor(x * (corners.length - 1))] ?? [0, 0];
            const free = { lon: 9.3 + 1.4 * x, lat: 44.3 + 1.4 * y };
            for (const { lat, lon } of [
              free,
              { lon: free.lon, lat: cornerLat },
              { lon: cornerLon, lat: free.lat },
              { lon: cornerLon, lat: cornerLat },
            ]) {
              const expected = pointInPolygon([lon, lat], rings);
              expect(bands.holds({ lat, lon })).toBe(expected !== false);
              if (expected === 0) border++;
              else if (expected) inside++;
              else outside++;
            }
          }
        },
      ),
      { numRuns: 150, endOnFailure: true },
    );
    expect(Math.min(inside, outside, border)).toBeGreaterThan(300);
  });

  it('a polygon of many corners holds what either part of a MultiPolygon holds, wherever the parts lie to each other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(share, share, count), { minLength: 2, maxLength: 6 }),
        fc.array(fc.tuple(share, share), { minLength: 20, maxLength: 20 }),
        (middles, places) => {
          const parts = middles.map(([x, y, corners]) => [
            roundRing(corners, 0.2, [9.6 + 0.8 * x, 44.6 + 0.8 * y]),
          ]);
          const shape = geofenceShape({
            shape: 'polygon',
            geometry: { type: 'MultiPolygon', coordinates: parts },
            radius_m: null,
            width_m: null,
          });
          for (const [x, y] of places) {
            const [lon, lat] = [9.3 + 1.4 * x, 44.3 + 1.4 * y];
            const expected = parts.some((rings) => pointInPolygon([lon, lat], rings) !== false);
            expect(shape.isInside({ lat, lon })).toBe(expected);
          }
        },
      ),
    );
  });
});

/** Up a flight of stairs and down again, a few heights over and over. */
function stairs(corners: number, steps: number): Ring {
  const treads = Math.max(2, Math.floor((corners - 3) / 2));
  const height = (at: number) => 44.6 + (0.8 * ((at % steps) + 1)) / steps;
  const edge = Array.from({ length: treads }, (_, at): Ring => [
    [9.5 + at / treads, height(at)],
    [9.5 + (at + 1) / treads, height(at)],
  ]).flat();
  return closed([...edge, [10.5, 44.5], [9.5, 44.5]]);
}
