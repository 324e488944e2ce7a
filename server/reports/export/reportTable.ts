import { columnsOfKind, type ReportColumn } from '../../contract/reportColumns.ts';
import type { GroupLine } from '../../contract/reportLines.ts';
import { reportTitle, thresholdTexts } from '../../contract/reportTexts.ts';
import type { ArrangedRows } from '../arrangeRows.ts';
import type { RunningReport } from '../computeReport.ts';
import type { CsvRow } from '../csvColumns.ts';
import { wallClock } from '../localDays.ts';
import { plainColumn, type FilledColumn } from '../plainColumns.ts';
import { numberNames, type ReportJob, type ReportRow } from '../reportOrder.ts';
import type { Cell } from './cells.ts';
import type { ExportTable } from './exportTable.ts';
import { createReportChart } from './reportCharts.ts';

type Column = ReportColumn<ReportRow>;

/**
 * A report as it is written for people. Where no columns are chosen, spreadsheets get all but ids, to be filtered and
 * added up, and pages get those that are read. On pages times say themselves what lies beyond the period.
 *
 * @param rows each once; they are shown as they come, or else in the lines of `arranged`
 */
export function exportTableOf(
  order: ReportJob,
  report: RunningReport,
  rows: Iterable<CsvRow>,
  form: 'xlsx' | 'pdf',
  arranged: ArrangedRows | null,
): ExportTable {
  const { kind, tz, now_ms } = order;
  const columns = filledColumns(order, form);
  const chart = createReportChart(order);
  const headed = new Map<readonly Cell[], number>();
  return {
    title: reportTitle(kind),
    facts: () => factsOf(order, report),
    columns,
    rows: (function* () {
      for (const row of rows) {
        chart.add(row);
        if (arranged === null) yield columns.map((it) => it.cell(row));
      }
      for (const line of arranged?.lines ?? []) {
        if (line.kind === 'row') yield columns.map((it) => it.cell(line.row));
        else yield headingOf(line, columns, headed);
      }
    })(),
    ...(arranged?.isGrouped === true && {
      groups: {
        headed: (row) => headed.get(row) ?? 0,
        totals: columns.map(({ key }) => arranged.totals.get(key ?? '') ?? null),
        rows: arranged.rows.length,
      },
    }),
    chart: chart.drawn,
    tz,
    now_ms,
  };
}

/** The name of a group, and the totals of the rows below it; noted in `headed`. */
function headingOf(
  { name, count, totals }: GroupLine,
  columns: readonly FilledColumn[],
  headed: Map<readonly Cell[], number>,
): readonly Cell[] {
  const cells = columns.map(({ key }, at) =>
    at === 0 ? `${name} (${count})` : (totals.get(key ?? '') ?? null),
  );
  headed.set(cells, count);
  return cells;
}

function filledColumns(order: ReportJob, form: 'xlsx' | 'pdf'): FilledColumn[] {
  const { kind, by_driver, layout } = order;
  const chosen = layout.columns;
  if (chosen === null) {
    const all = columnsOfKind(kind, by_driver);
    return form === 'xlsx'
      ? all.flatMap(sheetColumns(order))
      : all.filter(isPrinted(order)).map(pageColumn(order));
  }
  const byKey = new Map(columnsOfKind(kind, true).map((column) => [column.key, column]));
  const columns = chosen.flatMap((key) => byKey.get(key) ?? []);
  return columns.map(form === 'xlsx' ? (column) => plainColumn(order, column) : pageColumn(order));
}

function sheetColumns(order: ReportJob): (column: Column) => FilledColumn[] {
  return (column) => {
    const plain = plainColumn(order, column);
    if (column.kind === 'id') return [];
    if (column.kind === 'vehicle') {
      return [plain, { label: 'Number plate', kind: 'text', cell: ({ vehicle }) => vehicle.plate }];
    }
    if (column.kind !== 'place') return [plain];
    const degrees = (of: 'lat' | 'lon'): FilledColumn => ({
      label: `${plain.label}, ${of === 'lat' ? 'latitude' : 'longitude'}`,
      kind: 'degrees',
      cell: ({ row }) => column.value(row)?.[of] ?? null,
    });
    return [plain, degrees('lat'), degrees('lon')];
  };
}

/** Fields that say of a time that it is the end of what was looked at, and not of what is reported. */
const openSides: Readonly<Record<string, readonly [field: string, word: string]>> = {
  start_time: ['open_start', 'before'],
  enter_time: ['open_start', 'before'],
  first_departure: ['open_start', 'before'],
  end_time: ['open_end', 'after'],
  exit_time: ['open_end', 'after'],
  last_arrival: ['open_end', 'after'],
};

/** To be read in any report, and for what the width of a page is too small. */
const unprinted: ReadonlySet<string> = new Set([
  ...['max_speed_time', 'odometer_m', 'positions', 'first_time', 'last_time', 'late', 'note'],
  ...['stream', 'attempts', 'alarm', 'rule_id', 'created_by'],
]);

const isPrinted =
  (order: ReportJob) =>
  ({ key, kind }: Column) =>
    kind !== 'id' &&
    kind !== 'flag' &&
    !unprinted.has(key) &&
    (order.kind !== 'hours' || key !== 'distance_by');

function pageColumn(order: ReportJob): (column: Column) => FilledColumn {
  const clockAt = wallClock(order.tz);
  return (column) => {
    const plain = plainColumn(order, column);
    const side = openSides[column.key];
    // Twenty-four of them stand beside each other.
    if (order.kind === 'hours' && /_\d\d$/.test(column.key)) return { ...plain, kind: 'minutes' };
    if (column.kind !== 'time') return plain;
    return {
      ...plain,
      cell({ row }) {
        const time = column.value(row);
        if (time === null) return null;
        const isOpen = side !== undefined && (row as unknown as Record<string, unknown>)[side[0]] === true;
        return `${isOpen ? `${side[1]} ` : ''}${clockAt(Date.parse(time)).slice(0, 16)}`;
      },
    };
  };
}

function factsOf(order: ReportJob, report: RunningReport): ReturnType<ExportTable['facts']> {
  const { tz, kind, period, vehicles } = order;
  const clockAt = wallClock(tz);
  const minute = (time_ms: number) => clockAt(time_ms).slice(0, 16);
  const head = report.head();
  const [only] = vehicles;
  return [
    ['Period', `${minute(period.from_ms)} to ${minute(period.to_ms)}, ${tz}`],
    ['Vehicles', vehicles.length === 1 && only !== undefined ? only.name : String(vehicles.length)],
    ...(recorded.has(kind) ? [] : [['Positions', String(head.positions)] as const]),
    ...parametersOf(order),
    ...numberNames
      .filter((name) => usedBy(kind, name))
      .map((name) => [thresholdTexts[`numbers.${name}`], String(order.numbers[name])] as const),
  ];
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** What a report is asked for beside its thresholds. */
function parametersOf(order: ReportJob): [string, string][] {
  const { kind, vehicles, driver_id, working_hours, limit_kmh, min_duration_s } = order;
  const parameters: [string, string][] = [];
  if (driver_id !== undefined) {
    const drive = vehicles.flatMap((it) => it.drives ?? []).find((it) => it.driver_id === driver_id);
    if (drive !== undefined) parameters.push(['Driver', drive.name]);
  }
  if (kind === 'hours') {
    const { days, from, to } = working_hours;
    const named = days.toSorted().map((day) => weekdays[day - 1] ?? '');
    parameters.push(['Working hours', `${named.join(', ')} ${from} to ${to}`]);
  }
  if (kind === 'overspeed' && limit_kmh !== null) parameters.push(['Limit, km/h', String(limit_kmh)]);
  if (min_duration_s > 0) parameters.push(['Minimum duration, s', String(min_duration_s)]);
  return parameters;
}

/** Of what was written down when it happened, and not of positions. */
const recorded: ReadonlySet<ReportJob['kind']> = new Set(['events', 'video']);

/** Whether a report depends on a threshold. */
function usedBy(kind: ReportJob['kind'], name: string): boolean {
  if (recorded.has(kind)) return false;
  if (name.startsWith('overspeed_')) return kind === 'overspeed';
  if (name === 'crossing_max_gap_s') return kind === 'geofence-visits';
  return kind !== 'overspeed';
}
