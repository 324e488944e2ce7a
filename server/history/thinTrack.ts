import { lonDifference, metresOfDegree } from '../geofences/geodesy.ts';
import type { DriveFix } from '../store/telemetry/historyReader.ts';

/** A fix of a track that is drawn. */
export interface TrackFix extends Omit<DriveFix, 'valid'> {
  /** Nothing came between the one before and it, for longer than a trip may be silent. */
  isAfterGap: boolean;
}

export interface ThinTrackOptions {
  /** How far the track may be from where the vehicle was at any moment, metres; 0: every fix is kept. */
  tolerance_m: number;
  /** From when on a silence is a gap. */
  gap_ms: number;
}

/** Speeds may be so far from what they were; stops and the fastest fix are exact. */
const tolerance_kmh = 5;
const standing_kmh = 1;
/** So many fixes are looked at together, so that a day of every second takes no longer for each than any other. */
const maxStretch = 512;

/**
 * The fixes of a track that keep its look in space and time: a vehicle that goes evenly from one to the next is never
 * further than the tolerance from where it was. Kept are also both sides of gaps, where it stopped, went on or changed
 * its ignition, and the fastest fix. Takes fixes in order of time and holds at most 512 of them.
 */
export function* thinTrack<Fix extends DriveFix>(
  fixes: Iterable<Fix>,
  { tolerance_m, gap_ms }: ThinTrackOptions,
): Generator<Fix & TrackFix> {
  let stretch: (Fix & TrackFix)[] = [];
  let before: Fix | null = null;
  for (const fix of fixes) {
    if (!fix.valid) continue;
    const isAfterGap = before !== null && fix.time_ms - before.time_ms > gap_ms;
    const next = { ...fix, isAfterGap };
    if (tolerance_m === 0) {
      yield next;
    } else if (before === null) {
      yield next;
      stretch = [next];
    } else {
      if (isAfterGap || turns(before, fix) || stretch.length >= maxStretch) {
        // Both ends of a stretch are kept; its last one begins the next.
        yield* inner(stretch, tolerance_m);
        const last = stretch.at(-1);
        if (last !== undefined && stretch.length > 1) yield last;
        if (isAfterGap || turns(before, fix)) {
          yield next;
          stretch = [next];
        } else {
          stretch = last === undefined ? [next] : [last, next];
        }
      } else {
        stretch.push(next);
      }
    }
    before = fix;
  }
  if (tolerance_m === 0) return;
  yield* inner(stretch, tolerance_m);
  const last = stretch.at(-1);
  if (last !== undefined && stretch.length > 1) yield last;
}

/** Whether it stopped, went on, or changed what is known of its ignition. */
function turns(before: DriveFix, fix: DriveFix): boolean {
  return isStanding(before) !== isStanding(fix) || before.ignition !== fix.ignition;
}

const isStanding = ({ speed_kmh }: DriveFix) => (speed_kmh ?? 0) <= standing_kmh;

/** What is kept between the first and the last of a stretch (Douglas and Peucker, by place at the same moment). */
function* inner<Fix extends DriveFix>(stretch: readonly Fix[], tolerance_m: number): Generator<Fix> {
  const kept = new Uint8Array(stretch.length);
  const spans: [from: number, to: number][] = [[0, stretch.length - 1]];
  let fastest = 0;
  stretch.forEach(({ speed_kmh }, at) => {
    if ((speed_kmh ?? 0) > (stretch[fastest]?.speed_kmh ?? 0)) fastest = at;
  });
  kept[fastest] = 1;
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const [a, b] = [stretch[from], stretch[to]];
    if (a === undefined || b === undefined) continue;
    let [worst, most] = [-1, 1];
    for (let at = from + 1; at < to; at++) {
      const fix = stretch[at];
      if (fix === undefined) continue;
      const off = offBy(a, b, fix, tolerance_m);
      if (off > most) [worst, most] = [at, off];
    }
    if (worst < 0) continue;
    kept[worst] = 1;
    spans.push([from, worst], [worst, to]);
  }
  for (let at = 1; at < stretch.length - 1; at++) {
    const fix = stretch[at];
    if (kept[at] === 1 && fix !== undefined) yield fix;
  }
}

/** By how many tolerances a fix is off what goes evenly from `a` to `b`: of the place or of the speed, the larger. */
function offBy(a: DriveFix, b: DriveFix, fix: DriveFix, tolerance_m: number): number {
  const share = (fix.time_ms - a.time_ms) / Math.max(1, b.time_ms - a.time_ms);
  const north = fix.lat - (a.lat + (b.lat - a.lat) * share);
  const east = lonDifference(fix.lon, a.lon) - lonDifference(b.lon, a.lon) * share;
  const metres = Math.hypot(north, east * Math.cos((fix.lat * Math.PI) / 180)) * metresOfDegree;
  const [from, to] = [a.speed_kmh ?? 0, b.speed_kmh ?? 0];
  const kmh = Math.abs((fix.speed_kmh ?? 0) - (from + (to - from) * share));
  return Math.max(metres / tolerance_m, kmh / tolerance_kmh);
}
