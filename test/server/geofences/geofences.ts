import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { newGeofence, type Geofence, type NewGeofence } from '../../../server/contract/geofences.ts';
import {
  advanceGeofences,
  type GeofenceCrossing,
  type FencedFix,
  type GeofenceSides,
} from '../../../server/geofences/geofenceEngine.ts';
import { createGeofenceIndex, type GeofenceIndex } from '../../../server/geofences/geofenceIndex.ts';
import type { LatLon } from '../../../server/geofences/geodesy.ts';

const metresOfDegree = 111_195;

/** A place so many metres east and north of another. */
export function offset(from: LatLon, eastM: number, northM: number): LatLon {
  const lon = from.lon + eastM / (metresOfDegree * Math.cos((from.lat * Math.PI) / 180));
  return {
    lat: from.lat + northM / metresOfDegree,
    lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon,
  };
}

function point({ lon, lat }: LatLon): [number, number] {
  return [lon, lat];
}

export type Wanted = Partial<NewGeofence> & Pick<NewGeofence, 'shape' | 'geometry'>;

export function geofenceOf(wanted: Wanted): Geofence {
  return {
    ...newGeofence.parse({ name: 'Yard', ...wanted }),
    geozone_id: randomUUID(),
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
}

export function circle(centre: LatLon, radius_m: number, more: Partial<NewGeofence> = {}): Geofence {
  return geofenceOf({
    shape: 'circle',
    geometry: { type: 'Point', coordinates: point(centre) },
    radius_m,
    ...more,
  });
}

export function line(places: readonly LatLon[], width_m: number, more: Partial<NewGeofence> = {}): Geofence {
  const geometry = { type: 'LineString' as const, coordinates: places.map(point) };
  return geofenceOf({ shape: 'line', geometry, width_m, ...more });
}

/** Rings of corners that are not closed yet; the first is the outer one. */
export function polygon(rings: readonly (readonly LatLon[])[], more: Partial<NewGeofence> = {}): Geofence {
  const coordinates = rings.map((ring) => [...ring, ...ring.slice(0, 1)].map(point));
  return geofenceOf({ shape: 'polygon', geometry: { type: 'Polygon', coordinates }, ...more });
}

export function square(centre: LatLon, halfM: number, more: Partial<NewGeofence> = {}): Geofence {
  return polygon([squareRing(centre, halfM)], more);
}

export function squareRing(centre: LatLon, halfM: number): LatLon[] {
  return [
    offset(centre, -halfM, -halfM),
    offset(centre, halfM, -halfM),
    offset(centre, halfM, halfM),
    offset(centre, -halfM, halfM),
  ];
}

/** Fences that were there before everything. */
export function indexOf(geofences: readonly Geofence[], known_from_ms = 0): GeofenceIndex {
  return createGeofenceIndex(geofences.map((geofence) => ({ geofence, known_from_ms })));
}

export function fixAt(place: LatLon, time_s: number, speed_kmh: number | null = null): FencedFix {
  return { ...place, time_ms: time_s * 1_000, speed_kmh };
}

/** What the engine reports of a whole track, fix by fix. */
export function drive(
  index: GeofenceIndex,
  track: readonly FencedFix[],
  crossing_max_gap_s = 300,
): GeofenceCrossing[] {
  let sides: GeofenceSides = {};
  let previous: FencedFix | null = null;
  const published: GeofenceCrossing[] = [];
  for (const fix of track) {
    const step = advanceGeofences({
      index,
      before: sides,
      previous,
      fix,
      appliesTo: () => true,
      isFirstLook: () => false,
      crossing_max_gap_s,
    });
    sides = step.after;
    previous = fix;
    published.push(...step.crossings);
  }
  return published;
}

/** `enter 12` for an entry at second 12. */
export function shortly(crossings: readonly GeofenceCrossing[]): string[] {
  return crossings.map((it) => `${it.kind.slice('geofence_'.length)} ${it.at.time_ms / 1_000}`);
}

// Integers, since the doubles of fast-check crowd about zero; in millimetres, lest they make a grid.
const metresBetween = (min: number, max: number) =>
  fc.integer({ min: Math.round(min * 1_000), max: Math.round(max * 1_000) }).map((it) => it / 1_000);
const metres = (max: number) => metresBetween(-max, max);
const share = metresBetween(0.2, 1);

/** Circles, lines, and polygons like stars, some with a hole, within `reachM` of a centre; without hysteresis. */
export function anyFence(
  centre: LatLon,
  reachM: number,
  shapes: readonly Geofence['shape'][] = ['circle', 'line', 'polygon'],
): fc.Arbitrary<Geofence> {
  const place = fc.tuple(metres(reachM), metres(reachM)).map(([east, north]) => offset(centre, east, north));
  const size = metresBetween(30, reachM / 2);
  const more = { hysteresis_m: 0 };
  const made = {
    circle: fc.tuple(place, size).map(([middle, radius]) => circle(middle, radius, more)),
    line: fc
      .tuple(fc.array(place, { minLength: 2, maxLength: 5 }), size)
      .map(([places, width]) => line(places, width / 2, more)),
    polygon: fc
      .tuple(place, size, fc.array(share, { minLength: 3, maxLength: 12 }), fc.boolean())
      .map(([middle, radius, spokes, hasHole]) => {
        const star = (factor: number) =>
          spokes.map((spoke, at) => {
            const angle = (2 * Math.PI * at) / spokes.length;
            const length = radius * spoke * factor;
            return offset(middle, length * Math.cos(angle), length * Math.sin(angle));
          });
        return polygon(hasHole ? [star(1), star(0.4).reverse()] : [star(1)], more);
      }),
  };
  return fc.oneof(...shapes.map((shape) => made[shape]));
}

/** A drive of random legs, at times with pauses beyond five minutes. */
export function anyTrack(centre: LatLon, reachM: number): fc.Arbitrary<FencedFix[]> {
  const leg = fc.record({
    east: metres(reachM / 3),
    north: metres(reachM / 3),
    pause_s: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 300 }) },
      fc.integer({ min: 301, max: 4_000 }),
    ),
  });
  return fc
    .tuple(metres(reachM), metres(reachM), fc.array(leg, { minLength: 1, maxLength: 60, size: 'max' }))
    .map(([east, north, legs]) => {
      let [x, y, time_s] = [east, north, 1_000];
      const track = [fixAt(offset(centre, x, y), time_s)];
      for (const it of legs) {
        // Kept in the neighbourhood, or most of the way would meet nothing.
        x = Math.max(-reachM, Math.min(reachM, x + it.east));
        y = Math.max(-reachM, Math.min(reachM, y + it.north));
        time_s += it.pause_s;
        track.push(fixAt(offset(centre, x, y), time_s));
      }
      return track;
    });
}
