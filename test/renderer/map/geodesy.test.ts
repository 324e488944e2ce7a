import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  destination,
  distanceM,
  fromMercator,
  lineLengthM,
  metresPerPixel,
  ringAreaM2,
  toMercator,
} from '../../../renderer/map/geodesy.ts';

const place = fc.record({
  lat: fc.double({ min: -84, max: 84, noNaN: true }),
  lon: fc.double({ min: -179, max: 179, noNaN: true }),
});

describe('geodesy of the map', () => {
  it('geodesy of the map arrives exactly as far away as requested, in any direction', () => {
    fc.assert(
      fc.property(
        place,
        fc.double({ min: 0, max: 360, noNaN: true }),
        fc.double({ min: 1, max: 100_000, noNaN: true }),
        (from, courseDeg, lengthM) => {
          expect(distanceM(from, destination(from, courseDeg, lengthM))).toBeCloseTo(lengthM, 3);
        },
      ),
    );
  });

  it('geodesy of the map goes north on course 0 and east on course 90', () => {
    const from = { lat: 50, lon: 8 };
    expect(destination(from, 0, 1000).lat).toBeGreaterThan(50);
    expect(destination(from, 0, 1000).lon).toBeCloseTo(8, 9);
    expect(destination(from, 90, 1000).lon).toBeGreaterThan(8);
  });

  it('geodesy of the map comes back from Mercator to where it was', () => {
    fc.assert(
      fc.property(place, (from) => {
        const { x, y } = toMercator(from);
        const back = fromMercator(x, y);
        expect(back.lat).toBeCloseTo(from.lat, 9);
        expect(back.lon).toBeCloseTo(from.lon, 9);
      }),
    );
  });

  it('geodesy of the map knows a degree of the equator, a square of it, and the pixel at zoom 0', () => {
    expect(
      lineLengthM([
        [0, 0],
        [1, 0],
      ]),
    ).toBeCloseTo(111_195, 0);
    const square = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    expect(ringAreaM2(square) / 1e6).toBeCloseTo(12_363.7, 0);
    expect(ringAreaM2([...square].reverse())).toBeCloseTo(ringAreaM2(square), 3);
    expect(metresPerPixel(0, 0)).toBeCloseTo(40_030_228 / 512, -1);
  });
});
