import { createHash } from 'node:crypto';
import type { NewDays, StoredDay } from '../store/telemetry/dayRecordsTable.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { addRecord, createDayRecords, spansOf, type DayRecord, type WorkedDay } from './dayRecords.ts';
import type { RecordedDay } from './dayRows.ts';
import { driverKey, drivenParts, type DrivenPart } from './drivenBy.ts';
import { localDays, type LocalDay } from './localDays.ts';
import type { ReportFix } from './reportFix.ts';
import type { ReportJob, ReportThresholds, ReportVehicle } from './reportOrder.ts';
import { leadStart } from './storedFixes.ts';
import type { TimelineSegment } from './timeline.ts';

/** To be raised whenever days would be worked out otherwise: those that are kept are then worked out anew. */
const methodVersion = 1;
/** Of one report; some 20 MB. What is beyond is kept by a later one. */
const mostNew = 20_000;
/** A set of days is noted as used once in so long. */
const useNotedMs = 43_200_000;

/** A day, or a part of one, with who drove in it. */
interface Part extends DrivenPart {
  day: LocalDay;
}

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
  order: Pick<ReportJob, 'tz' | 'numbers' | 'now_ms' | 'driver_id' | 'by_driver'>;
  reader: HistoryReader;
  timelineFrom: TimelineFrom;
  /** What has passed of the report's period. */
  past: TimeRange;
  keep: KeepDays;
}

/**
 * The days of vehicles, in their order: those that were kept are read, all others are worked out, and whole ones of the
 * past are handed over to be kept. Either way they are the same.
 *
 * By driver, a day that several drove is worked out in the parts between the changes each time, and is as many days as
 * it has drivers; those that one drove alone are kept and read as whole ones.
 */
export function createWorkedDays({ order, reader, timelineFrom, past, keep }: WorkedDaysDeps) {
  const { numbers, now_ms, driver_id } = order;
  const gapMs = numbers.trip_gap_s * 1_000;
  const days = localDays(order.tz, past);
  const spans = spansOf(days, past);
  const thresholds = nameOf(numbers);
  let left = mostNew;

  /** Those of parts that follow each other. */
  function workOut(vehicle_id: string, parts: readonly Part[], watch: (fix: ReportFix) => void): WorkedDay[] {
    const from_ms = leadStart(reader, vehicle_id, parts[0]?.from_ms ?? 0, gapMs);
    const records = createDayRecords(
      parts.map((it) => it.day),
      parts,
      from_ms,
    );
    const legs = timelineFrom(vehicle_id, from_ms, (fix) => {
      watch(fix);
      records.see(fix);
    });
    return records.work(legs);
  }

  const isAsked = ({ drive }: DrivenPart) => driver_id === undefined || drive?.driver_id === driver_id;

  return (
    { vehicle_id, drives = [] }: Pick<ReportVehicle, 'vehicle_id' | 'drives'>,
    watch: (fix: ReportFix) => void,
  ): RecordedDay[] => {
    const parts = days.map((day, at): Part[] => {
      const span = spans[at] ?? day;
      const driven = order.by_driver ? drivenParts(span, drives) : [{ ...span, drive: null }];
      // Nothing of a day in which another one drove all the time is looked at.
      return driven.some(isAsked) ? driven.map((it) => ({ ...it, day })) : [];
    });
    const asked = { from_ms: days[0]?.from_ms ?? 0, to_ms: past.to_ms };
    const { days: kept, used_ms, ...state } = reader.keptDays(vehicle_id, thresholds, asked);
    const known = new Map(kept.map(([from_ms, to_ms, record]) => [`${from_ms} ${to_ms}`, record]));
    const textOf = (at: number) => {
      const [span, ...others] = parts[at] ?? [];
      return span === undefined || others.length > 0 ? undefined : known.get(`${span.from_ms} ${span.to_ms}`);
    };
    const isToBeWorkedOut = (at: number) => (parts[at]?.length ?? 0) > 0 && textOf(at) === undefined;
    // One that still drives may go on, without a position that says so.
    const mayGoOn = state.newest_ms !== null && now_ms - state.newest_ms <= gapMs;
    const fresh: StoredDay[] = [];
    const recorded: RecordedDay[] = [];
    /** Parts of one day by one driver become one. */
    const add = (part: Part, record: DayRecord) => {
      if (!isAsked(part)) return;
      const { day, drive, from_ms, to_ms } = part;
      const key = driverKey(drive);
      const same = (it: RecordedDay) => it.day === day && driverKey(it.drive) === key;
      const at = order.by_driver ? recorded.findLastIndex((it) => it.day !== day || same(it)) : -1;
      const before = recorded[at];
      if (before === undefined || !same(before))
        recorded.push({ day, drive, spans: [{ from_ms, to_ms }], record });
      else
        recorded[at] = {
          ...before,
          spans: [...before.spans, { from_ms, to_ms }],
          record: addRecord(before.record, record),
        };
    };

    for (let at = 0; at < days.length;) {
      if (!isToBeWorkedOut(at)) {
        const [text, part] = [textOf(at), parts[at]?.[0]];
        if (text !== undefined && part !== undefined) add(part, JSON.parse(text) as DayRecord);
        at += 1;
        continue;
      }
      let end = at + 1;
      while (end < days.length && isToBeWorkedOut(end)) end += 1;
      const run = parts.slice(at, end).flat();
      for (const [place, worked] of workOut(vehicle_id, run, watch).entries()) {
        const part = run[place];
        if (part === undefined) continue;
        add(part, worked.record);
        const { day } = part;
        const isWhole = day.from_ms === part.from_ms && day.to_ms === part.to_ms;
        if (!isWhole || (worked.need_to_ms === null && mayGoOn) || fresh.length >= left) continue;
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
