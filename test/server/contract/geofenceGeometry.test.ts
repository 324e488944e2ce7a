import { describe, expect, it } from 'vitest';
import { geometry } from '../../../server/contract/geofenceGeometry.ts';

function faults(value: unknown): string[] {
  const { error } = geometry.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const ring = (corners: number) =>
  Array.from({ length: corners }, (_, at): [number, number] => [at / 1_000, 1]);
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates });

/** An array that counts how many of its items are read. */
function watched(items: readonly unknown[], count: { read: number }): unknown[] {
  return new Proxy([...items], {
    get(target, key) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) count.read += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
}

describe('the geometry of a geofence', () => {
  it('the geometry of a geofence is taken without its heights, and as the same arrays if it has none', () => {
    const flat = polygon(ring(4));
    expect(geometry.parse(flat).coordinates).toBe(flat.coordinates);
    expect(
      geometry.parse({
        type: 'LineString',
        coordinates: [
          [1, 2, 3],
          [4, 5],
        ],
      }),
    ).toEqual({
      type: 'LineString',
      coordinates: [
        [1, 2],
        [4, 5],
      ],
    });
    expect(geometry.parse({ type: 'Point', coordinates: [1, 2, 3, 4] })).toEqual({
      type: 'Point',
      coordinates: [1, 2],
    });
  });

  it('the geometry of a geofence is refused with the place of its first error, and only that', () => {
    expect(
      faults(
        polygon([
          [0, 0],
          [999, 0],
          [999, 999],
          [0, 0],
        ]),
      ),
    ).toEqual(['coordinates.0.1.0: is not a longitude from -180 to 180']);
    expect(
      faults({
        type: 'MultiPolygon',
        coordinates: [
          [ring(4)],
          [
            [
              [0, 0],
              [1, 91],
              [1, 1],
              [0, 0],
            ],
          ],
        ],
      }),
    ).toEqual(['coordinates.1.0.1.1: is not a latitude from -90 to 90']);
    expect(faults({ type: 'Point', coordinates: [1, 2, 'high'] })).toEqual([
      'coordinates: holds what is not a number',
    ]);
    expect(faults({ type: 'LineString', coordinates: [[1, 2], null] })).toEqual([
      'coordinates.1: is not a longitude and a latitude',
    ]);
    expect(faults({ type: 'Point', coordinates: [1, 2], bbox: [] })).toEqual(['bbox: is not known here']);
    expect(faults({ type: 'Circle' })).toEqual(['type: is not Point, LineString, Polygon or MultiPolygon']);
    expect(faults(null)).toEqual([': is not a geometry of GeoJSON']);
  });

  it('the geometry of a geofence has at most 20,000 corners in all its rings, 1,000 rings in a polygon and 1,000 polygons', () => {
    expect(faults(polygon(ring(20_000)))).toEqual([]);
    expect(faults(polygon(ring(19_999), ring(4)))).toEqual([
      'coordinates: has 20003 corners, at most 20000 are taken',
    ]);
    expect(faults({ type: 'LineString', coordinates: ring(20_001) })).toEqual([
      'coordinates: has 20001 corners, at most 20000 are taken',
    ]);
    expect(faults(polygon(...Array.from({ length: 1_001 }, () => ring(4))))).toEqual([
      'coordinates: has 1001 items, at most 1000 are taken',
    ]);
    expect(
      faults({ type: 'MultiPolygon', coordinates: Array.from({ length: 1_001 }, () => [ring(4)]) }),
    ).toEqual(['coordinates: has 1001 items, at most 1000 are taken']);
  });

  it('the geometry of a geofence is refused for too many corners before any of them is read', () => {
    const count = { read: 0 };
    const rings = Array.from({ length: 9 }, () => watched(ring(20_000), count));
    expect(faults(polygon(...rings))).toEqual(['coordinates: has 180000 corners, at most 20000 are taken']);
    expect(count.read).toBe(0);
  });
});
