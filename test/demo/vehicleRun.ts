import {
  advance,
  isAtEnd,
  placeOf,
  startOfDrive,
  TICK_S,
  type Drive,
  type DriveState,
  type DriveStop,
} from './drive.ts';
import type { Fix } from '../../server/commands/demo/demoFleet.ts';
import type { Activity, Itinerary } from './itineraries.ts';
import type { PlanePoint } from './planeGeometry.ts';
import type { SeededRandom } from './seededRandom.ts';
import { toLatLon } from './townProjection.ts';

interface VehicleRunOptions {
  terminalId: string;
  itinerary: Itinerary;
  /** Where the vehicle stands at first. */
  at: PlanePoint;
  random: SeededRandom;
  /** Seconds between fixes under way. */
  movingIntervalS: number;
  startTime: Date;
  /** Seconds from the fleet's start, negative: when the run begins. */
  beginS: number;
}

export interface VehicleRun {
  nowS(): number;
  /** The fixes up to that moment, which must not lie before the last one asked for. */
  until(untilS: number): Fix[];
}

const STANDING_INTERVAL_S = 30;
/** Between starting the engine and rolling. */
export const PULLING_OUT_S = 2;
/** Drivers keep right. */
const LANE_OFFSET_M = 2.5;
const GPS_DRIFT_M = 1.1;
const GPS_WORST_M = 4;

type Doing =
  | { kind: 'stand'; untilS: number; ignition: boolean }
  | { kind: 'silent'; untilS: number }
  | { kind: 'pull out'; untilS: number; drive: Drive }
  | { kind: 'drive'; drive: Drive; state: DriveState }
  | { kind: 'wait'; drive: Drive; state: DriveState; stop: DriveStop; sinceS: number; sosSent: boolean };

/** One vehicle driven along its itinerary, tick by tick: however it is asked, the same fixes come out. */
export function startRun(options: VehicleRunOptions): VehicleRun {
  const { random, itinerary, startTime, movingIntervalS } = options;
  // Terminals are switched on at any moment, so their seconds do not coincide.
  const phaseS = Math.round(random.next() * 249) / 1000;
  let ticks = 0;
  let doing: Doing = { kind: 'stand', untilS: options.beginS, ignition: false };
  let point = options.at;
  let courseDeg = random.integer(0, 359);
  let speedMs = 0;
  let odometerM = random.integer(18_000, 240_000) * 1000;
  let batteryPct = random.integer(88, 99);
  let lastFixS = -Infinity;
  let nextFixS = options.beginS + random.between(0, 5);
  const drift = { x: 0, y: 0 };

  const nowS = (): number => options.beginS + phaseS + ticks * TICK_S;

  const soon = (): void => {
    nextFixS = Math.min(nextFixS, Math.max(nowS(), lastFixS + 1));
  };

  function begin(activity: Activity): Doing {
    soon();
    if (activity.kind !== 'drive') return activity;
    courseDeg = placeOf(activity.drive, startOfDrive()).courseDeg;
    return { kind: 'pull out', untilS: nowS() + PULLING_OUT_S, drive: activity.drive };
  }

  /** Answers whether the emergency button is pressed in this tick. */
  function tick(): boolean {
    let isPressed = false;
    switch (doing.kind) {
      case 'stand':
      case 'silent':
        if (nowS() >= doing.untilS) {
          const next = itinerary.next();
          if (next.done !== true) doing = begin(next.value);
        }
        break;
      case 'pull out':
        if (nowS() >= doing.untilS) doing = { kind: 'drive', drive: doing.drive, state: startOfDrive() };
        break;
      case 'wait':
        if (!doing.sosSent && nowS() >= doing.sinceS + (doing.stop.sosAfterS ?? Infinity)) {
          doing.sosSent = true;
          isPressed = true;
        }
        if (nowS() >= doing.sinceS + doing.stop.waitS) {
          doing = { kind: 'drive', drive: doing.drive, state: doing.state };
        }
        break;
      case 'drive':
        roll(doing.drive, doing.state);
        break;
    }
    return isPressed;
  }

  function roll(drive: Drive, state: DriveState): void {
    const beforeM = state.m;
    const stop = advance(drive, state);
    odometerM += state.m - beforeM;
    speedMs = state.speedMs;
    ({ point, courseDeg } = placeOf(drive, state));
    if (stop === null) return;
    soon();
    doing = isAtEnd(drive, state)
      ? { kind: 'stand', untilS: nowS(), ignition: true }
      : { kind: 'wait', drive, state, stop, sinceS: nowS(), sosSent: false };
  }

  function takeFix(sos: boolean): Fix {
    const isMoving = speedMs > 0.1;
    const ignition = doing.kind === 'stand' ? doing.ignition : doing.kind !== 'silent';
    // A standing receiver wanders less than a moving one.
    const wander = isMoving ? GPS_DRIFT_M : GPS_DRIFT_M / 4;
    drift.x = drifted(drift.x, wander);
    drift.y = drifted(drift.y, wander);
    batteryPct = ignition ? Math.min(100, batteryPct + 0.05) : Math.max(40, batteryPct - 0.002);
    const right = ((courseDeg + 90) * Math.PI) / 180;
    const { lat, lon } = toLatLon({
      x: point.x + Math.sin(right) * LANE_OFFSET_M + drift.x,
      y: point.y + Math.cos(right) * LANE_OFFSET_M + drift.y,
    });
    lastFixS = nowS();
    nextFixS = lastFixS + (isMoving ? movingIntervalS : STANDING_INTERVAL_S);
    return {
      terminalId: options.terminalId,
      time: new Date(startTime.getTime() + Math.round(lastFixS * 1000)),
      lat,
      lon,
      altitudeM: Math.round(altitudeAt(point) * 10) / 10,
      speedKmh: isMoving ? Math.round(Math.max(0, speedMs * 3.6 + random.between(-0.4, 0.4)) * 10) / 10 : 0,
      courseDeg:
        (Math.round((courseDeg + (isMoving ? random.between(-0.6, 0.6) : 0) + 360) * 10) % 3600) / 10,
      accuracyM: Math.round((2.5 + Math.hypot(drift.x, drift.y)) * 10) / 10,
      ignition,
      batteryPct: Math.round(batteryPct),
      odometerM: Math.round(odometerM),
      sos,
    };
  }

  function drifted(offset: number, wander: number): number {
    return Math.max(-GPS_WORST_M, Math.min(GPS_WORST_M, 0.85 * offset + random.between(-wander, wander)));
  }

  return {
    nowS,
    until(untilS) {
      const fixes: Fix[] = [];
      while (nowS() + TICK_S <= untilS) {
        ticks += 1;
        const isPressed = tick();
        if (doing.kind === 'silent') continue;
        // Once rolling, the sparse rhythm of standing is over.
        if (speedMs > 0.1) nextFixS = Math.min(nextFixS, lastFixS + movingIntervalS);
        if (isPressed || nowS() >= nextFixS) fixes.push(takeFix(isPressed));
      }
      return fixes;
    },
  };
}

/** A river valley in gentle hills. */
function altitudeAt({ x, y }: PlanePoint): number {
  return 141 + 9 * Math.sin(x / 1400 + 0.6) * Math.cos(y / 1100) + 5 * Math.cos((x - y) / 900);
}
