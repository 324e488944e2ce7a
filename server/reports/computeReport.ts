import type { HistoryReader, PastFix } from '../store/telemetry/historyReader.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { createCsvSlots, jsonSlots } from './addressSlots.ts';
import { csvHead, csvLine, type CsvColumn } from './csvTable.ts';
import { reportColumns, type RowOf } from './reportColumns.ts';
import type { AddressSlot, ReportJob, ReportResult, ReportRow, ReportVehicle } from './reportOrder.ts';
import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../contract/reports.ts';
import type { FencedFix } from '../geofences/geofenceEngine.ts';
import { planVisits, visitLeadMs, visitsOf } from '../geofences/visits.ts';
import {
  createGeofencesAt,
  holdsFor,
  presentStop,
  presentSummary,
  presentTrip,
  presentVisit,
  visitDistances,
} from './reportRows.ts';
import { trackSegmentsOf } from './trackSegments.ts';
import { localDays } from './localDays.ts';
import { withoutSpikes, type ReportFix, reportFix } from './reportFix.ts';
import { timelineIntervals, type TimelineInterval } from './timelineIntervals.ts';
import { createSummary } from './summary.ts';
import { timelineOf, type TimelineSegment } from './timeline.ts';

/** So many rows are one answer at the most: the host holds it whole, as rows or as lines of text. */
const maxRows = { json: 100_000, csv: 500_000 } as const;
/** Some milliseconds of work. */
const fixesPerProgress = 5_000;

/** Computes a report, vehicle by vehicle. Errors of the reader are thrown on. */
export function computeReport(
  order: ReportJob,
  reader: HistoryReader,
  onProgress: (fraction: number) => void,
  max: Readonly<Record<ReportJob['format'], number>> = maxRows,
): ReportResult {
  const { vehicles, period, format } = order;
  const work = createReportWork(order, reader);
  const columns = reportColumns(order);
  let positions = 0;

  function watchOf(place: number): Watch {
    return function* (fixes) {
      let seen = 0;
      for (const fix of fixes) {
        if (fix.time_ms >= period.from_ms && fix.time_ms < period.to_ms) positions += 1;
        seen += 1;
        if (seen % fixesPerProgress === 0) {
          const fraction = (fix.time_ms - period.from_ms) / (period.to_ms - period.from_ms);
          onProgress((place + Math.min(1, Math.max(0, fraction))) / vehicles.length);
        }
        yield fix;
      }
    };
  }

  /** @param linesOf what of a row is a line of CSV each */
  function run<Row extends ReportRow, Line>(
    rowsOf: (vehicle: ReportVehicle, watch: Watch) => Iterable<Row>,
    lineColumns: readonly CsvColumn<RowOf<Line>>[],
    linesOf: (row: Row) => readonly Line[],
  ): ReportResult {
    const rows: Row[] = [];
    const head = csvHead(lineColumns);
    const lines = [head];
    const csvSlots = createCsvSlots(head);
    const tooLong: ReportResult = { kind: 'too_long', max: max[format] };
    for (const [place, vehicle] of vehicles.entries()) {
      for (const row of rowsOf(vehicle, watchOf(place))) {
        if (format === 'json') rows.push(row);
        else {
          for (const line of linesOf(row)) {
            const text = csvLine(lineColumns, { vehicle, row: line });
            lines.push(text);
            csvSlots.add(text, row);
          }
        }
        if (rows.length > max.json || lines.length - 1 > max.csv) return tooLong;
      }
      onProgress((place + 1) / vehicles.length);
    }
    if (format === 'csv') return { kind: 'csv', text: lines.join(''), slots: csvSlots.slots };
    const { from_ms, to_ms } = period;
    const facts = { from: isoTime(from_ms), to: isoTime(to_ms), tz: order.tz, numbers: order.numbers };
    return { kind: 'report', report: { ...facts, vehicles: vehicles.length, positions, rows } };
  }

  switch (order.kind) {
    case 'summary':
      return run(work.summary, columns.summary, (row) => row.days);
    case 'trips':
      return run(work.trips, columns.trips, (row) => [row]);
    case 'stops':
      return run(work.stops, columns.stops, (row) => [row]);
    case 'geofence-visits':
      return run(work['geofence-visits'], columns['geofence-visits'], (row) => [row]);
  }
}

/** Passes on fixes in order of time, and looks at them. */
type Watch = <Fix extends { time_ms: number }>(fixes: Iterable<Fix>) => Iterable<Fix>;
type RowsOf<Row> = (vehicle: ReportVehicle, watch: Watch) => Iterable<Row>;

/** Read up to the end of the data: what comes after a period is taken only until all that is in it is decided. */
const endOfData = Number.MAX_SAFE_INTEGER;

/**
 * How the rows of one vehicle are computed, for each kind of report. All of it is computed from the stored positions, by
 * one method whatever the period: neighbouring periods add up to the whole.
 *
 * `watch` passes on the stored positions of the period, and those around it that had to be read.
 */
function createReportWork(order: ReportJob, reader: HistoryReader) {
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

const dayMs = 86_400_000;
const maxLeadMs = 7 * dayMs;

/** The drawn positions of a vehicle in order of time, both ends included. */
function* drawnFixes(
  reader: HistoryReader,
  vehicle_id: string,
  from_ms: number,
  to_ms: number,
): Generator<ReportFix> {
  for (const row of reader.track(vehicle_id, from_ms, to_ms)) if (row.valid) yield reportFix(row);
}

/**
 * From when on a vehicle's positions must be read for its timeline to be certain at the start of a period: from the
 * last position before the last gap (after which the timeline restarts), or from the beginning of the data; seven
 * days before the period at the most. A vehicle that has sent for seven days without a gap has come to rest and driven
 * off often enough in them for its state not to depend on where the reading began.
 */
function leadStart(reader: HistoryReader, vehicle_id: string, from_ms: number, gapMs: number): number {
  const last = reader.lastBefore(vehicle_id, from_ms);
  if (last === null) return from_ms;
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

/** What the host is given of a report: the bytes that it sends, so that it neither holds rows nor writes them. */
export type EncodedReport =
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer>; slots: AddressSlot[] }
  /** There is more of it than one answer holds. */
  | { kind: 'too_long'; max: string };

/** 500,000 lines of CSV are some 130 MB. */
const maxBytes = 160 * 1024 * 1024;

/** JSON or CSV in UTF-8. */
export function encodeReport(result: ReportResult, max: number = maxBytes): EncodedReport {
  if (result.kind === 'too_long') return { kind: 'too_long', max: `${result.max} rows` };
  const text = result.kind === 'csv' ? result.text : JSON.stringify(result.report);
  if (Buffer.byteLength(text) > max) return { kind: 'too_long', max: `${max} bytes` };
  const bytes = new TextEncoder().encode(text);
  const slots = result.kind === 'csv' ? result.slots : jsonSlots(bytes, result.report.rows);
  return { kind: 'bytes', bytes, slots };
}
