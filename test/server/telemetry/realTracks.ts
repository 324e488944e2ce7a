import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fix of a real vehicle; see the notes that lie with the tracks for where they come from. */
export interface RealFix {
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
  course_deg: number | null;
  ignition: null;
}

const folder = new URL('../../../../shared/data/tracks/', import.meta.url);

export const trackFiles = [
  'austin-buses-2017-04-18.csv',
  'nyc-bus-6603-2014-04-15.csv',
  'nyc-buses-2010-2021.csv',
  'munich-car-2014-09-10.csv',
  'limerick-bus-304-2019-02-18.csv',
  'visnjan-car.csv',
] as const;

export const hasTracks = existsSync(fileURLToPath(folder));

/** By vehicle; a fix that is not newer than the one before is left out. */
export function readTracks(file: (typeof trackFiles)[number]): RealFix[][] {
  const tracks = new Map<string, RealFix[]>();
  for (const line of readFileSync(fileURLToPath(new URL(file, folder)), 'utf8')
    .trim()
    .split('\n')
    .slice(1)) {
    const [vehicle = '', time = '', lat, lon, speed, course] = line.split(',');
    const track = tracks.get(vehicle) ?? [];
    const time_ms = Date.parse(time);
    if (time_ms > (track.at(-1)?.time_ms ?? 0)) {
      track.push({
        time_ms,
        lat: Number(lat),
        lon: Number(lon),
        speed_kmh: speed ? Number(speed) : null,
        course_deg: course?.trim() ? Number(course) : null,
        ignition: null,
      });
    }
    tracks.set(vehicle, track);
  }
  return [...tracks.values()];
}
