import type { VehicleDay, VehicleHours, VehicleSummary, VehicleUtilisation } from '../contract/reportRows.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { DayRecord } from './dayRecords.ts';
import { noWay, presentWay, tenths, type DrivenWay } from './drivenWay.ts';
import { wallClock, type LocalDay } from './localDays.ts';
import type { ReportDrive, ReportVehicle } from './reportOrder.ts';
import { presentGap, seconds } from './reportRows.ts';

/** A day of a vehicle: what of it is reported on, and what happened in that. */
export interface RecordedDay {
  day: LocalDay;
  /** One, or those in which one driver drove. */
  spans: readonly TimeRange[];
  record: DayRecord;
  /** Null: nobody is known, or was asked for. */
  drive: ReportDrive | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const timeOrNull = (ms: number | null | undefined) => (ms == null ? null : isoTime(ms));

function spanMs({ spans }: RecordedDay): number {
  return spans.reduce((ms, { from_ms, to_ms }) => ms + to_ms - from_ms, 0);
}

function gapMs(recorded: RecordedDay): number {
  return spanMs(recorded) - recorded.record.driving_ms - recorded.record.stopped_ms;
}

function presentSums(recorded: RecordedDay) {
  const { record } = recorded;
  return {
    ...presentWay(record),
    driving_s: seconds(record.driving_ms),
    stopped_s: seconds(record.stopped_ms),
    idle_s: seconds(record.idle_ms),
    gap_s: seconds(gapMs(recorded)),
    trips: record.trips,
    stops: record.stops,
    max_speed_kmh: record.max_speed_kmh,
    positions: record.positions,
  };
}

const presentOdometer = (m: number | null) => (m === null ? null : tenths(m));

function sumOfWays(ways: readonly DrivenWay[]): DrivenWay {
  return ways.reduce(
    (sum, { distance_m, track_m, by }) => ({
      // Of what the days say, so that their column adds up.
      distance_m: sum.distance_m + tenths(distance_m),
      track_m: sum.track_m + tenths(track_m),
      by: sum.by | by,
    }),
    noWay(),
  );
}

export function presentSummary(
  recorded: readonly RecordedDay[],
  { vehicle_id }: ReportVehicle,
): VehicleSummary {
  const records = recorded.map((it) => it.record);
  const total = (of: (record: DayRecord) => number) => records.reduce((sum, it) => sum + of(it), 0);
  const speeds = records.flatMap((it) => it.max_speed_kmh ?? []);
  const odometers = records.flatMap((it) => it.odometer_m ?? []);
  return {
    vehicle_id,
    ...presentWay(sumOfWays(records)),
    // Seconds have a fraction: their sum is rounded to what it is made of.
    driving_s: seconds(total((it) => it.driving_ms)),
    stopped_s: seconds(total((it) => it.stopped_ms)),
    idle_s: seconds(total((it) => it.idle_ms)),
    gap_s: seconds(recorded.reduce((sum, it) => sum + gapMs(it), 0)),
    trips: total((it) => it.trips),
    stops: total((it) => it.stops),
    max_speed_kmh: speeds.length === 0 ? null : speeds.reduce((a, b) => Math.max(a, b)),
    positions: total((it) => it.positions),
    odometer_m: presentOdometer(odometers.length === 0 ? null : odometers.reduce((a, b) => a + b)),
    first_time: timeOrNull(records.find((it) => it.first_ms !== null)?.first_ms),
    last_time: timeOrNull(records.findLast((it) => it.last_ms !== null)?.last_ms),
    days: recorded.map((it) => ({ date: it.day.date, ...presentSums(it) })),
  };
}

export function presentDay(recorded: RecordedDay, { vehicle_id }: ReportVehicle): VehicleDay {
  const { day, record } = recorded;
  return {
    vehicle_id,
    date: day.date,
    first_departure: timeOrNull(record.driving[0]),
    last_arrival: timeOrNull(record.driving.at(-2)),
    open_start: record.openStart,
    open_end: record.openEnd,
    ...presentSums(recorded),
    odometer_m: presentOdometer(record.odometer_m),
    gaps: gapsOf(recorded).map(presentGap),
  };
}

/** When it neither drove nor stood. */
function gapsOf({ spans, record }: RecordedDay): TimeRange[] {
  const known = [...stretchesOf(record.driving, 3), ...stretchesOf(record.standing, 2)].sort(
    (a, b) => a.from_ms - b.from_ms,
  );
  return spans.flatMap((span) => {
    const gaps: TimeRange[] = [];
    let { from_ms } = span;
    const within = known.filter((it) => it.to_ms > span.from_ms && it.from_ms < span.to_ms);
    for (const each of [...within, { from_ms: span.to_ms, to_ms: span.to_ms }]) {
      if (each.from_ms > from_ms) gaps.push({ from_ms, to_ms: each.from_ms });
      from_ms = each.to_ms;
    }
    return gaps;
  });
}

function stretchesOf(cells: readonly number[], size: 2 | 3): (TimeRange & { distance_m: number })[] {
  const stretches = [];
  for (let at = 0; at + 1 < cells.length; at += size) {
    const [from_ms = 0, to_ms = 0, distance_m = 0] = cells.slice(at, at + size);
    stretches.push({ from_ms, to_ms, distance_m });
  }
  return stretches;
}

export function presentUtilisation(recorded: RecordedDay, { vehicle_id }: ReportVehicle): VehicleUtilisation {
  const { day, record } = recorded;
  return {
    vehicle_id,
    date: day.date,
    day_s: seconds(spanMs(recorded)),
    driving_s: seconds(record.driving_ms),
    stopped_s: seconds(record.stopped_ms),
    gap_s: seconds(gapMs(recorded)),
  };
}

/**
 * Adds up by the hour of the clock.
 *
 * @param working when it is worked, in order of time
 */
export function createHours(tz: string, working: readonly TimeRange[]) {
  const clockAt = wallClock(tz);

  /** Most days have 24 hours from midnight on; the clock is asked only on the others, since it is slow. */
  function hourAt(time_ms: number, day: LocalDay): number {
    const isPlain = day.to_ms - day.from_ms === dayMs;
    return isPlain ? Math.floor((time_ms - day.from_ms) / hourMs) : Number(clockAt(time_ms).slice(11, 13));
  }

  return (recorded: readonly RecordedDay[], { vehicle_id }: ReportVehicle): VehicleHours => {
    const hours = Array.from({ length: 24 }, () => ({ driving_ms: 0, stopped_ms: 0 }));
    let [out_ms, out_m, nextWork] = [0, 0, 0];

    function addToHours(stretch: TimeRange, day: LocalDay, field: 'driving_ms' | 'stopped_ms'): void {
      for (let { from_ms } = stretch; from_ms < stretch.to_ms;) {
        const ends_ms = day.from_ms + (Math.floor((from_ms - day.from_ms) / hourMs) + 1) * hourMs;
        const to_ms = Math.min(stretch.to_ms, ends_ms);
        const hour = hours[hourAt(from_ms, day)];
        if (hour !== undefined) hour[field] += to_ms - from_ms;
        from_ms = to_ms;
      }
    }

    /** How much of a stretch lies within the working hours; stretches come in order of time. */
    function workedMs({ from_ms, to_ms }: TimeRange): number {
      while ((working[nextWork]?.to_ms ?? Infinity) <= from_ms) nextWork += 1;
      let ms = 0;
      for (let at = nextWork; at < working.length; at += 1) {
        const span = working[at];
        if (span === undefined || span.from_ms >= to_ms) break;
        ms += Math.min(to_ms, span.to_ms) - Math.max(from_ms, span.from_ms);
      }
      return ms;
    }

    for (const { day, record } of recorded) {
      for (const stretch of stretchesOf(record.driving, 3)) {
        const ms = stretch.to_ms - stretch.from_ms;
        const outside_ms = ms - workedMs(stretch);
        out_ms += outside_ms;
        out_m += (stretch.distance_m * outside_ms) / ms;
        addToHours(stretch, day, 'driving_ms');
      }
      for (const stretch of stretchesOf(record.standing, 2)) addToHours(stretch, day, 'stopped_ms');
    }
    const total = (of: (record: DayRecord) => number) => recorded.reduce((sum, it) => sum + of(it.record), 0);
    return {
      vehicle_id,
      ...presentWay(sumOfWays(recorded.map((it) => it.record))),
      driving_s: seconds(total((it) => it.driving_ms)),
      stopped_s: seconds(total((it) => it.stopped_ms)),
      out_of_hours_s: seconds(out_ms),
      out_of_hours_m: tenths(out_m),
      hours: hours.map((it) => ({ driving_s: seconds(it.driving_ms), stopped_s: seconds(it.stopped_ms) })),
    };
  };
}
