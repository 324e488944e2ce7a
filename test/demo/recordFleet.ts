import { FIX_SCALES, type DemoFleet, type Fix } from '../../server/commands/demo/demoFleet.ts';
import { planDrive, type DriverStyle } from './drive.ts';
import { fleetRoster, type RosterEntry } from './fleetRoster.ts';
import { scriptedPart, withPart } from './fleetScript.ts';
import { homeOf, itineraryOf, type Itinerary, type ItineraryContext } from './itineraries.ts';
import { findRoute } from './route.ts';
import { partSeed, seededRandom, type SeededRandom } from './seededRandom.ts';
import { nodeOf } from './streetGraph.ts';
import type { Town } from './townModel.ts';
import { startRun } from './vehicleRun.ts';

/** Any instant will do: the record counts from it. */
const START = new Date(0);
/** When each vehicle sets out, in seconds before the start: at moments so far apart that the fleet is spread over the town. */
const SETS_OUT_S = [900, 3000] as const;
/** How long after that it turns home. */
const HOMEWARD_AFTER_S = 3500;
/** How long before the start the vehicle that falls silent is recorded. */
const SILENT_FROM_S = -7200;
/** At home the last fix of a lap is followed by the first of the next after this long, as at rest anywhere. */
const RESTING_MS = 30_000;

type RecordedVehicle = DemoFleet['vehicles'][number];

/**
 * Thirty vehicles that go about their day in the town and come home, where their itineraries begin again; in the first
 * 15 s a truck enters Quay 4, within 30 s a van speeds on the ring road, within 45 s a bus at the school calls for help.
 * The same for the same town and seed.
 */
export function recordFleet(town: Town, seed: number): DemoFleet {
  return {
    town: town.name,
    geofences: town.geofences as DemoFleet['geofences'],
    vehicles: fleetRoster().map((entry) => recordVehicle(entry, town, seed)),
  };
}

function recordVehicle({ profile, group, role }: RosterEntry, town: Town, seed: number): RecordedVehicle {
  const random = seededRandom(partSeed(seed, profile.terminal_id));
  const style = driverStyle(profile.type, random);
  const isSilent = role === 'silent';
  const setsOutS = seededRandom(partSeed(seed, `${profile.terminal_id} lap`)).integer(...SETS_OUT_S);
  const beginS = isSilent ? SILENT_FROM_S : -setsOutS;
  let nowS = (): number => beginS;
  const part = scriptedPart(profile.name, { town, random, style, nowS: () => nowS() });
  const home = part?.from ?? homeOf(role, town, random);
  const context: ItineraryContext = { town, random, style, nowS: () => nowS(), at: home };
  const otherwise = (): Itinerary => itineraryOf(role, context);
  // Set by the itinerary while it runs.
  const ending: { homeS: number | null } = { homeS: null };
  const run = startRun({
    terminalId: profile.terminal_id,
    itinerary: (function* () {
      for (const activity of part === null ? otherwise() : withPart(part, context, otherwise)) {
        yield activity;
        if (!isSilent && nowS() >= beginS + HOMEWARD_AFTER_S) break;
      }
      if (context.at !== home)
        yield { kind: 'drive', drive: planDrive(findRoute(town.graph, [context.at, home]), style) };
      ending.homeS = nowS();
      yield { kind: 'stand', untilS: Infinity, ignition: role === 'idling' };
    })(),
    at: nodeOf(town.graph, home).point,
    random: seededRandom(partSeed(seed, `${profile.terminal_id} receiver`)),
    movingIntervalS: random.pick([1, 1, 2, 2, 3, 5]),
    startTime: START,
    beginS,
  });
  nowS = () => run.nowS();
  const fixes: Fix[] = [];
  if (isSilent) fixes.push(...run.until(0));
  else while (ending.homeS === null) fixes.push(...run.until(nowS() + 1));
  if (ending.homeS !== null) fixes.push(...run.until(ending.homeS + 60));
  const [first, last] = [fixes[0], fixes.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError(`${profile.name} sent no fix`);
  return {
    profile,
    group,
    start_ms: first.time.getTime(),
    period_ms: isSilent ? null : last.time.getTime() + RESTING_MS - first.time.getTime(),
    fixes: encode(fixes, first.time.getTime()),
  };
}

function encode(fixes: readonly Fix[], startMs: number): number[] {
  const before = new Map<string, number>();
  return fixes.flatMap((fix) => {
    const values = { ...fix, timeS: (fix.time.getTime() - startMs) / 1000 };
    return Object.entries(FIX_SCALES).map(([name, scale]) => {
      const value = Math.round(Number(values[name as keyof typeof FIX_SCALES]) * scale);
      const change = value - (before.get(name) ?? 0);
      before.set(name, value);
      return change;
    });
  });
}

/** Trucks and buses are gentle, cars and vans brisk; none exceeds a limit of 60 by the 3 km/h that are tolerated. */
function driverStyle(type: RosterEntry['profile']['type'], random: SeededRandom): DriverStyle {
  const isHeavy = type === 'truck' || type === 'bus';
  return {
    limitShare: random.between(0.9, 1.02),
    accelerationMs2: isHeavy ? random.between(0.8, 1.1) : random.between(1.3, 1.9),
    brakingMs2: isHeavy ? random.between(1.1, 1.4) : random.between(1.6, 2.2),
  };
}
