import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FenceShape, ShapedGeofence } from '../../../server/geofences/geofenceShape.ts';
import { geometryErrors } from '../../../server/geofences/geometryErrors.ts';
import { createGeofenceIndex } from '../../../server/geofences/geofenceIndex.ts';
import {
  indexError,
  indexLimits,
  measureShape,
  maxSidesOverPlace,
} from '../../../server/geofences/indexLimits.ts';
import { maxEntriesOfEdge, planRingBands } from '../../../server/geofences/ringBands.ts';
import { countSides, maxRead, sidesOf } from '../../../server/geofences/edgeTree.ts';
import {
  coast,
  comb,
  maxCorners,
  roundRing,
  spiral,
  wander,
  zigzag,
  type Point,
  type Ring,
} from './densePolygons.ts';
import { geofenceOf } from './geofences.ts';

const polygonOf = (...rings: Ring[]): ShapedGeofence => ({
  shape: 'polygon',
  geometry: { type: 'Polygon', coordinates: rings },
  radius_m: null,
  width_m: null,
});
const corridorOf = (points: Ring, width_m: number): ShapedGeofence => ({
  shape: 'line',
  geometry: { type: 'LineString', coordinates: points },
  radius_m: null,
  width_m,
});

/** Places over and about the square degree that the shapes fill. */
const places = Array.from({ length: 400 }, (_, at) => ({
  lon: 9.4 + 1.2 * ((at * 0.618_033_988_7) % 1),
  lat: 44.4 + (1.2 * at) / 400,
}));

/** The most sides and nodes that one question reads. */
function mostReadBy(shape: FenceShape, ask: (place: (typeof places)[number], at: number) => void): number {
  let max = 0;
  for (const [at, place] of places.entries()) {
    const before = shape.read();
    ask(place, at);
    max = Math.max(max, shape.read() - before);
  }
  return max;
}

/** By every question of a shape. */
function readsOf(geofence: ShapedGeofence) {
  const shape = measureShape(geofence).plan.build();
  return {
    inside: mostReadBy(shape, (place) => shape.isInside(place)),
    beside: Math.max(
      ...[1, 100, 10_000].map((metres) => mostReadBy(shape, (place) => shape.isBeyond(place, metres))),
    ),
    through: mostReadBy(shape, (place, at) => shape.crossing(place, places[(at * 7 + 3) % 400] ?? place)),
  };
}

const directions = [0, 1e-7, 1e-3, 0.3, Math.PI / 4, 1, Math.PI / 2 - 1e-3, Math.PI / 2];

describe('the index of a polygon of 20,000 corners', () => {
  const shapes: [string, Ring][] = [
    ...directions.flatMap((angle): [string, Ring][] => [
      [`a zigzag turned by ${angle}`, zigzag(maxCorners, angle)],
      [`a zigzag that rises, turned by ${angle}`, zigzag(maxCorners, angle, 1e-3)],
      [`a comb turned by ${angle}`, comb(maxCorners, angle)],
    ]),
    ['a spiral', spiral(maxCorners, 40)],
    ['a circle', roundRing(maxCorners, 0.5)],
    ['a coast', coast(maxCorners, 1)],
  ];

  it.each(shapes)(
    'the index of a polygon of 20,000 corners has at most 26 entries for a side, and reads at most 450 sides for a place: %s',
    (_, ring) => {
      const sides = sidesOf([ring]);
      const count = countSides([ring]);
      const plan = planRingBands(sides, 0, count);
      expect(plan.entries).toBeLessThanOrEqual(count * maxEntriesOfEdge);
      expect(plan.bytes).toBeLessThan(2_500_000);
      expect(plan.maxRead).toBeLessThanOrEqual(450);
      const bands = plan.build();
      for (const [at, place] of places.entries()) {
        const before = bands.read();
        bands.holds(at % 2 === 0 ? place : { lon: place.lon, lat: ring[at * 49]?.[1] ?? 0 });
        expect(bands.read() - before).toBeLessThanOrEqual(plan.maxRead);
      }
    },
  );
});

describe('a shape of 20,000 corners', () => {
  const withHoles = [
    coast(maxCorners - 5_000, 3),
    ...Array.from({ length: 100 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 100;
      return roundRing(50, 0.005, [
        10 + 0.2 * Math.cos(angle),
        45 + 0.2 * Math.sin(angle),
      ] as Point).reverse();
    }),
  ];

  it.each<[string, ShapedGeofence]>([
    ['a coast', polygonOf(coast(maxCorners, 2))],
    ['a coast with a hundred lakes', polygonOf(...withHoles)],
    ['a circle', polygonOf(roundRing(maxCorners, 0.5))],
    ['a spiral of 40 windings', polygonOf(spiral(maxCorners, 40))],
    ['a zigzag of upright sides', polygonOf(zigzag(19_993, 0))],
    ['a zigzag of level sides', polygonOf(zigzag(19_993, Math.PI / 2))],
    ['the track of a day, 100 m wide', corridorOf(wander(maxCorners, 5), 100)],
    ['the track of a day, 10 km wide', corridorOf(wander(maxCorners, 6), 10_000)],
  ])(
    'a shape of 20,000 corners is taken, and every question reads a fixed number of its sides: %s',
    (_, geofence) => {
      expect(geometryErrors(geofence)).toEqual([]);
      expect(indexError(geofence)).toBeNull();
      const reads = readsOf(geofence);
      expect(reads.inside).toBeLessThanOrEqual(maxRead);
      expect(reads.beside).toBeLessThanOrEqual(450 + maxRead);
      expect(reads.through).toBeLessThanOrEqual(2 * maxRead);
    },
  );

  it.each(directions.filter((angle) => angle > 0.1 && angle < 1.1))(
    'a shape of 20,000 corners is refused with the reason as a zigzag whose slanted sides lie side by side, turned by %f',
    (angle) => {
      const geofence = polygonOf(zigzag(19_993, angle));
      expect(geometryErrors(geofence)).toEqual([]);
      const fault = indexError(geofence);
      expect(fault?.path).toBe('geometry.coordinates');
      expect(fault?.message).toMatch(
        /^has [\d,]+ sides side by side at lat 4[45]\.\d+, lon \d+\.\d+, at most 512 are taken$/,
      );
      expect(() => createGeofenceIndex([{ geofence: geofenceOf(geofence), known_from_ms: 0 }])).toThrow(
        'side by side',
      );
    },
  );

  it('a shape of 20,000 corners is refused with the reason as a track that goes there and back two thousand times', () => {
    const legs = Array.from({ length: 4_000 }, (_, at): Point => [10 + (at % 2), 45 + (at % 2) + at * 1e-6]);
    expect(indexError(corridorOf(legs, 50))?.message).toContain('at most 512 are taken');
    expect(indexError(corridorOf(legs.slice(0, maxSidesOverPlace), 50))).toBeNull();
  });

  it('a shape of 20,000 corners still reads a fixed number of sides from the middle of a hole that is as wide as its hysteresis', () => {
    const radius_m = 10_000;
    const middle = { lon: 10, lat: 0 };
    const hole = roundRing(maxCorners - 5, (radius_m + 1) / 111_195.08, [10, 0]).reverse();
    const shape = measureShape(
      polygonOf(
        [
          [9, -1],
          [11, -1],
          [11, 1],
          [9, 1],
          [9, -1],
        ],
        hole,
      ),
    ).plan.build();
    const before = shape.read();
    shape.isBeyond(middle, radius_m);
    expect(shape.read() - before).toBeLessThanOrEqual(450 + maxRead);
  });

  it('a shape of 20,000 corners is refused as a thousand parts that lie over each other', () => {
    const parts = Array.from({ length: 900 }, (_, at) => [roundRing(20, 0.1 + at * 1e-4)]);
    const geofence: ShapedGeofence = {
      shape: 'polygon',
      geometry: { type: 'MultiPolygon', coordinates: parts },
      radius_m: null,
      width_m: null,
    };
    expect(indexError(geofence)?.message).toMatch(/parts that lie over each other|side by side/);
  });

  it('a shape of 20,000 corners takes at most three megabytes, so that a hundred of the worst fit into what all may take', () => {
    for (const angle of directions) {
      expect(measureShape(polygonOf(zigzag(maxCorners, angle, 1e-3))).plan.bytes).toBeLessThan(2_600_000);
    }
    expect(indexLimits.bytes / 2_600_000).toBeGreaterThan(100);
  });
});

const tracksFolder = fileURLToPath(new URL('../../../../shared/data/tracks/', import.meta.url));

it.skipIf(!existsSync(tracksFolder))(
  'a corridor along the real tracks of vehicles is taken, and so is one along eight such days',
  () => {
    for (const name of ['munich-car-2014-09-10', 'limerick-bus-304-2019-02-18', 'nyc-bus-6603-2014-04-15']) {
      const rows = readFileSync(`${tracksFolder}${name}.csv`, 'utf8').trim().split('\n').slice(1);
      const day = rows.map((row): Point => {
        const [, , lat, lon] = row.split(',');
        return [Number(lon), Number(lat)];
      });
      const days = Array.from({ length: 8 }, (_, at) =>
        day.map(([lon, lat]): Point => [lon + at * 1e-5, lat]),
      );
      for (const points of [day, days.flat()]) expect(indexError(corridorOf(points, 60))).toBeNull();
    }
  },
);
