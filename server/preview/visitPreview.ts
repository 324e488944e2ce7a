import type { Geofence, GeofencePreview } from '../contract/geofences.ts';
import type { FencedFix } from '../geofences/geofenceEngine.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { planVisits, visitLeadMs, visitsOf, type Visit } from '../geofences/visits.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

/** The visits of one geofence; plain data, as it goes to a thread. */
export interface VisitOrder {
  geofence: Geofence;
  /** Those that the geofence holds for. */
  vehicle_ids: readonly string[];
  period: TimeRange;
  crossing_max_gap_s: number;
}

/** So many of what was found are shown. */
export const maxItems = 1_000;
/** Some milliseconds of work. */
const fixesPerProgress = 5_000;

export function previewVisits(
  { geofence, vehicle_ids, period, crossing_max_gap_s }: VisitOrder,
  reader: Pick<HistoryReader, 'fixes' | 'lastBefore'>,
  onProgress: (fraction: number) => void,
): GeofencePreview {
  const plan = planVisits([geofence], period, { crossing_max_gap_s });
  const found = createFirstItems<Visit & { vehicle_id: string }>(maxItems, (it) => it.enter_ms);
  let positions = 0;
  let visitors = 0;

  function* counted(vehicle_id: string, done: number): Generator<FencedFix> {
    for (const fix of fixesAbout(reader, vehicle_id, period)) {
      if (fix.time_ms >= period.from_ms && fix.time_ms < period.to_ms) {
        positions += 1;
        if (positions % fixesPerProgress === 0) {
          const fraction = (fix.time_ms - period.from_ms) / (period.to_ms - period.from_ms);
          onProgress((done + fraction) / vehicle_ids.length);
        }
      }
      yield fix;
    }
  }

  for (const [at, vehicle_id] of vehicle_ids.entries()) {
    const visits = visitsOf(plan, counted(vehicle_id, at));
    for (const visit of visits) found.add({ vehicle_id, ...visit });
    if (visits.length > 0) visitors += 1;
    onProgress((at + 1) / vehicle_ids.length);
  }
  return {
    from: isoTime(period.from_ms),
    to: isoTime(period.to_ms),
    vehicles: vehicle_ids.length,
    positions,
    visits: found.count(),
    visitors,
    items: found.list().map(({ vehicle_id, enter_ms, exit_ms, open_start, open_end, enter }) => ({
      vehicle_id,
      enter_time: isoTime(enter_ms),
      exit_time: isoTime(exit_ms),
      open_start,
      open_end,
      duration_s: (exit_ms - enter_ms) / 1_000,
      ...enter,
    })),
    truncated: found.count() > maxItems,
  };
}

/** The fixes that `visitsOf` asks for: with those that lead up to the period, and on to the end of the data. */
function* fixesAbout(
  reader: Pick<HistoryReader, 'fixes' | 'lastBefore'>,
  vehicle_id: string,
  period: TimeRange,
): Generator<FencedFix> {
  const from_ms = period.from_ms - visitLeadMs;
  const before = reader.lastBefore(vehicle_id, from_ms);
  if (before !== null) yield before;
  yield* reader.fixes(vehicle_id, from_ms, Number.MAX_SAFE_INTEGER);
}

/** Keeps the first of many in some order, whatever order they come in. */
export function createFirstItems<T>(max: number, orderOf: (item: T) => number) {
  let retained: T[] = [];
  let count = 0;

  function sortOut(): T[] {
    retained = retained.sort((a, b) => orderOf(a) - orderOf(b)).slice(0, max);
    return retained;
  }

  return {
    add(item: T): void {
      count += 1;
      retained.push(item);
      // Seldom enough that sorting is not felt.
      if (retained.length >= 2 * max) sortOut();
    },
    /** How many were added, kept or not. */
    count: () => count,
    /** Those that are kept, in their order. */
    list: sortOut,
  };
}
