import { createHash } from 'node:crypto';
import type { NewDays, StoredDay } from '../store/telemetry/dayRecordsTable.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { createDayRecords, spansOf, type DayRecord, type WorkedDay } from './dayRecords.ts';
import type { RecordedDay } from './dayRows.ts';
import { localDays } from './localDays.ts';
import type { ReportFix } from './reportFix.ts';
import type { ReportJob, ReportThresholds } from './reportOrder.ts';
import { leadStart } from './storedFixes.ts';
import type { TimelineSegment } from './timeline.ts';

/** To be raised whenever days would be worked out otherwise: those that are kept are then worked out anew. */
const methodVersion = 1;
/** Of one report; some 20 MB. What is beyond is kept by a later one. */
const mostNew = 20_000;
/** A set of days is noted as used once in so long. */
const useNotedMs = 43_200_000;

/** Names the thresholds that days depend on. */
function nameOf(numbers: ReportThresholds): string {
  const { trip_radius_m, trip_speed_kmh, trip_stop_s, trip_ignition_off_s, trip_gap_s, trip_min_m } = numbers;
  const { idle_speed_kmh, idle_s } = numbers;
  const all = [
    ...[
      methodVersion,
      trip_radius_m,
      trip_speed_kmh,
      trip_stop_s,
      trip_ignition_off_s,
      trip_gap_s,
      trip_min_m,
    ],
    ...[idle_speed_kmh, idle_s],
  ];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}

/** The timeline of a vehicle from a moment on; `see` is shown all positions that are read for it. */
export type TimelineFrom = (
  vehicle_id: string,
  from_ms: number,
  see: (fix: ReportFix) => void,
) => Iterable<TimelineSegment>;

/** Is given days that were worked out and may be kept for later reports. */
export type KeepDays = (days: NewDays) => void;

interface WorkedDaysDeps {
  order: Pick<ReportJob, 'tz' | 'numbers' | 'now_ms'>;
  reader: HistoryReader;
  timelineFrom: TimelineFrom;
  /** What has passed of the report's period. */
  past: TimeRange;
  keep: KeepDays;
}

/**
 * The days of vehicles, in their order: those that were kept are read, all others are worked out, and whole ones of the
 * past are handed over to be kept. Either way they are the same.
 */
export function createWorkedDays({ order, reader, timelineFrom, past, keep }: WorkedDaysDeps) {
  const { numbers, now_ms } = order;
  const gapMs = numbers.trip_gap_s * 1_000;
  const days = localDays(order.tz, past);
  const spans = spansOf(days, past);
  const thresholds = nameOf(numbers);
  let left = mostNew;

  /** Those of days that follow each other. */
  function workOut(
    vehicle_id: string,
    first: number,
    end: number,
    watch: (fix: ReportFix) => void,
  ): WorkedDay[] {
    const part = spans.slice(first, end);
    const from_ms = leadStart(reader, vehicle_id, part[0]?.from_ms ?? 0, gapMs);
    const records = createDayRecords(days.slice(first, end), part, from_ms);
    const legs = timelineFrom(vehicle_id, from_ms, (fix) => {
      watch(fix);
      records.see(fix);
    });
    return records.work(legs);
  }

  return (vehicle_id: string, watch: (fix: ReportFix) => void): RecordedDay[] => {
    const asked = { from_ms: days[0]?.from_ms ?? 0, to_ms: past.to_ms };
    const { days: kept, used_ms, ...state } = reader.keptDays(vehicle_id, thresholds, asked);
    const known = new Map(kept.map(([from_ms, to_ms, record]) => [`${from_ms} ${to_ms}`, record]));
    const textOf = (at: number) => {
      const span = spans[at];
      return span === undefined ? undefined : known.get(`${span.from_ms} ${span.to_ms}`);
    };
    // One that still drives may go on, without a position that says so.
    const mayGoOn = state.newest_ms !== null && now_ms - state.newest_ms <= gapMs;
    const fresh: StoredDay[] = [];
    const recorded: RecordedDay[] = [];
    const add = (at: number, record: DayRecord) => {
      const [day, span] = [days[at], spans[at]];
      if (day !== undefined && span !== undefined) recorded.push({ day, span, record });
    };

    for (let at = 0; at < days.length;) {
      const text = textOf(at);
      if (text !== undefined) {
        add(at, JSON.parse(text) as DayRecord);
        at += 1;
        continue;
      }
      let end = at + 1;
      while (end < days.length && textOf(end) === undefined) end += 1;
      for (const [place, worked] of workOut(vehicle_id, at, end, watch).entries()) {
        add(at + place, worked.record);
        const [day, span] = [days[at + place], spans[at + place]];
        const isWhole = day?.from_ms === span?.from_ms && day?.to_ms === span?.to_ms;
        if (day === undefined || !isWhole || (worked.need_to_ms === null && mayGoOn) || fresh.length >= left)
          continue;
        const { record, ...needs } = worked;
        fresh.push({ from_ms: day.from_ms, to_ms: day.to_ms, ...needs, record: JSON.stringify(record) });
      }
      at = end;
    }
    if (fresh.length > 0 || (kept.length > 0 && used_ms !== null && now_ms - used_ms > useNotedMs)) {
      left -= fresh.length;
      keep({ vehicle_id, thresholds, ...state, days: new TextEncoder().encode(JSON.stringify(fresh)) });
    }
    return recorded;
  };
}
