import { columnsOfKind, type ReportColumn } from '../../contract/reportColumns.ts';
import type { GroupLine } from '../../contract/reportLines.ts';
import { createServerWords, type ServerWords } from '../../contract/texts/serverWords.ts';
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
  const words = createServerWords(order.wording);
  const columns = filledColumns(order, form, words);
  const chart = createReportChart(order, words);
  const headed = new Map<readonly Cell[], number>();
  return {
    title: words.title(kind),
    facts: () => factsOf(order, report, words),
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
    words,
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

function filledColumns(order: ReportJob, form: 'xlsx' | 'pdf', words: ServerWords): FilledColumn[] {
  const { kind, by_driver, layout } = order;
  const chosen = layout.columns;
  if (chosen === null) {
    const all = columnsOfKind(kind, by_driver);
    return form === 'xlsx'
      ? all.flatMap(sheetColumns(order, words))
      : all.filter(isPrinted(order)).map(pageColumn(order, words));
  }
  const byKey = new Map(columnsOfKind(kind, true).map((column) => [column.key, column]));
  const columns = chosen.flatMap((key) => byKey.get(key) ?? []);
  return columns.map(
    form === 'xlsx' ? (column) => plainColumn(order, column, words) : pageColumn(order, words),
  );
}

function sheetColumns(order: ReportJob, words: ServerWords): (column: Column) => FilledColumn[] {
  return (column) => {
    const plain = plainColumn(order, column, words);
    if (column.kind === 'id') return [];
    if (column.kind === 'vehicle') {
      return [plain, { label: words.say('file.plate'), kind: 'text', cell: ({ vehicle }) => vehicle.plate }];
    }
    if (column.kind !== 'place') return [plain];
    const degrees = (of: 'lat' | 'lon'): FilledColumn => ({
      label: words.say(of === 'lat' ? 'file.latitude' : 'file.longitude', { column: plain.label }),
      kind: 'degrees',
      cell: ({ row }) => column.value(row)?.[of] ?? null,
    });
    return [plain, degrees('lat'), degrees('lon')];
  };
}

/** Fields that say of a time that it is the end of what was looked at, and not of what is reported. */
const openSides: Readonly<Record<string, readonly [field: string, word: 'file.before' | 'file.after']>> = {
  start_time: ['open_start', 'file.before'],
  enter_time: ['open_start', 'file.before'],
  first_departure: ['open_start', 'file.before'],
  end_time: ['open_end', 'file.after'],
  exit_time: ['open_end', 'file.after'],
  last_arrival: ['open_end', 'file.after'],
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

function pageColumn(order: ReportJob, words: ServerWords): (column: Column) => FilledColumn {
  const clockAt = wallClock(order.tz);
  return (column) => {
    const plain = plainColumn(order, column, words);
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
        const minute = words.clock(clockAt(Date.parse(time)).slice(0, 16));
        return isOpen ? words.say(side[1], { time: minute }) : minute;
      },
    };
  };
}

function factsOf(
  order: ReportJob,
  report: RunningReport,
  words: ServerWords,
): ReturnType<ExportTable['facts']> {
  const { tz, kind, period, vehicles } = order;
  const clockAt = wallClock(tz);
  const minute = (time_ms: number) => words.clock(clockAt(time_ms).slice(0, 16));
  const head = report.head();
  const [only] = vehicles;
  return [
    [
      words.say('file.fact.period'),
      words.say('file.period_in_zone', {
        from: minute(period.from_ms),
        to: minute(period.to_ms),
        zone: tz,
      }),
    ],
    [
      words.say('file.fact.vehicles'),
      vehicles.length === 1 && only !== undefined ? only.name : String(vehicles.length),
    ],
    ...(recorded.has(kind) ? [] : [[words.say('file.fact.positions'), String(head.positions)] as const]),
    ...parametersOf(order, words),
    ...numberNames
      .filter((name) => usedBy(kind, name))
      .map((name) => [words.threshold(name), thresholdText(name, order.numbers[name], words)] as const),
  ];
}

function thresholdText(name: string, value: number, words: ServerWords): string {
  const shown = name.endsWith('_kmh')
    ? words.speed(value)
    : name.endsWith('_m')
      ? words.length(value)
      : value;
  return String(Math.round(shown * 10) / 10).replace('.', words.decimalSign);
}

/** Mon; 1 is Monday, as in ISO 8601. */
const weekdayOf = (day: number, locale: string): string =>
  // The first of January 2024 was a Monday.
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));

/** What a report is asked for beside its thresholds. */
function parametersOf(order: ReportJob, words: ServerWords): [string, string][] {
  const { kind, vehicles, driver_id, working_hours, limit_kmh, min_duration_s } = order;
  const parameters: [string, string][] = [];
  if (driver_id !== undefined) {
    const drive = vehicles.flatMap((it) => it.drives ?? []).find((it) => it.driver_id === driver_id);
    if (drive !== undefined) parameters.push([words.say('file.fact.driver'), drive.name]);
  }
  if (kind === 'hours') {
    const { days, from, to } = working_hours;
    const named = days.toSorted().map((day) => weekdayOf(day, words.locale));
    parameters.push([
      words.say('file.fact.working_hours'),
      `${named.join(', ')} ${words.say('file.period', { from: words.clock(from), to: words.clock(to) })}`,
    ]);
  }
  if (kind === 'overspeed' && limit_kmh !== null)
    parameters.push([words.say('file.fact.limit'), thresholdText('limit_kmh', limit_kmh, words)]);
  if (min_duration_s > 0) parameters.push([words.say('file.fact.min_duration'), String(min_duration_s)]);
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
