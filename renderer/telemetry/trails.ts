import type { Position } from '../../server/contract/positions.ts';

/** One dot for every 15 s (LOOKS 3), so that their distance is the speed. */
const STEP_MS = 15_000;
const DOTS = 20;

export interface TrailDot {
  lat: number;
  lon: number;
  time: number;
  speedKmh: number | null;
}

/** Thins a track out to one position for every 15 s, the newest 20, in order of time. */
export function trailOf(track: readonly Position[]): TrailDot[] {
  const dots: TrailDot[] = [];
  for (const fix of track) {
    if (!fix.valid) continue;
    const time = Date.parse(fix.time);
    const before = dots.at(-1);
    if (before !== undefined && time - before.time < STEP_MS) continue;
    dots.push({ lat: fix.lat, lon: fix.lon, time, speedKmh: fix.speed_kmh });
  }
  return dots.slice(-DOTS);
}

/** The trails of vehicles by what the stream has brought since the console began. */
export function createTrails() {
  const byVehicle = new Map<string, TrailDot[]>();
  return {
    add(position: Position) {
      if (!position.valid) return;
      const dots = byVehicle.get(position.vehicle_id) ?? [];
      const time = Date.parse(position.time);
      const before = dots.at(-1);
      if (before !== undefined && time - before.time < STEP_MS) return;
      dots.push({ lat: position.lat, lon: position.lon, time, speedKmh: position.speed_kmh });
      if (dots.length > DOTS) dots.shift();
      byVehicle.set(position.vehicle_id, dots);
    },
    /** Puts an older track before what is known. */
    seed(vehicleId: string, track: readonly Position[]) {
      const live = byVehicle.get(vehicleId) ?? [];
      const first = live[0]?.time ?? Number.POSITIVE_INFINITY;
      const older = trailOf(track).filter((dot) => dot.time <= first - STEP_MS);
      byVehicle.set(vehicleId, [...older, ...live].slice(-DOTS));
    },
    get: (vehicleId: string) => byVehicle.get(vehicleId) ?? [],
  };
}

export type Trails = ReturnType<typeof createTrails>;
