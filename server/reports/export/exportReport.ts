import { performance } from 'node:perf_hooks';
import { reportAddresses, type ReportPlace } from '../../contract/reportRows.ts';
import { createTileReader } from '../../maps/readTiles.ts';
import { createReverseGeocoder } from '../../places/reverseGeocode.ts';
import type { HistoryReader } from '../../store/telemetry/historyReader.ts';
import { arrangeRows, TooManyRows, type ArrangedRows } from '../arrangeRows.ts';
import { runReport, type EncodedReport } from '../computeReport.ts';
import type { CsvRow } from '../csvColumns.ts';
import type { ReportJob, ReportRow } from '../reportOrder.ts';
import { ExportTooLarge } from './collected.ts';
import { pdfReport } from './pdfReport.ts';
import { exportTableOf } from './reportTable.ts';
import { createTripMaps } from './tripMaps.ts';
import { xlsxWorkbook } from './xlsxWorkbook.ts';
import type { KeepDays } from '../workedDays.ts';

/** What a report as a file may become. */
const limits = { rows: 500_000, bytes: 160 * 1024 * 1024 };

/**
 * Computes a report as XLSX or PDF, in the thread of reports alone: addresses and maps are read from the map files by the
 * thread itself. Of 500,000 rows those are held that have addresses, those that are printed, and the packed bytes.
 *
 * Errors of the reader are thrown on.
 */
export async function exportReport(
  order: ReportJob,
  reader: HistoryReader,
  onProgress: (fraction: number) => void,
  keep: KeepDays = () => undefined,
): Promise<EncodedReport> {
  const tiles = createTileReader(order.maps, () => undefined);
  try {
    const report = runReport(order, reader, onProgress, keep);
    const nameOf = createReverseGeocoder(tiles);
    const isByPlace = ['place', 'start', 'end'].includes(order.layout.sort?.column ?? '');
    const computed = counted(report.rows);
    const arranged = arrangeRows(order, isByPlace ? await withAddresses(computed, nameOf) : computed);
    const rows = await withAddresses(arranged === null ? computed : rowsOf(arranged.lines), nameOf);
    const form = order.format === 'pdf' ? 'pdf' : 'xlsx';
    const maps = createTripMaps(order, reader, tiles);
    const seen = form === 'pdf' && order.kind === 'trips' ? maps.watching(rows) : rows;
    const table = exportTableOf(order, report, seen, form, arranged);
    const pieces = await (form === 'pdf'
      ? pdfReport(table, limits.bytes, maps.append)
      : xlsxWorkbook(table, limits.bytes));
    return { kind: 'bytes', bytes: joined(pieces), slots: [] };
  } catch (error) {
    if (error instanceof TooManyRows) return { kind: 'too_long', max: `${error.max} rows` };
    if (error instanceof ExportTooLarge) return { kind: 'too_long', max: `${limits.bytes} bytes` };
    throw error;
  } finally {
    await tiles.close();
  }
}

function* counted(rows: Iterable<CsvRow>): Generator<CsvRow> {
  let seen = 0;
  for (const row of rows) {
    if (++seen > limits.rows) throw new TooManyRows(limits.rows);
    yield row;
  }
}

/** In their order, each once. */
function* rowsOf(lines: ArrangedRows['lines']): Generator<CsvRow> {
  yield* new Set(lines.flatMap((line) => (line.kind === 'row' ? [line.row] : [])));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, it) => sum + it.length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

/** The same rows, the first of them with their addresses: as many as may be named, as far as the time goes. */
async function withAddresses(
  rows: Generator<CsvRow>,
  nameOf: ReturnType<typeof createReverseGeocoder>,
): Promise<Iterable<CsvRow>> {
  const first: CsvRow[] = [];
  const places: ReportPlace[] = [];
  while (places.length < reportAddresses.points && first.length < reportAddresses.points) {
    const next = rows.next();
    if (next.done === true) break;
    first.push(next.value);
    places.push(...placesOf(next.value.row));
  }
  const end_ms = performance.now() + reportAddresses.wait_ms;
  for (const place of places) {
    if (performance.now() > end_ms) break;
    place.address ??= (await nameOf(place.lat, place.lon))?.text ?? null;
  }
  return (function* () {
    yield* first;
    yield* rows;
  })();
}

function placesOf(row: ReportRow): ReportPlace[] {
  if ('place' in row) return row.place === null ? [] : [row.place];
  return 'start' in row ? [row.start, row.end] : [];
}
