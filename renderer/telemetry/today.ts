import type { Position } from '../../server/contract/positions.ts';
import { distanceM } from '../map/geodesy.ts';

/** A gap between fixes longer than this is not driven over: nobody knows what happened in it (API.md, episodes). */
const GAP_MS = 300_000;

/** Below this a vehicle stands, and its fixes only tremble. */
const STANDING_KMH = 3;

export interface DayDriven {
  distanceM: number;
  drivingMs: number;
}

/** How far and how long a track was driven; positions in order of time. */
export function dayDriven(track: readonly Position[]): DayDriven {
  let distance = 0;
  let drivingMs = 0;
  let before: Position | null = null;
  for (const fix of track) {
    if (!fix.valid) continue;
    if (before !== null) {
      const gapMs = Date.parse(fix.time) - Date.parse(before.time);
      const drives = Math.max(fix.speed_kmh ?? 0, before.speed_kmh ?? 0) >= STANDING_KMH;
      if (drives && gapMs <= GAP_MS) {
        distance += distanceM(before, fix);
        drivingMs += gapMs;
      }
    }
    before = fix;
  }
  return { distanceM: distance, drivingMs };
}

/** Speeds over time for a chart (seconds since 1970, km/h), cut with null where nothing is known. */
export function speedSeries(track: readonly Position[]): { times: number[]; speeds: (number | null)[] } {
  const times: number[] = [];
  const speeds: (number | null)[] = [];
  let before: number | null = null;
  for (const fix of track) {
    const at = Date.parse(fix.time) / 1_000;
    if (before !== null && (at - before) * 1_000 > GAP_MS) {
      times.push((at + before) / 2);
      speeds.push(null);
    }
    times.push(at);
    speeds.push(fix.speed_kmh);
    before = at;
  }
  return { times, speeds };
}
