import { z } from 'zod';
import { newGeofence } from '../../contract/geofences.ts';
import { newVehicle } from '../../contract/vehicles.ts';
import type { OsmandFix } from '../osmandSender.ts';

/** What a terminal knows at one moment; `sos`: the emergency button was pressed since the last fix. */
export type Fix = Required<OsmandFix>;

/** Parts of a unit that the file counts, in the order of a fix's numbers; its time is counted in quarters of a second. */
export const FIX_SCALES = {
  timeS: 4,
  ...{ lat: 1e6, lon: 1e6, altitudeM: 10, speedKmh: 10, courseDeg: 10, accuracyM: 10 },
  ...{ ignition: 1, batteryPct: 1, odometerM: 1, sos: 1 },
} as const;

const demoVehicle = z.strictObject({
  profile: newVehicle,
  group: z.string(),
  /** From the fleet's start to the zero of the fixes' times, negative. */
  start_ms: z.int(),
  /** After this long the fixes begin again from the same place; null for a vehicle that falls silent for good. */
  period_ms: z.int().positive().nullable(),
  /** One number for each of `FIX_SCALES`, fix after fix, each the difference to the fix before, the first ones to zero. */
  fixes: z.array(z.int()),
});

/** `resources/demo/fleet.json`, which `test/demo/makeDemo.ts` makes. */
export const demoFleet = z.strictObject({
  town: z.string(),
  geofences: z.array(newGeofence),
  vehicles: z.array(demoVehicle),
});
export type DemoFleet = z.input<typeof demoFleet>;

/** Where the first `step` looks for the last fix of vehicles that have fallen silent. */
const LAST_HEARD_MS = 1_200_000;
/** A vehicle at rest reports every 30 s: longer than this is silence. */
const SILENT_AFTER_MS = 60_000;
const HISTORY_INTERVAL_MS = 9_000;

/**
 * Plays the recorded fleet: each vehicle's itinerary, over and over, with the fleet's start at `startTime`. The same for
 * the same data and times, however often it is stepped.
 *
 * @param options.historyHours how far back `history` goes; 0 by default
 */
export function createFleet(data: DemoFleet, startTime: Date, options: { historyHours?: number } = {}) {
  const historyMs = (options.historyHours ?? 0) * 3_600_000;
  let reachedMs = -Math.max(historyMs, LAST_HEARD_MS);
  let hasStarted = false;
  const players = data.vehicles.map((vehicle) => playVehicle(vehicle, startTime, reachedMs));

  const advanceTo = (untilMs: number, intervalMs: number): Fix[] => {
    reachedMs = untilMs;
    const fixes = players.flatMap((player) => player.until(untilMs, intervalMs));
    return fixes.sort((a, b) => a.time.getTime() - b.time.getTime());
  };

  /** The fixes of the hours before the start, in order of time, sparser than live. To be taken before the first `step`. */
  const history = (): Fix[] => (historyMs > 0 && !hasStarted ? advanceTo(0, HISTORY_INTERVAL_MS) : []);

  /**
   * The fixes since the last call, in order of time, the last of them at `now` at the latest. The first call also
   * answers the last fix of vehicles that had fallen silent before the start. A `now` before the last one answers none.
   */
  function step(now: Date): Fix[] {
    const isFirst = !hasStarted && reachedMs < 0;
    const lastHeard = isFirst ? players.flatMap((player) => player.lastBeforeSilence()) : [];
    hasStarted = true;
    return [...lastHeard, ...advanceTo(Math.max(0, reachedMs, now.getTime() - startTime.getTime()), 0)];
  }

  return { history, step };
}

function playVehicle(vehicle: DemoFleet['vehicles'][number], startTime: Date, sinceMs: number) {
  const fixes = fixesOf(vehicle, startTime, sinceMs);
  let next = fixes.next();
  let lastMs = -Infinity;

  /** The fixes up to that many milliseconds from the start, without those that follow another by less than the interval. */
  function until(untilMs: number, intervalMs: number): Fix[] {
    const until: Fix[] = [];
    for (; next.done !== true; next = fixes.next()) {
      const atMs = next.value.time.getTime() - startTime.getTime();
      if (atMs > untilMs) break;
      if (atMs - lastMs < intervalMs) continue;
      lastMs = atMs;
      until.push(next.value);
    }
    return until;
  }

  /** Goes on to the start. */
  function lastBeforeSilence(): Fix[] {
    const last = until(0, 0).slice(-1);
    const nextMs = next.done === true ? Infinity : next.value.time.getTime() - startTime.getTime();
    return nextMs - lastMs > SILENT_AFTER_MS ? last : [];
  }

  return { until, lastBeforeSilence };
}

function* fixesOf(
  { profile, start_ms, period_ms, fixes }: DemoFleet['vehicles'][number],
  startTime: Date,
  sinceMs: number,
): Generator<Fix, void, void> {
  const recorded = decode(fixes);
  const lapM = (recorded.at(-1)?.odometerM ?? 0) - (recorded[0]?.odometerM ?? 0);
  for (let lap = period_ms === null ? 0 : Math.floor((sinceMs - start_ms) / period_ms); ; lap += 1) {
    for (const { timeS, ignition, sos, ...fix } of recorded) {
      const atMs = start_ms + timeS * 1000 + lap * (period_ms ?? 0);
      if (atMs < sinceMs) continue;
      yield {
        ...{ terminalId: profile.terminal_id, time: new Date(startTime.getTime() + atMs), ...fix },
        ...{ odometerM: fix.odometerM + lap * lapM, ignition: ignition === 1, sos: sos === 1 },
      };
    }
    if (period_ms === null) return;
  }
}

function decode(numbers: readonly number[]): Record<keyof typeof FIX_SCALES, number>[] {
  const columns = Object.entries(FIX_SCALES);
  const sums = columns.map(() => 0);
  return Array.from({ length: numbers.length / columns.length }, (_, row) => {
    const fix = columns.map(([name, scale], column) => {
      sums[column] = (sums[column] ?? 0) + (numbers[row * columns.length + column] ?? 0);
      return [name, (sums[column] ?? 0) / scale];
    });
    return Object.fromEntries(fix) as Record<keyof typeof FIX_SCALES, number>;
  });
}
