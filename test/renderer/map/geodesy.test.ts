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
  viewTest,
  worldWidthPx,
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

  it('geodesy of the map finds in a view exactly what is projected into its window', () => {
    fc.assert(
      fc.property(
        place,
        place,
        fc.double({ min: 1, max: 12, noNaN: true }),
        fc.double({ min: -900, max: 900, noNaN: true }),
        fc.double({ min: -600, max: 600, noNaN: true }),
        (centre, anywhere, zoom, dx, dy) => {
          const size = { width: 1_000, height: 700 };
          const isSeen = viewTest({ ...centre, zoom }, size, 20);
          const worldPx = worldWidthPx(zoom);
          const from = toMercator(centre);
          const near = fromMercator(from.x + dx / worldPx, Math.max(0, Math.min(1, from.y + dy / worldPx)));
          for (const it of [anywhere, near]) {
            const { x, y } = toMercator(it);
            const across = Math.min(Math.abs(x - from.x), 1 - Math.abs(x - from.x)) * worldPx - 520;
            const down = Math.abs(y - from.y) * worldPx - 370;
            // On the very edge, roundings decide.
            if (Math.min(Math.abs(across), Math.abs(down)) > 1e-3)
              expect(isSeen(it)).toBe(across < 0 && down < 0);
          }
        },
      ),
    );
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
