import type { ReportKind, ReportRows } from '../contract/reportRows.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { FencedFix } from '../geofences/geofenceEngine.ts';
import { activeSpans } from '../geofences/scheduleClock.ts';
import { planVisits, visitLeadMs, visitsOf } from '../geofences/visits.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import { createHours, presentDay, presentSummary, presentUtilisation, type RecordedDay } from './dayRows.ts';
import { driverKey, presentDriver } from './drivenBy.ts';
import { noWay } from './drivenWay.ts';
import { createLimits, overspeedStretches } from './overspeed.ts';
import { createSees, isAskedEvent, presentEvent, presentVideo, raisedBy } from './recordedRows.ts';
import { withoutSpikes, type ReportFix } from './reportFix.ts';
import type { ReportJob, ReportVehicle } from './reportOrder.ts';
import { createGeofencesAt, holdsFor } from './geofencesAt.ts';
import { presentOverspeed, presentStop, presentTrip, presentVisit, visitDistances } from './reportRows.ts';
import { drawnFixes, leadStart } from './storedFixes.ts';
import { timelineOf, type TimelineSegment } from './timeline.ts';
import { timelineIntervals, type TimelineInterval } from './timelineIntervals.ts';
import { trackSegmentsOf } from './trackSegments.ts';
import { createWorkedDays, type KeepDays, type TimelineFrom } from './workedDays.ts';

/** Is shown the positions that are read for a report: for its progress, and for how many there were in its period. */
export interface Watch {
  /** Counts those of the period. */
  counting: (fix: { time_ms: number }) => void;
  passing: (fix: { time_ms: number }) => void;
  /** Adds positions that were counted elsewhere. */
  count: (positions: number) => void;
}
export type RowsOf<Row> = (vehicle: ReportVehicle, watch: Watch) => Iterable<Row>;

/** Read up to the end of the data: what comes after a period is taken only until all that is in it is decided. */
const endOfData = Number.MAX_SAFE_INTEGER;

/**
 * How the rows of one vehicle are computed, for each kind of report. All of it is computed from the stored positions, by
 * one method whatever the period: neighbouring periods add up to the whole.
 *
 * `watch` is shown the stored positions of the period, and those around it that had to be read.
 *
 * @param keep is given days that were worked out and may be kept
 */
export function createReportWork(
  order: ReportJob,
  reader: HistoryReader,
  keep: KeepDays,
): { [Kind in ReportKind]: RowsOf<ReportRows[Kind]> } {
  const { period, numbers, filter } = order;
  // What has not happened yet is no gap.
  const past = {
    from_ms: period.from_ms,
    to_ms: Math.min(period.to_ms, Math.max(order.now_ms, period.from_ms)),
  };
  const geofencesAt = once(() => createGeofencesAt(order.geofences));
  const limitAt = once(() => createLimits(order.limit_kmh, order.geofences));
  const sees = createSees(filter);
  const hours = once(() => createHours(order.tz, activeSpans(scheduleOf(order), past)));
  const gapMs = numbers.trip_gap_s * 1_000;

  const timelineFrom: TimelineFrom = (vehicle_id, from_ms, see) => {
    const fixes = drawnFixes(reader, vehicle_id, { from_ms, to_ms: endOfData }, see);
    return timelineOf(trackSegmentsOf(withoutSpikes(fixes), numbers), numbers, order.now_ms);
  };

  function timeline({ vehicle_id }: ReportVehicle, see: (fix: ReportFix) => void): Iterable<TimelineSegment> {
    return timelineFrom(vehicle_id, leadStart(reader, vehicle_id, past.from_ms, gapMs), see);
  }

  const workedDays = once(() => createWorkedDays({ order, reader, timelineFrom, past, keep }));

  function recordsOf(vehicle: ReportVehicle, watch: Watch): RecordedDay[] {
    const recorded = workedDays()(vehicle, watch.passing);
    watch.count(recorded.reduce((sum, it) => sum + it.record.positions, 0));
    return recorded;
  }

  function* stretches<Row>(
    kind: 'trip' | 'stop',
    vehicle: ReportVehicle,
    watch: Watch,
    present: (stretch: TimelineInterval) => Row,
  ): Generator<Row> {
    for (const stretch of timelineIntervals(timeline(vehicle, watch.counting), past)) {
      if (stretch.kind === kind) yield present(stretch);
    }
  }

  const trips: RowsOf<ReportRows['trips']> = (vehicle, watch) =>
    stretches('trip', vehicle, watch, (it) => presentTrip(it, vehicle, geofencesAt()));

  const stops: RowsOf<ReportRows['stops']> = (vehicle, watch) =>
    stretches('stop', vehicle, watch, (it) => presentStop(it, vehicle, geofencesAt()));

  const plan = once(() => planVisits(order.geofences, past, numbers));

  function* fixesAround(vehicle_id: string, see: (fix: FencedFix) => void): Generator<FencedFix> {
    const from_ms = past.from_ms - visitLeadMs;
    const before = reader.lastBefore(vehicle_id, from_ms);
    if (before !== null) {
      see(before);
      yield before;
    }
    for (const fix of reader.fixes(vehicle_id, from_ms, endOfData)) {
      see(fix);
      yield fix;
    }
  }

  const visits: RowsOf<ReportRows['geofence-visits']> = (vehicle, watch) => {
    const found = visitsOf(plan(), fixesAround(vehicle.vehicle_id, watch.counting), holdsFor(vehicle)).filter(
      // One that is cut may be longer.
      (it) => it.open_start || it.open_end || it.exit_ms - it.enter_ms >= order.min_duration_s * 1_000,
    );
    const ways = visitDistances(
      found,
      timeline(vehicle, () => undefined),
    );
    return found.map((visit, at) =>
      presentVisit(visit, ways[at] ?? { ...noWay(), max_speed_kmh: null }, vehicle),
    );
  };

  const overspeed: RowsOf<ReportRows['overspeed']> = function* (vehicle, watch) {
    const from_ms = past.from_ms - overspeedLeadMs - numbers.overspeed_clear_s * 1_000;
    const span = { from_ms, to_ms: endOfData };
    const fixes = withoutSpikes(drawnFixes(reader, vehicle.vehicle_id, span, watch.counting));
    const legs = trackSegmentsOf(fixes, { ...numbers, trip_gap_s: numbers.overspeed_gap_s });
    const limitOf = limitAt();
    const found = overspeedStretches(legs, (fix) => limitOf(fix, vehicle), numbers, past);
    for (const stretch of found) yield presentOverspeed(stretch, vehicle, geofencesAt());
  };

  const events: RowsOf<ReportRows['events']> = function* (vehicle) {
    const raised = raisedBy(reader.notifications(vehicle.vehicle_id, period));
    for (const event of reader.events(vehicle.vehicle_id, period)) {
      const notification = raised.get(event.event_id);
      if (isAskedEvent(event, notification, filter))
        yield presentEvent(event, notification, vehicle, { geofencesAt: geofencesAt(), sees });
    }
  };

  const video: RowsOf<ReportRows['video']> = function* (vehicle) {
    for (const task of reader.tasks(vehicle.vehicle_id, period)) {
      if (filter.statuses === null || filter.statuses.includes(task.status)) yield presentVideo(task, sees);
    }
  };

  const perVehicle =
    <Row>(present: (days: readonly RecordedDay[], vehicle: ReportVehicle) => Row): RowsOf<Row> =>
    (vehicle, watch) => {
      const recorded = recordsOf(vehicle, watch);
      if (!order.by_driver) return [present(recorded, vehicle)];
      const byDriver = new Map<string, RecordedDay[]>();
      for (const it of recorded) {
        const key = driverKey(it.drive);
        const days = byDriver.get(key);
        if (days === undefined) byDriver.set(key, [it]);
        else days.push(it);
      }
      return [...byDriver.values()].map((days) => ({
        ...present(days, vehicle),
        ...presentDriver(days[0]?.drive ?? null),
      }));
    };
  const perDay =
    <Row>(present: (day: RecordedDay, vehicle: ReportVehicle) => Row): RowsOf<Row> =>
    (vehicle, watch) =>
      recordsOf(vehicle, watch).map((it) => ({ ...present(it, vehicle), ...presentDriver(it.drive) }));

  return {
    summary: perVehicle(presentSummary),
    daily: perDay(presentDay),
    utilisation: perDay(presentUtilisation),
    hours: (vehicle, watch) => perVehicle(hours())(vehicle, watch),
    trips,
    stops,
    'geofence-visits': visits,
    overspeed,
    events,
    video,
  };
}

/** A stretch that began earlier is looked at from here on. */
const overspeedLeadMs = 3_600_000;

function scheduleOf({ tz, working_hours }: ReportJob): Schedule | null {
  const { days, from, to } = working_hours;
  return { timezone: tz, ranges: [{ days, from, to }] };
}

/** Made when it is first asked for, and kept. */
function once<T>(make: () => T): () => T {
  let made: { it: T } | null = null;
  return () => (made ??= { it: make() }).it;
}
