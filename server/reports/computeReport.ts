import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { csvHead, csvLine, type CsvColumn } from './csvText.ts';
import { reportColumns, type RowOf } from './reportColumns.ts';
import type { ReportJob, ReportResult, ReportRow, ReportVehicle } from './reportOrder.ts';
import { createReportWork, type Watch } from './reportWork.ts';

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
    const lines = [csvHead(lineColumns)];
    const tooLong: ReportResult = { kind: 'too_long', max: max[format] };
    for (const [place, vehicle] of vehicles.entries()) {
      for (const row of rowsOf(vehicle, watchOf(place))) {
        if (format === 'json') rows.push(row);
        else for (const line of linesOf(row)) lines.push(csvLine(lineColumns, { vehicle, row: line }));
        if (rows.length > max.json || lines.length - 1 > max.csv) return tooLong;
      }
      onProgress((place + 1) / vehicles.length);
    }
    if (format === 'csv') return { kind: 'csv', text: lines.join('') };
    const { from_ms, to_ms } = period;
    const head = { from: isoTime(from_ms), to: isoTime(to_ms), tz: order.tz, numbers: order.numbers };
    return { kind: 'report', report: { ...head, vehicles: vehicles.length, positions, rows } };
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
