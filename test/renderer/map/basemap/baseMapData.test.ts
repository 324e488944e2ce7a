import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellBox, cellName, cellsInView } from '../../../../renderer/map/basemap/baseMapData.ts';

describe('cells of the base map', () => {
  it('cells of the base map hold the places that they are named for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -180_000, max: 180_000 }),
        fc.integer({ min: -90_000, max: 90_000 }),
        (milliLon, milliLat) => {
          const lon = milliLon / 1000;
          const lat = milliLat / 1000;
          const box = cellBox(cellName(lon, lat));
          expect(lon).toBeGreaterThanOrEqual(box.west);
          expect(lon).toBeLessThanOrEqual(box.east);
          expect(lat).toBeGreaterThanOrEqual(box.south);
          expect(lat).toBeLessThanOrEqual(box.north);
        },
      ),
    );
  });

  it('cells of the base map cover a view, each once, also over the antimeridian', () => {
    expect(cellsInView({ west: 8, south: 49, east: 12, north: 51 }).sort()).toEqual([
      '18-13',
      '18-14',
      '19-13',
      '19-14',
    ]);
    expect(cellsInView({ west: 175, south: 1, east: 185, north: 2 }).sort()).toEqual(['0-9', '35-9']);
  });

  it('cells of the base map miss no place of a view', () => {
    // Whole thousandths of a degree: a fix has no more sense, and cells have no wider border.
    const share = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(
        fc.integer({ min: -180, max: 170 }),
        fc.integer({ min: -85, max: 45 }),
        fc.integer({ min: 1, max: 40 }),
        share,
        share,
        (west, south, size, across, up) => {
          const lon = (west * 1000 + across * size) / 1000;
          const lat = (south * 1000 + up * size) / 1000;
          const view = { west, south, east: west + size, north: south + size };
          expect(cellsInView(view)).toContain(cellName(lon >= 180 ? lon - 360 : lon, lat));
        },
      ),
    );
  });
});
