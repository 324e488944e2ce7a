import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clipped,
  enlarged,
  intersection,
  placeOfTilePoint,
  rectOfArea,
  tileAt,
  tilePointOf,
  wholeTile,
  without,
} from '../../../server/maps/composeTile.ts';
import { byRank } from '../../../server/maps/readTiles.ts';
import { street } from '../../support/mapFiles.ts';

const rect = (minX: number, minY: number, maxX: number, maxY: number) => ({ minX, minY, maxX, maxY });

describe('places and tiles', () => {
  it('a place lies in the tile that web maps have for it', () => {
    // wiki.openstreetmap.org/wiki/Slippy_map_tilenames
    const y = Math.floor(((1 - Math.asinh(Math.tan((42.5078 * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 14);
    expect(tileAt(42.5078, 1.5211, 14)).toEqual({ x: 8261, y });
    expect(tileAt(89.9, 180, 3)).toEqual({ x: 7, y: 0 });
  });

  it('a place comes back from its point in a tile', () => {
    const places = fc.tuple(
      fc.double({ min: -85, max: 85, noNaN: true }),
      fc.double({ min: -180, max: 179.99, noNaN: true }),
    );
    fc.assert(
      fc.property(places, fc.integer({ min: 0, max: 16 }), ([lat, lon], z) => {
        const { x, y } = tileAt(lat, lon, z);
        const back = placeOfTilePoint(tilePointOf(lat, lon, z, x, y), z, x, y);
        expect(back.lat).toBeCloseTo(lat, 6);
        expect(back.lon).toBeCloseTo(lon, 6);
      }),
    );
  });

  it('the whole world covers a tile with its buffer', () => {
    const world = { west: -180, south: -90, east: 180, north: 90 };
    expect(rectOfArea(world, 3, 2, 2)).toEqual(wholeTile);
    expect(rectOfArea({ west: 10, south: 10, east: 11, north: 11 }, 3, 0, 0)).toBeNull();
  });
});

describe('rectangles', () => {
  it('what is left without a hole covers the rest once', () => {
    const side = fc.integer({ min: 0, max: 20 });
    const rects = fc
      .tuple(side, side, side, side)
      .map(([a, b, c, d]) => rect(Math.min(a, c), Math.min(b, d), Math.max(a, c) + 1, Math.max(b, d) + 1));
    const area = (it: ReturnType<typeof rect>) => (it.maxX - it.minX) * (it.maxY - it.minY);
    fc.assert(
      fc.property(rects, rects, (whole, hole) => {
        const left = without([whole], hole);
        const cut = intersection(whole, hole);
        expect(left.reduce((sum, it) => sum + area(it), 0)).toBe(
          area(whole) - (cut === null ? 0 : area(cut)),
        );
        for (const it of left) expect(intersection(it, hole)).toBeNull();
      }),
    );
  });
});

describe('features', () => {
  it('a feature enlarged by two levels lies in the right one of the sixteen tiles', () => {
    const line = street('Elm Street');
    const parts = (x: number, y: number) => enlarged([line], 2, x, y).map((it) => it.parts[0]);
    // It runs along the upper side of the third row.
    expect(parts(0, 2)).toEqual([[0, 0, 4160, 0]]);
    expect(parts(3, 1)).toEqual([[-64, 4096, 4096, 4096]]);
    expect(parts(1, 3)).toEqual([]);
  });

  it('a line that leaves a rectangle and comes back becomes two', () => {
    const line = { ...street('Elm Street'), parts: [[0, 0, 0, 100, 50, 100, 50, 0]] };
    expect(clipped([line], rect(-10, -10, 60, 50)).map((it) => it.parts)).toEqual([
      [
        [0, 0, 0, 50],
        [50, 50, 50, 0],
      ],
    ]);
  });

  it('a polygon is cut along the side, and a point on the side of two rectangles is in one of them', () => {
    const square = {
      ...street('Square'),
      type: 'polygon' as const,
      parts: [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0]],
    };
    const [cut] = clipped([square], rect(5, -5, 20, 20));
    const xs = cut?.parts[0]?.filter((_, i) => i % 2 === 0) ?? [];
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([5, 10]);
    const point = { ...street('Point'), type: 'point' as const, parts: [[5, 5]] };
    const within = [rect(0, 0, 5, 10), rect(5, 0, 10, 10)].map((it) => clipped([point], it).length);
    expect(within).toEqual([0, 1]);
  });
});

it('of maps that overlap the deeper one is drawn first, then the one of the smaller area', () => {
  const area = (side: number) => ({ west: 0, south: 0, east: side, north: side });
  const maps = [
    { name: 'country', max_zoom: 14, area: area(10) },
    { name: 'town', max_zoom: 14, area: area(1) },
    { name: 'harbour', max_zoom: 16, area: area(5) },
  ];
  expect(byRank(maps).map((it) => it.name)).toEqual(['harbour', 'town', 'country']);
});
