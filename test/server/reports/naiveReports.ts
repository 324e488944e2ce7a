import { distanceM } from '../../../server/geofences/geodesy.ts';
import type { ReportThresholds } from '../../../server/reports/reportOrder.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { advanceTrip, type TripState } from '../../../server/telemetry/tripDetector.ts';

interface Interval {
  from_ms: number;
  to_ms: number;
}

/** What the reports must contain, found by looking at the whole track at once, again and again. */
export interface NaiveReports {
  trips: (Interval & {
    distance_m: number;
    positions: number;
    max_speed_kmh: number | null;
    idle_ms: number;
  })[];
  stops: (Interval & { gap_ms: number; ignition_ms: number; positions: number })[];
  /** Of the time between any two moments. */
  totals: (span: Interval) => { distance_m: number; driving_ms: number; stopped_ms: number; idle_ms: number };
}

const jump = (a: PositionRow, b: PositionRow) =>
  distanceM(a, b) > (400 / 3.6) * Math.max(1, (b.time_ms - a.time_ms) / 1_000);

function byOdometer(from: PositionRow, to: PositionRow): number | null {
  if (from.odometer_m === null || to.odometer_m === null) return null;
  const [way_m, s] = [to.odometer_m - from.odometer_m, Math.max(1, (to.time_ms - from.time_ms) / 1_000)];
  const isBelievable =
    way_m >= 0 && way_m <= 1_000 + (400 / 3.6) * s && (from.odometer_m > 0 || to.odometer_m > 0);
  return isBelievable ? way_m : null;
}

export function naiveReports(given: readonly PositionRow[], numbers: ReportThresholds): NaiveReports {
  const fixes = plausible(
    given
      .filter((row) => row.valid)
      .map((row) => ({ ...row, speed_kmh: (row.speed_kmh ?? 0) > 400 ? null : row.speed_kmh })),
  );
  const gapMs = numbers.trip_gap_s * 1_000;
  // The parts between the gaps, each a list of fixes.
  const parts: PositionRow[][] = [];
  for (const fix of fixes) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part === undefined || last === undefined || fix.time_ms - last.time_ms > gapMs) parts.push([fix]);
    else part.push(fix);
  }
  const tripsOfParts = parts.map((part) =>
    drives(part, numbers).filter((it) => way(part, it) >= numbers.trip_min_m),
  );
  const drivesAll = tripsOfParts.flat();
  const idles = parts.flatMap((part) => idling(part, numbers));

  // Whatever lies between two trips is one stop, unless the vehicle went somewhere else in a gap.
  const edges = parts.slice(1).map((part, at) => {
    const [before, after] = [parts[at]?.at(-1), part[0]];
    if (before === undefined || after === undefined) throw new Error('a part is empty');
    const stays = distanceM(before, after) < numbers.trip_radius_m;
    return { from_ms: before.time_ms, to_ms: after.time_ms, stays };
  });
  const whole = { from_ms: fixes[0]?.time_ms ?? 0, to_ms: fixes.at(-1)?.time_ms ?? 0 };
  const lost = edges.filter((it) => !it.stays);
  const breaks = [...drivesAll, ...lost].sort((a, b) => a.from_ms - b.from_ms);
  const stops: Interval[] = [];
  let from_ms = whole.from_ms;
  for (const each of [...breaks, { from_ms: whole.to_ms, to_ms: whole.to_ms }]) {
    if (each.from_ms > from_ms) stops.push({ from_ms, to_ms: each.from_ms });
    from_ms = each.to_ms;
  }

  const within = (span: Interval) =>
    fixes.filter((it) => it.time_ms >= span.from_ms && it.time_ms <= span.to_ms);
  const overlap = (a: Interval, b: Interval) =>
    Math.max(0, Math.min(a.to_ms, b.to_ms) - Math.max(a.from_ms, b.from_ms));
  const sumOf = (list: readonly Interval[], span: Interval) =>
    list.reduce((sum, it) => sum + overlap(it, span), 0);
  const legs = fixes.slice(1).map((to, at) => ({ from: fixes[at] ?? to, to }));

  function distanceIn(span: Interval): number {
    return legs
      .filter(({ from, to }) => drivesAll.some((it) => it.from_ms <= from.time_ms && it.to_ms >= to.time_ms))
      .reduce((sum, { from, to }) => {
        const share =
          overlap({ from_ms: from.time_ms, to_ms: to.time_ms }, span) / (to.time_ms - from.time_ms);
        return sum + share * (byOdometer(from, to) ?? (jump(from, to) ? 0 : distanceM(from, to)));
      }, 0);
  }

  return {
    trips: drivesAll.map((it) => {
      const speeds = within(it).flatMap((fix) => fix.speed_kmh ?? []);
      return {
        ...it,
        distance_m: distanceIn(it),
        positions: within(it).length,
        max_speed_kmh: speeds.length === 0 ? null : Math.max(...speeds),
        idle_ms: sumOf(idles, it),
      };
    }),
    stops: stops.map((it) => ({
      ...it,
      gap_ms: sumOf(edges, it),
      ignition_ms: parts.flatMap((part) => ignitionOn(part)).reduce((sum, on) => sum + overlap(on, it), 0),
      positions: within(it).length,
    })),
    totals: (span) => ({
      distance_m: distanceIn(span),
      driving_ms: sumOf(drivesAll, span),
      stopped_ms: stops.reduce((sum, it) => {
        const part = { from_ms: Math.max(it.from_ms, span.from_ms), to_ms: Math.min(it.to_ms, span.to_ms) };
        return sum + overlap(it, span) - (part.to_ms > part.from_ms ? sumOf(edges, part) : 0);
      }, 0),
      idle_ms: sumOf(idles, span),
    }),
  };
}

/** Without fixes that jump on both sides, taken out one after the other from the front. */
function plausible(fixes: readonly PositionRow[]): PositionRow[] {
  const kept = [...fixes];
  for (let at = 1; at + 1 < kept.length;) {
    const [before, fix, after] = [kept[at - 1], kept[at], kept[at + 1]];
    if (before && fix && after && jump(before, fix) && jump(fix, after)) kept.splice(at, 1);
    else at += 1;
  }
  return kept;
}

/** By the detector, run over one part without a gap. */
function drives(part: readonly PositionRow[], numbers: ReportThresholds): Interval[] {
  const found: Interval[] = [];
  let state: TripState | null = null;
  let since: number | null = null;
  for (const fix of part) {
    const step = advanceTrip(state, fix, numbers);
    if (state === null && step.state.moving) since = fix.time_ms;
    for (const { kind, at } of step.changes) {
      if (kind === 'started') since = at.time_ms;
      else if (since !== null) {
        found.push({ from_ms: since, to_ms: at.time_ms });
        since = null;
      }
    }
    state = step.state;
  }
  const last = part.at(-1);
  if (since !== null && last !== undefined) found.push({ from_ms: since, to_ms: last.time_ms });
  return found.filter((it) => it.to_ms > it.from_ms);
}

function way(part: readonly PositionRow[], span: Interval): number {
  const inside = part.filter((it) => it.time_ms >= span.from_ms && it.time_ms <= span.to_ms);
  return inside.slice(1).reduce((sum, to, at) => {
    const from = inside[at] ?? to;
    return sum + (jump(from, to) ? 0 : distanceM(from, to));
  }, 0);
}

/** The last known ignition at each fix of a part. */
function ignitions(part: readonly PositionRow[]): (boolean | null)[] {
  return part.map((_, at) => part.slice(0, at + 1).findLast((it) => it.ignition !== null)?.ignition ?? null);
}

function ignitionOn(part: readonly PositionRow[]): Interval[] {
  const on = ignitions(part);
  return runs(part, (at) => on[at] === true);
}

function idling(part: readonly PositionRow[], { idle_speed_kmh, idle_s }: ReportThresholds): Interval[] {
  const on = ignitions(part);
  return runs(part, (at) => on[at] === true && (part[at]?.speed_kmh ?? 0) < idle_speed_kmh).filter(
    (it) => it.to_ms - it.from_ms >= idle_s * 1_000,
  );
}

/** Stretches in which something holds from fix to fix: from the first at which it does to the first at which it does not. */
function runs(part: readonly PositionRow[], holds: (at: number) => boolean): Interval[] {
  const found: Interval[] = [];
  for (let at = 0; at < part.length; at += 1) {
    if (!holds(at) || (at > 0 && holds(at - 1))) continue;
    let end = at;
    while (end < part.length - 1 && holds(end)) end += 1;
    const [from, to] = [part[at], part[end]];
    if (from !== undefined && to !== undefined && end > at)
      found.push({ from_ms: from.time_ms, to_ms: to.time_ms });
  }
  return found;
}
