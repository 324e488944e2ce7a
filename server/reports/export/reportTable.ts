import { reportColumns, type ReportColumn } from '../../contract/reportColumns.ts';
import type { ReportPlace } from '../../contract/reportRows.ts';
import { reportCodeText, reportColumnText, reportTitle, thresholdTexts } from '../../contract/reportTexts.ts';
import type { RunningReport } from '../computeReport.ts';
import type { CsvRow } from '../csvColumns.ts';
import { wallClock } from '../localDays.ts';
import { numberNames, type ReportJob, type ReportRow } from '../reportOrder.ts';
import type { Cell, CellKind } from './cells.ts';
import type { ExportColumn, ExportTable } from './exportTable.ts';
import { createReportChart } from './reportCharts.ts';

/** A column as it is filled from rows. */
interface FilledColumn extends ExportColumn {
  cell: (row: CsvRow) => Cell;
}

type Column = ReportColumn<ReportRow>;

/**
 * A report as it is written for people. Spreadsheets get all columns but ids, to be filtered and added up; pages get those
 * that are read, and times that say themselves what lies beyond the period.
 */
export function exportTableOf(
  order: ReportJob,
  report: RunningReport,
  rows: Iterable<CsvRow>,
  form: 'xlsx' | 'pdf',
): ExportTable {
  const { kind, tz, now_ms } = order;
  // The rows are of the kind that the columns are of.
  const all = reportColumns[kind] as readonly Column[];
  const columns = form === 'xlsx' ? all.flatMap(sheetColumns(order)) : pageColumns(order, all);
  const chart = createReportChart(order);
  return {
    title: reportTitle(kind),
    facts: () => factsOf(order, report),
    columns,
    rows: (function* () {
      for (const row of rows) {
        chart.add(row);
        yield columns.map((it) => it.cell(row));
      }
    })(),
    chart: chart.drawn,
    tz,
    now_ms,
  };
}

const kinds: Readonly<Record<Column['kind'], CellKind>> = {
  vehicle: 'text',
  text: 'text',
  code: 'text',
  id: 'text',
  time: 'time',
  date: 'date',
  flag: 'flag',
  duration_s: 'duration',
  distance_m: 'distance',
  speed_kmh: 'speed',
  count: 'count',
  number: 'number',
  share: 'share',
  bytes: 'bytes',
  place: 'text',
  geofence: 'text',
  rule: 'text',
  user: 'text',
};
const units: Readonly<Partial<Record<Column['kind'], string>>> = { distance_m: 'km', bytes: 'MB' };

const millis = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** A column of the contract with a cell that a file for people holds. */
function plainColumn({ kind, geofences, names }: ReportJob, column: Column): FilledColumn {
  const unit = units[column.kind];
  const label = reportColumnText(kind, column.key);
  const head = {
    label: unit === undefined || label.endsWith(`, ${unit}`) ? label : `${label}, ${unit}`,
    kind: kinds[column.kind],
    ...(column.total === undefined ? {} : { total: column.total }),
  };
  const geofenceNames = new Map(geofences.map((it) => [it.geozone_id, it.name]));
  const named = (nameOf: (id: string) => string | undefined): FilledColumn => ({
    ...head,
    cell({ row }) {
      const id = column.value(row) as string | null;
      return id === null ? null : (nameOf(id) ?? null);
    },
  });
  switch (column.kind) {
    case 'vehicle':
      return { ...head, cell: ({ vehicle }) => vehicle.name };
    case 'geofence':
      return named((id) => geofenceNames.get(id));
    case 'rule':
      return named((id) => names.rules.get(id));
    case 'user':
      return named((id) => names.users.get(id));
    case 'code':
      return named((code) => reportCodeText(column.key, code));
    case 'time':
      return { ...head, cell: ({ row }) => millis(column.value(row)) };
    case 'place':
      return {
        ...head,
        cell({ row }) {
          const place = column.value(row);
          return place === null ? null : placeText(place, geofenceNames);
        },
      };
    default:
      return { ...head, cell: ({ row }) => column.value(row) };
  }
}

/** As on the screen: the geofences and the address, else where it is. */
function placeText(
  { lat, lon, address, geozone_ids }: ReportPlace,
  names: ReadonlyMap<string, string>,
): string {
  const parts = [...geozone_ids.flatMap((id) => names.get(id) ?? []), ...(address === null ? [] : [address])];
  return parts.length === 0 ? `${lat.toFixed(5)}, ${lon.toFixed(5)}` : parts.join(' · ');
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

function pageColumns(order: ReportJob, all: readonly Column[]): FilledColumn[] {
  const clockAt = wallClock(order.tz);
  return all
    .filter(({ key, kind }) => kind !== 'id' && kind !== 'flag' && !unprinted.has(key))
    .filter(({ key }) => order.kind !== 'hours' || key !== 'distance_by')
    .map((column) => {
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
    });
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
function parametersOf({ kind, working_hours, limit_kmh, min_duration_s }: ReportJob): [string, string][] {
  const parameters: [string, string][] = [];
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
