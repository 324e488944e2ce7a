import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FencedFix } from '../../../server/geofences/geofenceEngine.ts';
import { anyFence, drive, indexOf } from './geofences.ts';
import { naiveCrossings } from './naiveGeofences.ts';
import { expectSameCrossings } from './sameCrossings.ts';

const file = fileURLToPath(
  new URL('../../../../shared/data/tracks/austin-buses-2017-04-18.csv', import.meta.url),
);
const austin = { lat: 30.2672, lon: -97.7431 };

function readTracks(): FencedFix[][] {
  const tracks = new Map<string, FencedFix[]>();
  for (const row of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const [vehicle = '', time = '', lat, lon, speed] = row.split(',');
    const track = tracks.get(vehicle) ?? [];
    const time_ms = Date.parse(time);
    // Engines are given nothing that is not newer than what they have seen.
    if (time_ms > (track.at(-1)?.time_ms ?? 0)) {
      track.push({ lat: Number(lat), lon: Number(lon), time_ms, speed_kmh: speed ? Number(speed) : null });
    }
    tracks.set(vehicle, track);
  }
  return [...tracks.values()];
}

it.skipIf(!existsSync(file))(
  'the geofence engine sees on two hours of 320 city buses what looking at every fix and every fence sees',
  () => {
    const geofences = fc.sample(anyFence(austin, 6_000), { numRuns: 50, seed: 20170418 });
    const index = indexOf(geofences);
    let [compared, unsure, crossings] = [0, 0, 0];
    for (const track of readTracks()) {
      const published = drive(index, track);
      for (const geofence of geofences) {
        const naive = naiveCrossings(geofence, track);
        if (naive === null) {
          unsure++;
          continue;
        }
        compared++;
        crossings += naive.length;
        expectSameCrossings(
          published.filter((it) => it.geozone_id === geofence.geozone_id),
          naive,
        );
      }
    }
    expect(compared).toBeGreaterThan(14_000);
    expect(unsure / compared).toBeLessThan(0.05);
    expect(crossings).toBeGreaterThan(5_000);
  },
);
