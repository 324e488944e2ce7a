import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IndexedGeofence } from '../../../server/geofences/geofenceIndex.ts';
import type { LatLon } from '../../../server/geofences/geodesy.ts';
import { anyFence, geofenceOf, indexOf, offset } from './geofences.ts';

const place = (centre: LatLon, reachM: number) =>
  fc
    .tuple(fc.integer({ min: -reachM, max: reachM }), fc.integer({ min: -reachM, max: reachM }))
    .map(([east, north]) => offset(centre, east, north));

/** Two islands that are one fence. */
const islands = (west: number) => {
  const ring = (lon: number): [number, number][] => [
    [lon, 52.5],
    [lon + 0.01, 52.5],
    [lon + 0.01, 52.51],
    [lon, 52.51],
    [lon, 52.5],
  ];
  return geofenceOf({
    shape: 'polygon',
    geometry: { type: 'MultiPolygon', coordinates: [[ring(west)], [ring(west + 0.02)]] },
  });
};

it.each([
  ['in a town', { lat: 52.5, lon: 13.4 }],
  ['at the antimeridian', { lat: -16.8, lon: 179.995 }],
])(
  'the geofence index shows each fence once whose box a way may touch, whatever it was asked before: %s',
  (_, centre) => {
    let shown = 0;
    fc.assert(
      fc.property(
        fc.array(anyFence(centre, 5_000, ['circle', 'line']), { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(place(centre, 6_000), place(centre, 1_500)), { minLength: 20, maxLength: 20 }),
        (some, ways) => {
          const geofences = [...some, ...(centre.lon < 100 ? [islands(13.39), islands(13.405)] : [])];
          const index = indexOf(geofences);
          for (const [a, step] of ways) {
            const b = { lat: a.lat + step.lat - centre.lat, lon: a.lon + ((step.lon - centre.lon) % 360) };
            if (b.lon > 180) b.lon -= 360;
            if (b.lon < -180) b.lon += 360;
            const near: IndexedGeofence[] = [];
            index.near(a, b, (geofence, list) => list.push(geofence), near);
            expect(new Set(near).size).toBe(near.length);
            shown += near.length;
            for (const { geozone_id } of geofences) {
              const geofence = index.get(geozone_id) ?? expect.fail();
              if (touches(geofence, a, b)) expect(near).toContain(geofence);
              else expect(near).not.toContain(geofence);
            }
          }
        },
      ),
      { endOnFailure: true },
    );
    expect(shown).toBeGreaterThan(1_000);
  },
);

/** On a globe unrolled three times over. */
function touches({ shape }: IndexedGeofence, a: LatLon, b: LatLon): boolean {
  const east = b.lon - a.lon > 180 ? b.lon - 360 : b.lon - a.lon < -180 ? b.lon + 360 : b.lon;
  return [-360, 0, 360].some((turn) =>
    shape.boxes.some(
      ([west, south, far, north]) =>
        Math.min(a.lon, east) + turn <= far &&
        Math.max(a.lon, east) + turn >= west &&
        Math.min(a.lat, b.lat) <= north &&
        Math.max(a.lat, b.lat) >= south,
    ),
  );
}

it('the geofence index shows a fence once whose border lies on a round coordinate, from whichever side a way comes', () => {
  // On whole, half, quarter and 1/128 degrees, as people type them.
  const edges = [50, 50.5, 50.25, 50 + 3 / 128, -10, 0];
  for (const south of edges) {
    for (const west of edges) {
      const corner = (east: number, north: number): [number, number] => [west + east, south + north];
      const ring = [corner(0, 0), corner(0.01, 0), corner(0.01, 0.01), corner(0, 0.01), corner(0, 0)];
      const index = indexOf([
        geofenceOf({ shape: 'polygon', geometry: { type: 'Polygon', coordinates: [ring] } }),
      ]);
      for (const [dLon, dLat] of [
        [-0.0005, 0.002],
        [0.002, -0.0005],
        [-0.0005, -0.0005],
        [0, 0],
      ] as const) {
        const from = { lat: south + dLat, lon: west + dLon };
        const to = { lat: south + 0.003, lon: west + 0.003 };
        for (const [a, b] of [
          [from, to],
          [to, from],
        ] as const) {
          const near: IndexedGeofence[] = [];
          index.near(a, b, (geofence, list) => list.push(geofence), near);
          expect(near).toHaveLength(1);
        }
      }
    }
  }
});
