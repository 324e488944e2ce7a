import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geofenceShape, type FenceShape } from '../../../server/geofences/geofenceShape.ts';
import {
  interpolate,
  lonDifference,
  onPlane,
  segmentDistance,
  type LatLon,
} from '../../../server/geofences/geodesy.ts';
import { offset } from './geofences.ts';

type Points = [number, number][];

/** Looks at every side each time, on a plane about the way's beginning; knows nothing of boxes. */
function plainly(lines: readonly Points[], radius: number | null) {
  const sides = lines.flatMap((points) =>
    points.slice(1).map(([lon, lat], at): [LatLon, LatLon] => {
      const [fromLon = 0, fromLat = 0] = points[at] ?? [];
      return [
        { lon: fromLon, lat: fromLat },
        { lon, lat },
      ];
    }),
  );
  const nearest = (place: LatLon) =>
    Math.min(
      ...sides.map(([from, to]) => segmentDistance({ x: 0, y: 0 }, onPlane(from, place), onPlane(to, place))),
    );
  const meetings = (a: LatLon, b: LatLon) => {
    const end = onPlane(b, a);
    return sides.flatMap(([from, to]) => {
      const [c, d] = [onPlane(from, a), onPlane(to, a)];
      const cross = end.x * (d.y - c.y) - end.y * (d.x - c.x);
      const t = (c.x * (d.y - c.y) - c.y * (d.x - c.x)) / cross;
      const u = (c.x * end.y - c.y * end.x) / cross;
      return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? [t] : [];
    });
  };
  return {
    /** Of a polygon: from the outside. */
    crossing(a: LatLon, b: LatLon) {
      const shares = meetings(a, b);
      return shares.length < 2 ? null : { enter: Math.min(...shares), leave: Math.max(...shares) };
    },
    nearest: (place: LatLon) => nearest(place) - (radius ?? 0),
  };
}

const corners = 400;

/** A coast: a circle of some kilometres, each corner of it pushed in or out. */
function coast(centre: LatLon, radiusM: number, seed: number): LatLon[] {
  return Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * at) / corners;
    const length = radiusM * (0.8 + 0.2 * Math.sin(at * seed));
    return offset(centre, length * Math.cos(angle), length * Math.sin(angle));
  });
}

const pointsOf = (places: readonly LatLon[]): Points => places.map(({ lon, lat }) => [lon, lat]);
const closed = (points: Points): Points => [...points, ...points.slice(0, 1)];

/** The same half of a coast at either side of 180 degrees, closed along the meridian. */
function halves(centre: LatLon, seed: number): Points[] {
  const east = coast(centre, 3_000, seed).filter(({ lon }) => lon < 0);
  const west = coast(centre, 3_000, seed).filter(({ lon }) => lon > 0);
  const bySouth = (places: LatLon[]) => places.sort((a, b) => a.lat - b.lat);
  const shut = (places: LatLon[], lon: number) => {
    const [first, last] = [places[0]?.lat ?? 0, places.at(-1)?.lat ?? 0];
    return closed([...pointsOf(places), [lon, last], [lon, first]]);
  };
  return [shut(bySouth(west), 180), shut(bySouth(east), -180)];
}

const metres = fc.integer({ min: -5_000_000, max: 5_000_000 }).map((it) => it / 1_000);

function compare(
  centre: LatLon,
  shape: FenceShape,
  plain: ReturnType<typeof plainly>,
  isPolygon: boolean,
): void {
  const place = fc.tuple(metres, metres).map(([east, north]) => offset(centre, east, north));
  let [crossed, beside, beyond] = [0, 0, 0];
  fc.assert(
    fc.property(place, place, fc.integer({ min: 0, max: 500 }), (a, b, margin) => {
      const away = plain.nearest(a);
      const isOutside = !shape.isInside(a);
      expect(shape.isBeyond(a, margin)).toBe(isOutside && away > margin);
      if (!isPolygon) expect(isOutside).toBe(away > 0);
      if (isOutside && away <= margin) beside++;
      if (isOutside && away > margin) beyond++;
      if (!isOutside || shape.isInside(b)) return;
      const published = shape.crossing(a, b);
      if (published !== null) crossed++;
      if (isPolygon) {
        const expected = plain.crossing(a, b);
        expect(published === null).toBe(expected === null);
        expect(published?.enter ?? 0).toBeCloseTo(expected?.enter ?? 0, 9);
        expect(published?.leave ?? 0).toBeCloseTo(expected?.leave ?? 0, 9);
        return;
      }
      // The plain way to a corridor: look at many places of the way.
      const inside = Array.from({ length: 101 }, (_, at) => at / 100).filter(
        (t) => plain.nearest(interpolate(a, b, t)) <= 0,
      );
      const [first, last] = [inside[0], inside.at(-1)];
      if (first !== undefined) expect(published?.enter).toBeLessThanOrEqual(first);
      if (last !== undefined) expect(published?.leave).toBeGreaterThanOrEqual(last);
      if (published !== null) expect(plain.nearest(interpolate(a, b, published.enter))).toBeCloseTo(0, 3);
    }),
    // The counts below need the same places every time: drawn anew, they would fall short now and then.
    { numRuns: 300, endOnFailure: true, seed: 20_261 },
  );
  expect(crossed).toBeGreaterThan(20);
  expect(beside).toBeGreaterThan(2);
  expect(beyond).toBeGreaterThan(50);
}

describe('a shape of many corners', () => {
  const berlin = { lat: 52.5, lon: 13.4 };
  const fiji = { lat: -16.8, lon: 180 };

  it('a shape of many corners is crossed and left where looking at every side says so, as a polygon with a hole', () => {
    const rings = [
      closed(pointsOf(coast(berlin, 3_000, 7))),
      closed(pointsOf(coast(berlin, 1_000, 5)).reverse()),
    ];
    const shape = geofenceShape({
      shape: 'polygon',
      geometry: { type: 'Polygon', coordinates: rings },
      radius_m: null,
      width_m: null,
    });
    compare(berlin, shape, plainly(rings, null), true);
  });

  it('a shape of many corners is the same as a polygon that is split at the antimeridian', () => {
    const parts = halves(fiji, 0.01);
    expect(parts.every((ring) => ring.length > 100)).toBe(true);
    const shape = geofenceShape({
      shape: 'polygon',
      geometry: { type: 'MultiPolygon', coordinates: parts.map((ring) => [ring]) },
      radius_m: null,
      width_m: null,
    });
    compare(fiji, shape, plainly(parts, null), true);
  });

  it.each([
    ['', berlin],
    [' over the antimeridian', fiji],
  ])(
    'a shape of many corners is crossed and left where looking at every piece says so, as a line%s',
    (_, centre) => {
      const points = pointsOf(coast(centre, 3_000, 7));
      const shape = geofenceShape({
        shape: 'line',
        geometry: { type: 'LineString', coordinates: points },
        radius_m: null,
        width_m: 300,
      });
      compare(centre, shape, plainly([points], 150), false);
    },
  );

  it('a shape of many corners stays whole as a wide ring, from wherever it is looked at', () => {
    const north = Array.from({ length: 41 }, (_, at): [number, number] => [80 - at * 4, 10]);
    const ring = closed([[-80, -10], [80, -10], ...north]);
    const shape = geofenceShape({
      shape: 'polygon',
      geometry: { type: 'Polygon', coordinates: [ring] },
      radius_m: null,
      width_m: null,
    });
    const across = shape.crossing({ lat: -11, lon: 179 }, { lat: 11, lon: -179 });
    expect(Math.abs(lonDifference(-179, 179))).toBe(2);
    expect(across).toBeNull();
    expect(shape.crossing({ lat: 0, lon: -81 }, { lat: 0, lon: 81 })?.enter).toBeCloseTo(1 / 162, 6);
    expect(shape.isBeyond({ lat: 0, lon: 80.001 }, 112)).toBe(false);
    expect(shape.isBeyond({ lat: 0, lon: 80.001 }, 110)).toBe(true);
  });
});
