import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { destination, distanceM, latLon, ringAreaM2 } from '../../../../renderer/map/geodesy.ts';
import { circleRing, corridorRing, geofenceArea } from '../../../../renderer/map/geofences/geofenceShapes.ts';

const centre = { lat: 52, lon: 11 };

/** A line from the centre, by legs of course and length. */
function path(...legs: [courseDeg: number, lengthM: number][]): GeoJSON.Position[] {
  let at = centre;
  return [
    [at.lon, at.lat],
    ...legs.map(([course, length]) => {
      at = destination(at, course, length);
      return [at.lon, at.lat];
    }),
  ];
}

/** Distance of a place to a line, by stepping along it metre by metre or so. */
function distanceToLine(position: GeoJSON.Position, line: readonly GeoJSON.Position[]): number {
  let nearest = Infinity;
  for (let i = 1; i < line.length; i++) {
    const [aLon = 0, aLat = 0] = line[i - 1] ?? [];
    const [bLon = 0, bLat = 0] = line[i] ?? [];
    for (let step = 0; step <= 1000; step++) {
      const at = { lon: aLon + ((bLon - aLon) * step) / 1000, lat: aLat + ((bLat - aLat) * step) / 1000 };
      nearest = Math.min(nearest, distanceM(at, latLon(position)));
    }
  }
  return nearest;
}

describe('a circle', () => {
  it('a circle has every corner at its radius, at any latitude', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.integer({ min: 10, max: 50_000 }),
        (lat, radiusM) => {
          const from = { lat, lon: 11 };
          const ring = circleRing(from, radiusM);
          expect(ring.length).toBeGreaterThanOrEqual(65);
          expect(ring[0]).toEqual(ring[ring.length - 1]);
          for (const corner of ring) expect(distanceM(from, latLon(corner))).toBeCloseTo(radiusM, 2);
        },
      ),
    );
  });
});

describe('a corridor', () => {
  it('a corridor has its whole outline at half its width from the line, round ends and outer bends included', () => {
    const line = path([90, 1000], [60, 800], [120, 900]);
    for (const corner of corridorRing(line, 100)) {
      expect(Math.abs(distanceToLine(corner, line) - 50)).toBeLessThan(1);
    }
  });

  it('a corridor covers its length times its width and a round end at each side', () => {
    const area = ringAreaM2(corridorRing(path([90, 2000]), 200));
    expect(Math.abs(area - (2000 * 200 + Math.PI * 100 ** 2)) / area).toBeLessThan(0.01);
  });

  it('a corridor never reaches farther than half its width, however the line turns', () => {
    const leg = fc.tuple(fc.double({ min: 0, max: 360, noNaN: true }), fc.integer({ min: 150, max: 900 }));
    fc.assert(
      fc.property(fc.array(leg, { minLength: 1, maxLength: 5 }), (legs) => {
        const line = path(...legs);
        for (const corner of corridorRing(line, 60)) {
          expect(distanceToLine(corner, line)).toBeLessThan(31);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('a corridor bears points that repeat', () => {
    const line = path([90, 500], [0, 0], [90, 500]);
    expect(corridorRing(line, 50).flat().every(Number.isFinite)).toBe(true);
  });
});

describe('a geofence that cannot be drawn', () => {
  it('a geofence that cannot be drawn is refused with the reason', () => {
    const geometry: GeoJSON.Point = { type: 'Point', coordinates: [11, 52] };
    expect(() => geofenceArea({ shape: 'circle', geometry })).toThrow(RangeError);
    expect(() => geofenceArea({ shape: 'line', geometry, width_m: 10 })).toThrow(RangeError);
    expect(() => geofenceArea({ shape: 'polygon', geometry })).toThrow(RangeError);
    expect(() =>
      corridorRing(
        [
          [11, 52],
          [11, 52],
        ],
        10,
      ),
    ).toThrow(RangeError);
  });
});
