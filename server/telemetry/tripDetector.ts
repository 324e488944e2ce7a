import type { SettingsFields } from '../contract/settings.ts';
import { distanceM, type LatLon } from '../geofences/geodesy.ts';

/** A fix as the detector needs it; speed in km/h. `ignition` null: the message did not say, the last known holds. */
export interface TripFix extends LatLon {
  time_ms: number;
  speed_kmh: number | null;
  ignition: boolean | null;
}

export type TripNumbers = Pick<
  SettingsFields,
  'trip_radius_m' | 'trip_speed_kmh' | 'trip_stop_s' | 'trip_ignition_off_s' | 'trip_gap_s'
>;

export interface TripChange {
  kind: 'started' | 'stopped';
  /** Started: the last fix at the place where it stood. Stopped: the first fix of its standing. */
  at: TripFix;
  /** The fix that made it known; not earlier than `at`. */
  known: TripFix;
  /** What decided: `distance` in metres, `speed` in km/h, `standing`, `ignition` and `gap` in seconds. */
  by: 'distance' | 'speed' | 'standing' | 'ignition' | 'gap';
  measured: number;
  /** How long it had stood, or driven, until `at`; null when its beginning was not seen. */
  lasted_ms: number | null;
}

interface Known {
  /** When the trip or the standing began; null: before it was first seen. */
  since_ms: number | null;
  /** The newest fix. */
  last: TripFix;
  ignition: boolean | null;
}

interface Standing extends Known {
  moving: false;
  /** From here the distance counts. */
  place: LatLon;
  /** The last fix at which it stood. */
  stood: TripFix;
}

/** A fix at which it may have come to rest: all since then lie within the radius of it. */
interface Rest {
  fix: TripFix;
  /** Slower than `trip_speed_kmh`. */
  isStill: boolean;
}

interface Moving extends Known {
  moving: true;
  wasStill: boolean;
  /** In order of time. */
  rests: readonly Rest[];
  /** The first fix within the radius with the ignition off. */
  off: TripFix | null;
}

const none: readonly TripChange[] = [];

/** What is remembered of a vehicle's driving between two fixes; plain data of a few hundred bytes as JSON. */
export type TripState = Standing | Moving;

/**
 * Of fixes that come faster than so many in `trip_stop_s` some are left out as places of rest, to keep the state small.
 */
const restsPerStop = 36;
/** With those at which it halted in stop-and-go traffic; then the newest stands for all that follow. */
const maxRests = 2 * restsPerStop;

/**
 * Moves a vehicle's driving by one fix, later than all before; one that is not changes nothing. Pure; the same for what
 * happens now and for stored tracks.
 *
 * It starts `trip_radius_m` from where it stood, or with the ignition on at `trip_speed_kmh`; it stops after
 * `trip_stop_s` within `trip_radius_m`, after `trip_ignition_off_s` there with the ignition off, or at the last fix
 * before more than `trip_gap_s` without any. What it did before its first fix nobody knows: that raises nothing.
 */
export function advanceTrip(
  state: TripState | null,
  given: TripFix,
  numbers: TripNumbers,
): { state: TripState; changes: readonly TripChange[] } {
  const { time_ms, lat, lon, speed_kmh, ignition } = given;
  const fix: TripFix = { time_ms, lat, lon, speed_kmh, ignition };
  if (state === null) return { state: begun(fix, numbers, null), changes: none };
  const gapMs = time_ms - state.last.time_ms;
  if (gapMs <= 0) return { state, changes: none };
  if (gapMs > numbers.trip_gap_s * 1_000) return afterGap(state, fix, gapMs, numbers);
  return state.moving ? drive(state, fix, numbers) : stand(state, fix, numbers);
}

/** With a single fix only its speed shows whether the vehicle moves. */
function begun(fix: TripFix, numbers: TripNumbers, since_ms: number | null): TripState {
  const { speed_kmh, ignition } = fix;
  const known = { since_ms, last: fix, ignition };
  if (speed_kmh === null || !isFast(speed_kmh, numbers) || ignition === false)
    return { ...known, moving: false, place: { lat: fix.lat, lon: fix.lon }, stood: fix };
  return { ...known, moving: true, wasStill: false, rests: [{ fix, isStill: false }], off: null };
}

/** Whoever stood and is still there stands on; who stands elsewhere got there unseen, and stands since this fix. */
function afterGap(state: TripState, fix: TripFix, gapMs: number, numbers: TripNumbers) {
  const changes: TripChange[] = [];
  if (state.moving) changes.push(stopped(state, state.last, fix, 'gap', gapMs / 1_000));
  const next = begun(fix, numbers, fix.time_ms);
  if (next.moving) {
    const since_ms = state.moving ? state.last.time_ms : state.since_ms;
    const lasted_ms = since_ms === null ? null : fix.time_ms - since_ms;
    const measured = fix.speed_kmh ?? 0;
    changes.push({ kind: 'started', at: fix, known: fix, by: 'speed', measured, lasted_ms });
  } else if (state.moving) {
    next.since_ms = state.last.time_ms;
  } else if (distanceM(state.place, fix) < numbers.trip_radius_m) {
    next.since_ms = state.since_ms;
    next.place = state.place;
  }
  return { state: next, changes };
}

function stand(before: Standing, fix: TripFix, numbers: TripNumbers) {
  const ignition = fix.ignition ?? before.ignition;
  const away_m = distanceM(before.place, fix);
  const isAway = away_m >= numbers.trip_radius_m;
  const { speed_kmh } = fix;
  if (isAway || (ignition === true && speed_kmh !== null && isFast(speed_kmh, numbers))) {
    const at = before.stood;
    const isStill = !isFast(speedAt(before.last, fix), numbers);
    const change: TripChange = {
      kind: 'started',
      at,
      known: fix,
      by: isAway ? 'distance' : 'speed',
      measured: isAway ? away_m : (speed_kmh ?? 0),
      lasted_ms: before.since_ms === null ? null : at.time_ms - before.since_ms,
    };
    const state: TripState = {
      moving: true,
      since_ms: at.time_ms,
      last: fix,
      ignition,
      wasStill: isStill,
      rests: [{ fix, isStill }],
      off: ignition === false ? fix : null,
    };
    return { state, changes: [change] };
  }
  const stood = isFast(speedAt(before.last, fix), numbers) ? before.stood : fix;
  const { since_ms, place } = before;
  const state: TripState = { moving: false, since_ms, last: fix, ignition, place, stood };
  return { state, changes: none };
}

function drive(before: Moving, fix: TripFix, numbers: TripNumbers) {
  const ignition = fix.ignition ?? before.ignition;
  const isHere = (then: TripFix) => distanceM(then, fix) < numbers.trip_radius_m;
  const isStill = !isFast(speedAt(before.last, fix), numbers);
  const isRest = ({ fix: then }: Rest) => isHere(then);
  let rests = before.rests.every(isRest) ? before.rests : before.rests.filter(isRest);
  const begins = isStill && (!before.wasStill || !rests.some((rest) => rest.isStill));
  const pauseMs = fix.time_ms - (rests.at(-1)?.fix.time_ms ?? Number.NEGATIVE_INFINITY);
  if (begins || pauseMs >= (numbers.trip_stop_s * 1_000) / restsPerStop)
    rests = [...rests.slice(0, maxRests - 1), { fix, isStill }];
  const wasOff = before.off !== null && isHere(before.off) ? before.off : null;

  const change = halt(before, rests, wasOff ?? (ignition === false ? fix : null), fix, numbers);
  if (change !== null) {
    const { lat, lon } = fix;
    const since_ms = change.at.time_ms;
    const state: TripState = {
      moving: false,
      since_ms,
      last: fix,
      ignition,
      place: { lat, lon },
      stood: fix,
    };
    return { state, changes: [change] };
  }
  const off = ignition === false ? (wasOff ?? fix) : null;
  const { since_ms } = before;
  const state: TripState = { moving: true, since_ms, last: fix, ignition, wasStill: isStill, rests, off };
  return { state, changes: none };
}

function halt(
  before: Moving,
  rests: readonly Rest[],
  off: TripFix | null,
  fix: TripFix,
  { trip_stop_s, trip_ignition_off_s }: TripNumbers,
): TripChange | null {
  const still = rests.find((rest) => rest.isStill)?.fix;
  const offForS = off === null ? -1 : (fix.time_ms - off.time_ms) / 1_000;
  if (off !== null && offForS >= trip_ignition_off_s) {
    const at = still !== undefined && still.time_ms < off.time_ms ? still : off;
    return stopped(before, at, fix, 'ignition', offForS);
  }
  const oldest = rests[0];
  if (oldest === undefined) return null;
  const stoodForS = (fix.time_ms - oldest.fix.time_ms) / 1_000;
  if (stoodForS < trip_stop_s) return null;
  return stopped(before, still ?? oldest.fix, fix, 'standing', stoodForS);
}

function stopped(
  before: Moving,
  at: TripFix,
  known: TripFix,
  by: TripChange['by'],
  measured: number,
): TripChange {
  const lasted_ms = before.since_ms === null ? null : at.time_ms - before.since_ms;
  return { kind: 'stopped', at, known, by, measured, lasted_ms };
}

function isFast(speed_kmh: number, { trip_speed_kmh }: TripNumbers): boolean {
  return speed_kmh > 0 && speed_kmh >= trip_speed_kmh;
}

/** By the fix itself, else by the way since the one before; km/h. */
export function speedAt(before: LatLon & { time_ms: number }, fix: Omit<TripFix, 'ignition'>): number {
  return fix.speed_kmh ?? (distanceM(before, fix) / (fix.time_ms - before.time_ms)) * 3_600;
}
