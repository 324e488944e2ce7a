import type { TripFix, TripNumbers } from '../../../server/telemetry/tripDetector.ts';

// A second opinion on trips that shares nothing with the detector: it has the whole track at hand, works out for every
// fix how long the vehicle stays about it and whether it stands there, and then reads the trips off these two lists.

export interface NaiveChange {
  kind: 'started' | 'stopped';
  time_ms: number;
  known_ms: number;
}

function metres(a: TripFix, b: TripFix): number {
  const rad = Math.PI / 180;
  const cosine =
    Math.sin(a.lat * rad) * Math.sin(b.lat * rad) +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos((a.lon - b.lon) * rad);
  // The law of cosines is blind below a metre, which no number here asks for.
  return 6_371_008.8 * Math.acos(Math.min(1, cosine));
}

/** For tracks that say nothing of the ignition. */
export function naiveTrips(track: readonly TripFix[], numbers: TripNumbers): NaiveChange[] {
  const at = (index: number) => track[index] as TripFix;
  const gapAfter = track.map(
    (fix, index) =>
      index + 1 < track.length && at(index + 1).time_ms - fix.time_ms > numbers.trip_gap_s * 1_000,
  );
  const speeds = track.map((fix, index) => {
    if (fix.speed_kmh !== null || index === 0) return fix.speed_kmh;
    return (metres(at(index - 1), fix) / (fix.time_ms - at(index - 1).time_ms)) * 3_600;
  });
  const isStill = speeds.map((speed) => speed !== null && (speed === 0 || speed < numbers.trip_speed_kmh));
  const said = track.map(
    ({ speed_kmh }) => speed_kmh !== null && speed_kmh > 0 && speed_kmh >= numbers.trip_speed_kmh,
  );
  // Pass one: up to which fix it stays about each.
  const staysUntil = track.map((fix, index) => {
    let last = index;
    while (last + 1 < track.length && !gapAfter[last] && metres(fix, at(last + 1)) < numbers.trip_radius_m)
      last++;
    return last;
  });

  // Pass two: where it rests, and where it leaves.
  const changes: NaiveChange[] = [];
  const emit = (kind: NaiveChange['kind'], on: number, known: number) =>
    changes.push({ kind, time_ms: at(on).time_ms, known_ms: at(known).time_ms });
  let index = 0;
  let isMoving = said[0] === true;
  let stand = 0;
  while (index < track.length) {
    if (isMoving) {
      const [begin, end] = [index, endOfDrive(index)];
      if (end === null) return changes;
      if (end.isGap) {
        emit('stopped', end.known, end.known + 1);
        index = end.known + 1;
        isMoving = said[index] === true;
        if (isMoving) emit('started', index, index);
        stand = index;
        continue;
      }
      const alive = range(begin, end.known).filter((it) => (staysUntil[it] ?? 0) >= end.known);
      const rest = alive.find((it) => isStill[it] === true) ?? alive[0] ?? end.known;
      emit('stopped', rest, end.known);
      [isMoving, stand, index] = [false, end.known, end.known];
      continue;
    }
    let last = stand;
    let lastStood = index;
    let next = index + 1;
    for (; next < track.length; next++) {
      if (gapAfter[next - 1] === true) break;
      last = next;
      if (metres(at(stand), at(next)) >= numbers.trip_radius_m) break;
      if (isStill[next] === true) lastStood = next;
    }
    if (next >= track.length) return changes;
    if (gapAfter[next - 1] === true) {
      isMoving = said[next] === true;
      if (isMoving) emit('started', next, next);
      if (isMoving || metres(at(stand), at(next)) >= numbers.trip_radius_m) stand = next;
      index = next;
      continue;
    }
    emit('started', lastStood, last);
    [isMoving, index] = [true, next];
  }
  return changes;

  /** The first fix by which it has stayed long enough about one since `begin`; or the last before a gap. */
  function endOfDrive(begin: number): { known: number; isGap: boolean } | null {
    for (let known = begin; known < track.length; known++) {
      for (let from = begin; from <= known; from++) {
        const stayed_s = (at(known).time_ms - at(from).time_ms) / 1_000;
        if (stayed_s < numbers.trip_stop_s) break;
        if ((staysUntil[from] ?? 0) >= known) return { known, isGap: false };
      }
      if (gapAfter[known] === true) return { known, isGap: true };
    }
    return null;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
