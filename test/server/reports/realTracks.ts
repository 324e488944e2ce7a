import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { positionRow } from '../telemetry/positions.ts';

const folder = new URL('../../../../shared/data/tracks/', import.meta.url);
const files = [
  'austin-buses-2017-04-18.csv',
  'limerick-bus-304-2019-02-18.csv',
  'munich-car-2014-09-10.csv',
  'nyc-bus-6603-2014-04-15.csv',
  'nyc-buses-2010-2021.csv',
  'visnjan-car.csv',
].map((name) => fileURLToPath(new URL(name, folder)));

export const hasRealTracks = files.every((file) => existsSync(file));

/** Real drives, each vehicle's positions in order of time and one a moment, as the store has them. */
export function readRealTracks(): Map<string, PositionRow[]> {
  const tracks = new Map<string, PositionRow[]>();
  for (const line of files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))) {
    const [vehicle = '', time = '', lat, lon, speed] = line.split(',');
    const rows = tracks.get(vehicle) ?? [];
    const time_ms = Date.parse(time);
    if (time_ms > (rows.at(-1)?.time_ms ?? 0)) {
      const speed_kmh = speed === undefined || speed === '' ? null : Number(speed);
      rows.push(positionRow({ vehicle_id: vehicle, time_ms, lat: Number(lat), lon: Number(lon), speed_kmh }));
    }
    tracks.set(vehicle, rows);
  }
  return tracks;
}
