import { distanceM } from '../geofences/geodesy.ts';
import { advanceTrip, type TripNumbers, type TripState } from '../telemetry/tripDetector.ts';
import type { TimelineEntry, TrackSegment, LegNumbers } from './trackSegments.ts';

/** The thresholds of trips, stops and idling. */
type TimelineNumbers = TripNumbers & LegNumbers & { trip_min_m: number };

/** A segment of which it is decided whether the vehicle drove or stood. */
export type TimelineSegment = TrackSegment;

/**
 * Decides for each segment whether the vehicle drove or stood, with the detector that also runs live. The detector
 * restarts after each gap, so that a period's timeline does not depend on what lies before the gap that comes before
 * it.
 *
 * A gap belongs to the stop around it when the vehicle is within `trip_radius_m` of where it was; what drives less than
 * `trip_min_m` is no trip and belongs to the standing around it. Hands on a leg as soon as it is decided: at the end of
 * a possible stop, or after the first `trip_min_m` of a trip.
 *
 * @param now_ms what drives at its last position has ended when that is `trip_gap_s` ago
 */
export function* timelineOf(
  legs: Iterable<TrackSegment>,
  numbers: TimelineNumbers,
  now_ms: number,
): Generator<TimelineSegment> {
  /** Decided, and not handed on yet. */
  const decided: TimelineSegment[] = [];
  const labels = createLabels(numbers.trip_min_m, decided);
  let state: TripState | null = null;
  let undecided: TrackSegment[] = [];
  let last_ms = 0;

  /** All that is undecided up to a moment. */
  function release(until_ms: number, isMoving: boolean): void {
    let count = 0;
    for (const leg of undecided) {
      if (leg.to.time_ms > until_ms) break;
      if (isMoving) labels.drove(leg);
      else labels.stood(leg);
      count += 1;
    }
    if (count === undecided.length) undecided.length = 0;
    else if (count > 0) undecided = undecided.slice(count);
  }

  for (const leg of legs) {
    last_ms = leg.to.time_ms;
    state ??= advanceTrip(null, leg.from, numbers).state;
    if (leg.isGap) {
      release(Infinity, state.moving);
      labels.endTrip();
      labels.gap(leg, distanceM(leg.from, leg.to) < numbers.trip_radius_m);
      state = advanceTrip(null, leg.to, numbers).state;
    } else {
      undecided.push(leg);
      const next = advanceTrip(state, leg.to, numbers);
      for (const { kind, at } of next.changes) {
        release(at.time_ms, kind === 'stopped');
        if (kind === 'stopped') labels.endTrip();
      }
      state = next.state;
      release(certainUntil(state), state.moving);
    }
    for (const each of decided) yield each;
    decided.length = 0;
  }
  if (state === null) return;
  release(Infinity, state.moving);
  if (!state.moving || now_ms - last_ms > numbers.trip_gap_s * 1_000) labels.endTrip();
  labels.endData();
  yield* decided;
}

/** No change that is still to come can lie before this. */
function certainUntil(state: TripState): number {
  if (!state.moving) return state.stood.time_ms;
  return Math.min(state.rests[0]?.fix.time_ms ?? Infinity, state.off?.time_ms ?? Infinity);
}

/** Turns decided legs into trips and stops; holds back a trip until it is long enough to be one. */
function createLabels(trip_min_m: number, decided: TimelineSegment[]) {
  let trip: TimelineEntry | null = null;
  let stop: TimelineEntry | null = null;
  const buffered: TrackSegment[] = [];
  let held_m = 0;
  let isFirst = true;

  function mark(kind: TimelineEntry['kind']): TimelineEntry {
    const made = { kind, beginsWithData: isFirst, endsWithData: false };
    isFirst = false;
    return made;
  }

  function handOn(leg: TrackSegment, into: TimelineEntry | null): void {
    leg.mark = into;
    decided.push(leg);
  }

  /** Puts what was held into the trip that it has become, or into the stop that it was. */
  function handOnHeld(into: TimelineEntry): void {
    for (const leg of buffered) handOn(leg, into);
    [buffered.length, held_m] = [0, 0];
  }

  function endTrip(): void {
    if (buffered.length > 0) handOnHeld((stop ??= mark('stop')));
    trip = null;
  }

  return {
    endTrip,

    drove(leg: TrackSegment): void {
      if (trip !== null) {
        handOn(leg, trip);
        return;
      }
      buffered.push(leg);
      held_m += leg.track_m;
      if (held_m < trip_min_m) return;
      stop = null;
      handOnHeld((trip = mark('trip')));
    },

    stood(leg: TrackSegment): void {
      handOn(leg, (stop ??= mark('stop')));
    },

    gap(leg: TrackSegment, stays: boolean): void {
      if (stays) {
        handOn(leg, (stop ??= mark('stop')));
        return;
      }
      if (stop !== null) stop.endsWithData = true;
      stop = null;
      isFirst = true;
      handOn(leg, null);
    },

    endData(): void {
      // Too short to be a trip yet.
      if (trip === null) endTrip();
      for (const open of [trip, stop]) if (open !== null) open.endsWithData = true;
    },
  };
}
