import { distanceM } from '../geofences/geodesy.ts';
import { advanceTrip, type TripNumbers, type TripState } from '../telemetry/tripDetector.ts';
import type { TrackSegment, LegNumbers } from './trackSegments.ts';

/** The thresholds of trips, stops and idling. */
type TimelineNumbers = TripNumbers & LegNumbers & { trip_min_m: number };

/** One trip or one stop: the same object on all its legs. What is known of its end is known when the next leg comes. */
export interface TimelineEntry {
  kind: 'trip' | 'stop';
  /** Nobody saw how it began: the data begins in it, or the vehicle went somewhere else in a gap before. */
  beginsWithData: boolean;
  endsWithData: boolean;
}

export interface TimelineSegment extends TrackSegment {
  /** Null for a gap in which the vehicle went somewhere else: neither driving nor standing is known of. */
  mark: TimelineEntry | null;
}

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
  const labels = createLabels(numbers.trip_min_m);
  let state: TripState | null = null;
  let undecided: TrackSegment[] = [];
  let last_ms = 0;

  /** All that is undecided up to a moment. */
  function* release(until_ms: number, isMoving: boolean): Generator<TimelineSegment> {
    const count = undecided.findIndex((leg) => leg.to.time_ms > until_ms);
    const decided = count < 0 ? undecided : undecided.slice(0, count);
    if (decided.length === 0) return;
    undecided = count < 0 ? [] : undecided.slice(count);
    for (const leg of decided) yield* isMoving ? labels.drove(leg) : labels.stood(leg);
  }

  for (const leg of legs) {
    last_ms = leg.to.time_ms;
    state ??= advanceTrip(null, leg.from, numbers).state;
    if (leg.isGap) {
      yield* release(Infinity, state.moving);
      yield* labels.endTrip();
      yield labels.gap(leg, distanceM(leg.from, leg.to) < numbers.trip_radius_m);
      state = advanceTrip(null, leg.to, numbers).state;
      continue;
    }
    undecided.push(leg);
    const next = advanceTrip(state, leg.to, numbers);
    for (const { kind, at } of next.changes) {
      yield* release(at.time_ms, kind === 'stopped');
      if (kind === 'stopped') yield* labels.endTrip();
    }
    state = next.state;
    yield* release(certainUntil(state), state.moving);
  }
  if (state === null) return;
  yield* release(Infinity, state.moving);
  if (!state.moving || now_ms - last_ms > numbers.trip_gap_s * 1_000) yield* labels.endTrip();
  yield* labels.endData();
}

/** No change that is still to come can lie before this. */
function certainUntil(state: TripState): number {
  if (!state.moving) return state.stood.time_ms;
  return Math.min(state.rests[0]?.fix.time_ms ?? Infinity, state.off?.time_ms ?? Infinity);
}

/** Turns decided legs into trips and stops; holds back a trip until it is long enough to be one. */
function createLabels(trip_min_m: number) {
  let trip: TimelineEntry | null = null;
  let stop: TimelineEntry | null = null;
  let buffered: TrackSegment[] = [];
  let held_m = 0;
  let isFirst = true;

  function mark(kind: TimelineEntry['kind']): TimelineEntry {
    const made = { kind, beginsWithData: isFirst, endsWithData: false };
    isFirst = false;
    return made;
  }

  /** Puts what was held into the trip that it has become, or into the stop that it was. */
  function handOn(into: TimelineEntry): TimelineSegment[] {
    const legs = buffered.map((leg) => ({ ...leg, mark: into }));
    [buffered, held_m] = [[], 0];
    return legs;
  }

  function* endTrip(): Generator<TimelineSegment> {
    if (buffered.length > 0) yield* handOn((stop ??= mark('stop')));
    trip = null;
  }

  return {
    endTrip,

    *drove(leg: TrackSegment): Generator<TimelineSegment> {
      buffered.push(leg);
      held_m += leg.track_m;
      if (trip === null && held_m < trip_min_m) return;
      stop = null;
      yield* handOn((trip ??= mark('trip')));
    },

    *stood(leg: TrackSegment): Generator<TimelineSegment> {
      yield { ...leg, mark: (stop ??= mark('stop')) };
    },

    gap(leg: TrackSegment, stays: boolean): TimelineSegment {
      if (stays) return { ...leg, mark: (stop ??= mark('stop')) };
      if (stop !== null) stop.endsWithData = true;
      stop = null;
      isFirst = true;
      return { ...leg, mark: null };
    },

    *endData(): Generator<TimelineSegment> {
      // Too short to be a trip yet.
      if (trip === null) yield* endTrip();
      for (const open of [trip, stop]) if (open !== null) open.endsWithData = true;
    },
  };
}
