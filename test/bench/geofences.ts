import fc from 'fast-check';
import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import type { Geofence } from '../../server/contract/geofences.ts';
import {
  advanceGeofences,
  type FencedFix,
  type GeofenceSides,
} from '../../server/geofences/geofenceEngine.ts';
import { geofenceShape } from '../../server/geofences/geofenceShape.ts';
import { onPlane, type LatLon } from '../../server/geofences/geodesy.ts';
import { anyFence, indexOf, offset } from '../server/geofences/geofences.ts';

const country = { lat: 48.5, lon: 11.5 };
const reachM = 150_000;
const geofenceCount = 10_000;
const vehicles = 500;
const fixesEach = 400;
const rounds = 5;
/** How far a vehicle drives from fix to fix: ten seconds at 50 km/h. */
const stepM = 140;

/**
 * The geofence engine, with sides, hysteresis and what is crossed between two fixes, beside a bare tree of the same
 * boxes and the bare question whether a point lies in the same rings (of circles and lines: rings about them).
 */
export function benchGeofences(): void {
  const geofences = mixedGeofences();
  const tracks = Array.from({ length: vehicles }, (_, at) => track(at + 1));
  const positions = vehicles * fixesEach;
  let crossings = 0;
  let inside = 0;
  let [ours_s, bare_s] = [Infinity, Infinity];
  const engine = engineOver(geofences);
  const bare = bareOver(geofences);
  // The best of some rounds in turns: the first of each is the compiler's.
  for (let round = 0; round < rounds; round++) {
    ours_s = Math.min(
      ours_s,
      seconds(() => (crossings = engine(tracks))),
    );
    bare_s = Math.min(
      bare_s,
      seconds(() => (inside = bare(tracks))),
    );
  }
  const rate = (time_s: number) => Math.round(positions / time_s).toLocaleString('en');
  console.log(
    `geofences: ${positions.toLocaleString('en')} positions of ${vehicles} vehicles, ` +
      `${geofences.length.toLocaleString('en')} mixed geofences, ${crossings} crossings, ${inside} times inside`,
  );
  console.log(`  engine                 ${rate(ours_s)} positions/s`);
  console.log(`  bare tree and rings    ${rate(bare_s)} positions/s`);
  console.log(`  ratio                  ${(bare_s / ours_s).toFixed(2)}`);
}

/** Of the processor: a busy machine slows both down, but not at the same time. */
function seconds(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

/** Circles, lines and polygons, some with a hole, of some hundred metres up to two kilometres. */
function mixedGeofences(): Geofence[] {
  const middles = fc.sample(fc.tuple(metres(), metres()), { numRuns: geofenceCount, seed: 20_140_910 });
  const forms = fc.sample(anyFence(country, 4_000), { numRuns: geofenceCount, seed: 20_170_418 });
  return forms.map((geofence, at) => moved(geofence, middles[at] ?? [0, 0]));
}

function metres(): fc.Arbitrary<number> {
  return fc.integer({ min: -reachM, max: reachM });
}

function moved(geofence: Geofence, [east, north]: [number, number]): Geofence {
  const there = offset(country, east, north);
  const move = ([lon = 0, lat = 0]: readonly number[]): [number, number] => [
    lon + there.lon - country.lon,
    lat + there.lat - country.lat,
  ];
  const { geometry } = geofence;
  const hysteresis_m = 20;
  switch (geometry.type) {
    case 'Point':
      return {
        ...geofence,
        hysteresis_m,
        geometry: { type: 'Point', coordinates: move(geometry.coordinates) },
      };
    case 'LineString':
      return {
        ...geofence,
        hysteresis_m,
        geometry: { type: 'LineString', coordinates: geometry.coordinates.map(move) },
      };
    case 'Polygon':
      return {
        ...geofence,
        hysteresis_m,
        geometry: { type: 'Polygon', coordinates: geometry.coordinates.map((ring) => ring.map(move)) },
      };
    case 'MultiPolygon':
      return geofence;
  }
}

/** A drive that turns a little at each fix, seeded. */
function track(seed: number): FencedFix[] {
  let state = seed * 2_654_435_761;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let place: LatLon = offset(country, (chance() - 0.5) * 2 * reachM, (chance() - 0.5) * 2 * reachM);
  let heading = chance() * 2 * Math.PI;
  return Array.from({ length: fixesEach }, (_, at): FencedFix => {
    heading += (chance() - 0.5) * 0.6;
    place = offset(place, stepM * Math.cos(heading), stepM * Math.sin(heading));
    return { ...place, time_ms: at * 10_000, speed_kmh: 50 };
  });
}

type Run = (tracks: readonly FencedFix[][]) => number;

function engineOver(geofences: readonly Geofence[]): Run {
  const index = indexOf(geofences);
  const appliesTo = () => true;
  const isFirstLook = () => false;
  return (tracks) => {
    let crossings = 0;
    for (const fixes of tracks) {
      let before: GeofenceSides = {};
      let previous: FencedFix | null = null;
      for (const fix of fixes) {
        const step = advanceGeofences({
          index,
          before,
          previous,
          fix,
          appliesTo,
          isFirstLook,
          crossing_max_gap_s: 300,
        });
        before = step.after;
        previous = fix;
        crossings += step.crossings.length;
      }
    }
    return crossings;
  };
}

function bareOver(geofences: readonly Geofence[]): Run {
  const tree = new Flatbush(geofences.length);
  const rings = geofences.map((geofence) => ringsOf(geofence));
  for (const geofence of geofences) {
    const [west, south, east, north] = geofenceShape(geofence).boxes[0] ?? [0, 0, 0, 0];
    tree.add(west, south, east, north);
  }
  tree.finish();
  return (tracks) => {
    let inside = 0;
    for (const fixes of tracks) {
      for (const { lat, lon } of fixes) {
        const point: [number, number] = [lon, lat];
        for (const at of tree.search(lon, lat, lon, lat)) {
          if (pointInPolygon(point, rings[at] ?? []) !== false) inside++;
        }
      }
    }
    return inside;
  };
}

const cornersOfCircle = 64;

function ringsOf({ geometry, radius_m, width_m }: Geofence): number[][][] {
  if (geometry.type === 'Point') {
    const [lon, lat] = geometry.coordinates;
    return [arc({ lon, lat }, radius_m ?? 0, 0, 2 * Math.PI, cornersOfCircle)];
  }
  if (geometry.type === 'LineString') return [ringAbout(geometry.coordinates, (width_m ?? 0) / 2)];
  if (geometry.type === 'Polygon') return geometry.coordinates;
  throw new Error('has several parts');
}

/** There along the left side and back along the right one, with round ends: what a buffer of the line would be. */
function ringAbout(coordinates: readonly (readonly number[])[], radius: number): number[][] {
  const places = coordinates.map(([lon = 0, lat = 0]): LatLon => ({ lon, lat }));
  const way = [...places, ...places.slice(0, -1).reverse()];
  const ring = way.flatMap((place, at) => {
    const next = way[(at + 1) % way.length] ?? place;
    const { x, y } = onPlane(next, place);
    const angle = Math.atan2(y, x);
    return arc(place, radius, angle - Math.PI / 2, angle + Math.PI / 2, 8);
  });
  return [...ring, ...ring.slice(0, 1)];
}

function arc(centre: LatLon, radius: number, from: number, to: number, corners: number): number[][] {
  const ring = Array.from({ length: corners }, (_, at) => {
    const angle = from + ((to - from) * at) / corners;
    const { lon, lat } = offset(centre, radius * Math.cos(angle), radius * Math.sin(angle));
    return [lon, lat];
  });
  return to - from < 2 * Math.PI ? ring : [...ring, ...ring.slice(0, 1)];
}
