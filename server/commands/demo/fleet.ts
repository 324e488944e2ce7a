import type { DriverStyle } from './drive.ts';
import { fleetRoster, type RosterEntry, type VehicleProfile } from './fleetRoster.ts';
import { scriptedPart, withPart } from './fleetScript.ts';
import { homeOf, itineraryOf, type ItineraryContext } from './itineraries.ts';
import { partSeed, seededRandom, type SeededRandom } from './seededRandom.ts';
import { nodeOf } from './streetGraph.ts';
import type { Town } from './townModel.ts';
import { startRun, type Fix, type VehicleRun } from './vehicleRun.ts';

export interface FleetVehicle {
  profile: VehicleProfile;
  group: RosterEntry['group'];
}

export interface Fleet {
  vehicles: FleetVehicle[];
  /**
   * The fixes of the hours before the start, in order of time, at a calmer rhythm. Empty unless `historyHours` was
   * given; what is not taken before the first `step` is dropped.
   */
  history(): Generator<Fix, void, void>;
  /**
   * The fixes since the last call, in order of time, the last of them at `now` at the latest. The first call also
   * brings the last word of vehicles that had fallen silent before the start. A `now` before the last one brings none.
   */
  step(now: Date): Fix[];
}

export interface FleetOptions {
  /** How far back `history` goes, 20 minutes at least if it goes back at all; 0 by default. */
  historyHours?: number;
}

/** Time to spread out over the town before anybody looks. */
const WARM_UP_S = 1200;
const HISTORY_INTERVAL_S = 10;
const HISTORY_STEP_S = 60;

/**
 * Thirty vehicles that go about their day in the town; in the first 15 s a truck enters Quay 4, within 30 s a van
 * speeds on the ring road, within 45 s a bus at the school calls for help. The same for the same town, seed and times,
 * however often it is stepped.
 */
export function createFleet(town: Town, seed: number, startTime: Date, options: FleetOptions = {}): Fleet {
  const historyS = (options.historyHours ?? 0) * 3600;
  const beginS = -Math.max(historyS, WARM_UP_S);
  const roster = fleetRoster();
  const runs = roster.map((entry) => startVehicle(entry, { town, seed, startTime, beginS }));
  let reachedS = beginS;
  let hasStarted = false;

  const advanceTo = (untilS: number): Fix[] => {
    reachedS = untilS;
    return runs.flatMap((run) => run.until(untilS)).sort((a, b) => a.time.getTime() - b.time.getTime());
  };

  return {
    vehicles: roster.map(({ profile, group }) => ({ profile, group })),
    *history() {
      while (historyS > 0 && !hasStarted && reachedS < 0) {
        yield* advanceTo(Math.min(0, reachedS + HISTORY_STEP_S));
      }
    },
    step(now) {
      const last = hasStarted ? [] : lastWords(runs, reachedS);
      hasStarted = true;
      reachedS = Math.max(reachedS, 0);
      return [...last, ...advanceTo(Math.max(reachedS, (now.getTime() - startTime.getTime()) / 1000))];
    },
  };

  function lastWords(all: VehicleRun[], doneS: number): Fix[] {
    return all.flatMap((run) => {
      const fixes = run.until(0);
      return doneS < 0 && run.isSilent() ? fixes.slice(-1) : [];
    });
  }
}

interface VehicleStart {
  town: Town;
  seed: number;
  startTime: Date;
  beginS: number;
}

function startVehicle(
  { profile, role }: RosterEntry,
  { town, seed, startTime, beginS }: VehicleStart,
): VehicleRun {
  const random = seededRandom(partSeed(seed, profile.terminal_id));
  const style = driverStyle(profile.type, random);
  const clock: { run: VehicleRun | null } = { run: null };
  const nowS = (): number => clock.run?.nowS() ?? beginS;
  const part = scriptedPart(profile.name, { town, random, style, nowS });
  const context: ItineraryContext = {
    town,
    random,
    style,
    nowS,
    at: part?.from ?? homeOf(role, town, random),
  };
  const otherwise = (): ReturnType<typeof itineraryOf> => itineraryOf(role, context);
  const run = startRun({
    terminalId: profile.terminal_id,
    itinerary: part === null ? otherwise() : withPart(part, context, otherwise),
    at: nodeOf(town.graph, context.at).point,
    random: seededRandom(partSeed(seed, `${profile.terminal_id} receiver`)),
    movingIntervalS: { past: HISTORY_INTERVAL_S, live: random.pick([1, 1, 2, 2, 3, 5]) },
    startTime,
    beginS,
  });
  clock.run = run;
  return run;
}

/** Trucks and buses are gentle, cars and vans brisk; none exceeds a limit of 60 by the 3 km/h that are tolerated. */
function driverStyle(type: VehicleProfile['type'], random: SeededRandom): DriverStyle {
  const isHeavy = type === 'truck' || type === 'bus';
  return {
    limitShare: random.between(0.9, 1.02),
    accelerationMs2: isHeavy ? random.between(0.8, 1.1) : random.between(1.3, 1.9),
    brakingMs2: isHeavy ? random.between(1.1, 1.4) : random.between(1.6, 2.2),
  };
}
