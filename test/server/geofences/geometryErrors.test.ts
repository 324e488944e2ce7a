import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GeofenceGeometry } from '../../../server/contract/geofenceGeometry.ts';
import { geometryErrors, type GeofenceForm } from '../../../server/geofences/geometryErrors.ts';
import { anyFence } from './geofences.ts';

type Ring = [number, number][];

const square: Ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

function faults(geometry: GeofenceGeometry, more: Partial<GeofenceForm> = {}): string[] {
  const form: GeofenceForm = { shape: 'polygon', geometry, radius_m: null, width_m: null, ...more };
  return geometryErrors(form).map(({ path, message }) => `${path}: ${message}`);
}

const polygon = (...coordinates: Ring[]) => faults({ type: 'Polygon', coordinates });

describe('the check of a geofence', () => {
  it('the check of a geofence has nothing against circles, lines, and polygons with or without holes', () => {
    fc.assert(
      fc.property(anyFence({ lat: 52.5, lon: 13.4 }, 3_000), (geofence) => {
        expect(geometryErrors(geofence)).toEqual([]);
      }),
    );
  });

  it('the check of a geofence does not mind which way round a ring runs', () => {
    expect(polygon(square)).toEqual([]);
    expect(polygon(square.toReversed())).toEqual([]);
  });

  it('the check of a geofence does not mind a corner that stands twice in a row, or one on a straight side', () => {
    expect(
      polygon([
        [0, 0],
        [0, 0],
        [2, 0],
        [4, 0],
        [4, 4],
        [4, 4],
        [0, 4],
        [0, 0],
        [0, 0],
      ]),
    ).toEqual([]);
  });

  it('the check of a geofence wants the geometry of the shape', () => {
    expect(faults({ type: 'Point', coordinates: [1, 2] })).toEqual([
      'geometry.type: is Polygon or MultiPolygon for a polygon',
    ]);
    expect(faults({ type: 'Polygon', coordinates: [square] }, { shape: 'circle', radius_m: 5 })).toEqual([
      'geometry.type: is Point for a circle',
    ]);
    expect(faults({ type: 'Point', coordinates: [1, 2] }, { shape: 'line', width_m: 5 })).toEqual([
      'geometry.type: is LineString for a line',
    ]);
  });

  it('the check of a geofence wants a radius for circles, a width for lines, and neither anywhere else', () => {
    const point = { type: 'Point', coordinates: [1, 2] } as GeofenceGeometry;
    const way = {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    } as GeofenceGeometry;
    expect(faults(point, { shape: 'circle', radius_m: 5 })).toEqual([]);
    expect(faults(point, { shape: 'circle' })).toEqual(['radius_m: is needed for a circle, and more than 0']);
    expect(faults(point, { shape: 'circle', radius_m: 0 })).toEqual([
      'radius_m: is needed for a circle, and more than 0',
    ]);
    expect(faults(way, { shape: 'line', width_m: 5 })).toEqual([]);
    expect(faults(way, { shape: 'line', radius_m: 5 })).toEqual([
      'radius_m: belongs to a circle alone',
      'width_m: is needed for a line, and more than 0',
    ]);
    expect(faults({ type: 'Polygon', coordinates: [square] }, { radius_m: 5, width_m: 5 })).toEqual([
      'radius_m: belongs to a circle alone',
      'width_m: belongs to a line alone',
    ]);
  });

  it('the check of a geofence wants two different points of a line', () => {
    const way: GeofenceGeometry = {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    };
    expect(faults(way, { shape: 'line', width_m: 5 })).toEqual([
      'geometry.coordinates: needs two different points',
    ]);
  });

  it('the check of a geofence names the corner at which a ring is left open', () => {
    expect(
      polygon([
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ]),
    ).toEqual(['geometry.coordinates.0.3: is not the first corner again: the ring is not closed']);
  });

  it('the check of a geofence wants three different corners that do not lie on one line', () => {
    expect(
      polygon([
        [0, 0],
        [4, 0],
        [0, 0],
        [0, 0],
      ]),
    ).toEqual(['geometry.coordinates.0: needs at least three different corners']);
    expect(
      polygon([
        [0, 0],
        [1, 1],
        [3, 3],
        [0, 0],
      ]),
    ).toEqual(['geometry.coordinates.0: encloses nothing: its corners lie on one line']);
  });

  it('the check of a geofence names the place where a ring crosses itself', () => {
    expect(
      polygon([
        [0, 0],
        [4, 4],
        [4, 0],
        [0, 4],
        [0, 0],
      ]),
    ).toEqual([
      'geometry.coordinates.0.0: the side that begins here crosses its own ring, the side after corner 2, at lat 2.000000, lon 2.000000',
    ]);
  });

  it('the check of a geofence names the place where a ring touches itself or turns straight back', () => {
    expect(
      polygon([
        [0, 0],
        [2, 1],
        [4, 0],
        [4, 4],
        [2, 1],
        [0, 4],
        [0, 0],
      ]),
    ).toEqual(['geometry.coordinates.0.4: touches its own ring at lat 1.000000, lon 2.000000']);
    expect(
      polygon([
        [0, 0],
        [4, 0],
        [4, 4],
        [4, 9],
        [4, 5],
        [0, 4],
        [0, 0],
      ]),
    ).toEqual(['geometry.coordinates.0.3: turns straight back on itself at lat 9.000000, lon 4.000000']);
  });

  it('the check of a geofence wants holes within the outer ring', () => {
    const hole = (west: number): Ring => [
      [west, 1],
      [west + 1, 1],
      [west + 1, 2],
      [west, 2],
      [west, 1],
    ];
    expect(polygon(square, hole(1))).toEqual([]);
    expect(polygon(square, hole(1), hole(6))).toEqual([
      'geometry.coordinates.2: is a hole outside of the outer ring',
    ]);
    expect(polygon(square, hole(3.5))).toEqual([
      expect.stringMatching(/^geometry\.coordinates\.0\.1: the side that begins here crosses ring 1/),
    ]);
  });

  it('the check of a geofence requires the parts that the antimeridian split there', () => {
    const ring: Ring = [
      [179, -17],
      [-179, -17],
      [-179, -16],
      [179, -16],
      [179, -17],
    ];
    expect(polygon(ring)).toEqual([expect.stringContaining('into a MultiPolygon')]);
    const split = [179, -180].map((west): Ring[] => [
      ring.map(([lon, lat]) => [lon > 0 ? west : west + 1, lat]),
    ]);
    expect(faults({ type: 'MultiPolygon', coordinates: split })).toEqual([]);
  });

  it('the check of a geofence names the part of a MultiPolygon that is in error', () => {
    const bow: Ring = [
      [10, 0],
      [14, 4],
      [14, 0],
      [10, 4],
      [10, 0],
    ];
    expect(faults({ type: 'MultiPolygon', coordinates: [[square], [bow]] })).toEqual([
      expect.stringMatching(/^geometry\.coordinates\.1\.0\.0: /),
    ]);
  });

  it('the check of a geofence takes a ring of 20,000 corners', () => {
    const points = Array.from({ length: 19_999 }, (_, at): [number, number] => {
      const [angle, length] = [(2 * Math.PI * at) / 19_999, at % 2 === 0 ? 1 : 0.9];
      return [length * Math.cos(angle), length * Math.sin(angle)];
    });
    expect(polygon([...points, ...points.slice(0, 1)])).toEqual([]);
  });

  it('the check of a geofence distinguishes each hole in the outer ring from those outside, also behind other holes', () => {
    const hole = (west: number, side: number): Ring => [
      [west, 1],
      [west + side, 1],
      [west + side, 1 + side],
      [west, 1 + side],
      [west, 1],
    ];
    const inner = hole(1.25, 0.5).map(([lon, lat]): [number, number] => [lon, lat + 0.25]);
    expect(polygon(square, hole(1, 1), hole(3, 0.5), inner)).toEqual([]);
    expect(polygon(square, hole(1, 1), hole(8, 1), hole(3, 0.5))).toEqual([
      'geometry.coordinates.2: is a hole outside of the outer ring',
    ]);
  });
});
