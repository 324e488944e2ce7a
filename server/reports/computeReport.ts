import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { jsonSlots } from './addressSlots.ts';
import { TooManyRows } from './arrangeRows.ts';
import type { CsvRow } from './csvColumns.ts';
import { csvReport } from './csvReport.ts';
import { withDriver } from './drivenBy.ts';
import type { AddressSlot, Report, ReportJob, ReportResult, ReportRow } from './reportOrder.ts';
import { createReportWork, type RowsOf, type Watch } from './reportWork.ts';
import type { KeepDays } from './workedDays.ts';

/** So many rows are one answer at the most: the host holds it whole, as rows or as lines of text. */
const maxRows = { json: 100_000, csv: 500_000 } as const;
/** Some milliseconds of work. */
const fixesPerProgress = 5_000;

/** A report while it is computed: its rows, vehicle by vehicle, and what it says of itself once they have been taken. */
export interface RunningReport {
  rows: Iterable<CsvRow>;
  head: () => Omit<Report, 'rows'>;
}

/** Errors of the reader are thrown on, by `rows`. */
export function runReport(
  order: ReportJob,
  reader: HistoryReader,
  onProgress: (fraction: number) => void,
  keep: KeepDays,
): RunningReport {
  const { kind, vehicles, period, tz, numbers, limit_kmh } = order;
  // Its rows are of the kind that the report is of.
  const rowsOf = createReportWork(order, reader, keep)[kind] as RowsOf<ReportRow>;
  let positions = 0;

  function watchOf(place: number): Watch {
    let seen = 0;
    function passing({ time_ms }: { time_ms: number }): void {
      seen += 1;
      if (seen % fixesPerProgress !== 0) return;
      const fraction = (time_ms - period.from_ms) / (period.to_ms - period.from_ms);
      onProgress((place + Math.min(1, Math.max(0, fraction))) / vehicles.length);
    }
    function counting(fix: { time_ms: number }): void {
      passing(fix);
      if (fix.time_ms >= period.from_ms && fix.time_ms < period.to_ms) positions += 1;
    }
    return { passing, counting, count: (counted) => void (positions += counted) };
  }

  function* rows(): Generator<CsvRow> {
    for (const [place, vehicle] of vehicles.entries()) {
      for (const computed of rowsOf(vehicle, watchOf(place))) {
        const row = withDriver(computed, vehicle, order);
        if (row !== null) yield { vehicle, row };
      }
      onProgress((place + 1) / vehicles.length);
    }
  }

  return {
    rows: rows(),
    head: () => ({
      from: isoTime(period.from_ms),
      to: isoTime(period.to_ms),
      tz,
      numbers: { ...numbers, ...(kind === 'overspeed' && limit_kmh !== null ? { limit_kmh } : {}) },
      ...(kind === 'hours' ? { working_hours: order.working_hours } : {}),
      vehicles: vehicles.length,
      positions,
    }),
  };
}

/**
 * Computes a report as CSV, or else as JSON. Errors of the reader are thrown on.
 *
 * @param keep is given days that were worked out and may be kept for later reports
 */
export function computeReport(
  order: ReportJob,
  reader: HistoryReader,
  onProgress: (fraction: number) => void,
  keep: KeepDays = () => undefined,
  max: Readonly<Record<keyof typeof maxRows, number>> = maxRows,
): ReportResult {
  const report = runReport(order, reader, onProgress, keep);
  if (order.format === 'csv') {
    try {
      return csvReport(order, report.rows, max.csv);
    } catch (error) {
      if (error instanceof TooManyRows) return { kind: 'too_long', max: error.max };
      throw error;
    }
  }
  const rows: ReportRow[] = [];
  for (const { row } of report.rows) {
    rows.push(row);
    if (rows.length > max.json) return { kind: 'too_long', max: max.json };
  }
  return { kind: 'report', report: { ...report.head(), rows } };
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
