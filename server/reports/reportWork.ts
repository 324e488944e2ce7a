import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../contract/reports.ts';
import type { FencedFix } from '../geofences/geofenceEngine.ts';
import { planVisits, visitLeadMs, visitsOf } from '../geofences/visits.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import { createGeofencesAt, holdsFor } from './applicableGeofences.ts';
import { drawnFixes, leadStart } from './lookback.ts';
import { trackSegmentsOf } from './trackSegments.ts';
import { localDays } from './localDays.ts';
import { withoutSpikes, type ReportFix } from './reportFix.ts';
import type { ReportJob, ReportVehicle } from './reportOrder.ts';
import { presentStop, presentSummary, presentTrip, presentVisit } from './reportRows.ts';
import { timelineIntervals, type TimelineInterval } from './timelineIntervals.ts';
import { createSummary } from './summary.ts';
import { timelineOf, type TimelineSegment } from './timeline.ts';
import { visitDistances } from './visitDistances.ts';

/** Passes on fixes in order of time, and looks at them. */
export type Watch = <Fix extends { time_ms: number }>(fixes: Iterable<Fix>) => Iterable<Fix>;
type RowsOf<Row> = (vehicle: ReportVehicle, watch: Watch) => Iterable<Row>;

/** Read up to the end of the data: what comes after a period is taken only until all that is in it is decided. */
const endOfData = Number.MAX_SAFE_INTEGER;

/**
 * How the rows of one vehicle are computed, for each kind of report. All of it is computed from the stored positions, by
 * one method whatever the period: neighbouring periods add up to the whole.
 *
 * `watch` passes on the stored positions of the period, and those around it that had to be read.
 */
export function createReportWork(order: ReportJob, reader: HistoryReader) {
  const { period, numbers } = order;
  // What has not happened yet is no gap.
  const past = {
    from_ms: period.from_ms,
    to_ms: Math.min(period.to_ms, Math.max(order.now_ms, period.from_ms)),
  };
  const geofencesAt = createGeofencesAt(order.geofences);
  const gapMs = numbers.trip_gap_s * 1_000;

  function timeline(
    { vehicle_id }: ReportVehicle,
    watch: (fixes: Iterable<ReportFix>) => Iterable<ReportFix>,
  ): Iterable<TimelineSegment> {
    const from_ms = leadStart(reader, vehicle_id, past.from_ms, gapMs);
    const fixes = watch(drawnFixes(reader, vehicle_id, from_ms, endOfData));
    return timelineOf(trackSegmentsOf(withoutSpikes(fixes), numbers), numbers, order.now_ms);
  }

  const summary: RowsOf<VehicleSummary> = (vehicle, watch) => {
    const summing = createSummary(days, past);
    const legs = timeline(vehicle, (fixes) => summing.counting(watch(fixes)));
    return [presentSummary(summing.sums(legs), vehicle)];
  };

  function* stretches<Row>(
    kind: 'trip' | 'stop',
    vehicle: ReportVehicle,
    watch: Watch,
    present: (stretch: TimelineInterval) => Row,
  ): Generator<Row> {
    for (const stretch of timelineIntervals(timeline(vehicle, watch), past)) {
      if (stretch.kind === kind) yield present(stretch);
    }
  }

  const trips: RowsOf<Trip> = (vehicle, watch) =>
    stretches('trip', vehicle, watch, (it) => presentTrip(it, vehicle, geofencesAt));

  const stops: RowsOf<Stop> = (vehicle, watch) =>
    stretches('stop', vehicle, watch, (it) => presentStop(it, vehicle, geofencesAt));

  const days = localDays(order.tz, past);
  const plan = planVisits(order.geofences, past, numbers);

  function* fixesAround(vehicle_id: string): Generator<FencedFix> {
    const from_ms = past.from_ms - visitLeadMs;
    const before = reader.lastBefore(vehicle_id, from_ms);
    if (before !== null) yield before;
    yield* reader.fixes(vehicle_id, from_ms, endOfData);
  }

  const visits: RowsOf<GeofenceVisit> = (vehicle, watch) => {
    const found = visitsOf(plan, watch(fixesAround(vehicle.vehicle_id)), holdsFor(vehicle)).filter(
      // One that is cut may be longer.
      (it) => it.open_start || it.open_end || it.exit_ms - it.enter_ms >= order.min_duration_s * 1_000,
    );
    const ways = visitDistances(
      found,
      timeline(vehicle, (fixes) => fixes),
    );
    return found.map((visit, at) =>
      presentVisit(visit, ways[at] ?? { distance_m: 0, max_speed_kmh: null }, vehicle),
    );
  };

  return { summary, trips, stops, 'geofence-visits': visits };
}
