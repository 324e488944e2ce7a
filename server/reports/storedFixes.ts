import type { HistoryReader, PastFix } from '../store/telemetry/historyReader.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { reportFix, withoutSpikes, type ReportFix } from './reportFix.ts';

const dayMs = 86_400_000;
const maxLeadMs = 7 * dayMs;

/** The drawn positions of a vehicle in order of time, both ends included; each is shown to `see` as it is read. */
export function* drawnFixes(
  reader: HistoryReader,
  vehicle_id: string,
  { from_ms, to_ms }: TimeRange,
  see: (fix: ReportFix) => void,
): Generator<ReportFix> {
  for (const fix of reader.odometerFixes(vehicle_id, from_ms, to_ms)) {
    see(fix);
    yield reportFix(fix);
  }
}

/**
 * From when on a vehicle's positions must be read for its timeline to be certain at the start of a period: from the
 * last position before the last gap (after which the timeline restarts), or from the beginning of the data; seven
 * days before the period at the most. A vehicle that has sent for seven days without a gap has come to rest and driven
 * off often enough in them for its state not to depend on where the reading began.
 */
export function leadStart(reader: HistoryReader, vehicle_id: string, from_ms: number, gapMs: number): number {
  const last = reader.lastBefore(vehicle_id, from_ms);
  // What may still come from before counts, too.
  if (last === null) return Number.MIN_SAFE_INTEGER;
  if (from_ms - last.time_ms > gapMs) return last.time_ms;
  let until_ms = from_ms;
  for (let back_ms = dayMs; back_ms <= maxLeadMs; back_ms += dayMs) {
    const seen = lastGap(reader.fixes(vehicle_id, from_ms - back_ms, until_ms), gapMs);
    if (seen.gapStart_ms !== null) return seen.gapStart_ms;
    // The day before is looked through up to the first position of this one.
    until_ms = seen.first_ms ?? until_ms;
  }
  return from_ms - maxLeadMs;
}

function lastGap(fixes: Iterable<PastFix>, gapMs: number) {
  let first_ms: number | null = null;
  let gapStartMs: number | null = null;
  let before: PastFix | null = null;
  for (const fix of withoutSpikes(fixes)) {
    if (before !== null && fix.time_ms - before.time_ms > gapMs) gapStartMs = before.time_ms;
    first_ms ??= fix.time_ms;
    before = fix;
  }
  return { first_ms, gapStart_ms: gapStartMs };
}
