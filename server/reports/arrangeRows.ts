import { createCalendarDays, createCalendarNames } from '../contract/calendarDays.ts';
import { columnsOfKind } from '../contract/reportColumns.ts';
import { rowGroups, type Groupable } from '../contract/reportGroups.ts';
import {
  reportLines,
  totalsOf,
  type LineColumn,
  type ReportLine,
  type Totals,
} from '../contract/reportLines.ts';
import { createServerWords } from '../contract/texts/serverWords.ts';
import type { CsvRow } from './csvColumns.ts';
import { plainColumn } from './plainColumns.ts';
import type { ReportJob } from './reportOrder.ts';

/** Rows that are sorted or gathered are held, all of them: some 100 MB. */
const mostArranged = 100_000;
/** A vehicle may be in 1,000 groups, and each row of it is a line in each of them. */
const mostLines = 300_000;

/** Thrown when there are more rows than one answer holds. */
export class TooManyRows extends Error {
  override name = 'TooManyRows';
  readonly max: number;
  constructor(max: number) {
    super(`there are more than ${max} rows`);
    this.max = max;
  }
}

export interface ArrangedRows {
  /** Rows and headings of groups; a row of a vehicle in two groups stands in both. */
  lines: readonly ReportLine<CsvRow>[];
  /** Each once, in the order in which they were computed. */
  rows: readonly CsvRow[];
  /** Of all rows, by the keys of columns. */
  totals: Totals;
  isGrouped: boolean;
}

/**
 * The rows of a report in the asked order, below headings if they are asked for: the lines of the table on the screen.
 *
 * @returns null: neither is asked for, and nothing was taken from the rows
 * @throws TooManyRows
 */
export function arrangeRows(
  order: ReportJob,
  rows: Iterable<CsvRow>,
  { rows: max, lines: max_lines }: { rows: number; lines: number } = { rows: mostArranged, lines: mostLines },
): ArrangedRows | null {
  const { layout, kind, tz, names, period } = order;
  if (layout.sort === null && layout.group_by === 'none') return null;
  const words = createServerWords(order.wording);
  const vehicleNames = new Map(order.vehicles.map((it) => [it.vehicle_id, it.name]));
  const groupsOfVehicle = new Map(
    order.vehicles.map(({ vehicle_id, group_ids }) => [
      vehicle_id,
      group_ids.flatMap((id) => {
        const name = names.groups.get(id);
        return name === undefined ? [] : [{ id, name }];
      }),
    ]),
  );
  const linesOf = ({ row }: CsvRow) =>
    layout.group_by === 'group' ? Math.max(1, groupsOfVehicle.get(row.vehicle_id)?.length ?? 0) : 1;
  const held: CsvRow[] = [];
  let count = 0;
  for (const row of rows) {
    if (held.length >= max) throw new TooManyRows(max);
    count += linesOf(row);
    if (count > max_lines) throw new TooManyRows(max_lines);
    held.push(row);
  }
  const groupsOf = rowGroups(layout.group_by, {
    vehicleName: (id) => vehicleNames.get(id) ?? '',
    groupsOf: (id) => groupsOfVehicle.get(id) ?? [],
    noGroup: words.say('reports.no_group'),
    noDriver: words.say('reports.no_driver'),
    days: createCalendarDays(tz),
    spans: createCalendarNames(words.locale, (parts) => words.say('reports.week', { ...parts })),
  });
  const columns = columnsOfKind(kind, true).map((column): LineColumn<CsvRow> => {
    const { cell } = plainColumn(order, column, words);
    return {
      id: column.key,
      total: column.total,
      value(row) {
        const value = cell(row);
        return typeof value === 'boolean' ? (value ? 1 : null) : value;
      },
    };
  });
  const lines = reportLines({
    rows: held,
    keyOf: () => '',
    columns,
    sort: layout.sort,
    groupsOf: groupsOf === null ? null : ({ row }) => groupsOf(gatheredBy(row, period.from_ms)),
    closed: new Set(),
  });
  return { lines, rows: held, totals: totalsOf(held, columns), isGrouped: groupsOf !== null };
}

/** When a row begins, by the fields of those kinds that say so. */
const begins = ['start_time', 'enter_time', 'time'] as const;

function gatheredBy(row: CsvRow['row'], from_ms: number): Groupable {
  const fields: Partial<Record<string, unknown>> = { ...row };
  const begin = begins.map((name) => fields[name]).find((it) => typeof it === 'string');
  return {
    vehicleId: row.vehicle_id,
    driver: row.driver ?? null,
    driverId: row.driver_id ?? null,
    date: 'date' in row ? row.date : null,
    from: begin === undefined ? from_ms : Date.parse(begin),
  };
}
