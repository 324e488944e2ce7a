import { compareValues } from './compareValues.ts';
import type { ReportLayout } from './reportLayouts.ts';

/** A column of a report, as its lines are ordered and added up by it. */
export interface LineColumn<Row> {
  id: string;
  /** How the values of rows are made one. */
  total?: 'sum' | 'max' | undefined;
  /** What is sorted by. Null comes last in either direction. */
  value: (row: Row) => string | number | null;
}

/** What rows are gathered under; groups stand in the order of `order`. */
export interface RowGroup {
  key: string;
  name: string;
  order: string | number;
}

/** The totals of some rows by the ids of their columns; null: no row has a value. */
export type Totals = ReadonlyMap<string, number | null>;

export interface RowLine<Row> {
  kind: 'row';
  /** Of the line: a row of a vehicle in two groups stands in both. */
  key: string;
  rowKey: string;
  row: Row;
}

export interface GroupLine {
  kind: 'group';
  key: string;
  name: string;
  count: number;
  isOpen: boolean;
  totals: Totals;
}

export type ReportLine<Row> = RowLine<Row> | GroupLine;

/** The key of a group's line. */
export const groupLineKey = ({ key }: Pick<RowGroup, 'key'>): string => `group ${key}`;

export function totalsOf<Row>(
  rows: readonly Row[],
  columns: readonly LineColumn<Row>[],
): Map<string, number | null> {
  const totals = new Map<string, number | null>();
  for (const { id, total, value } of columns) {
    if (total === undefined) continue;
    let result: number | null = null;
    for (const row of rows) {
      const one = value(row);
      if (typeof one !== 'number') continue;
      if (result === null) result = one;
      else result = total === 'sum' ? result + one : Math.max(result, one);
    }
    totals.set(id, result);
  }
  return totals;
}

export interface LineOrder<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly LineColumn<Row>[];
  sort: ReportLayout['sort'];
  /** Null: no grouping. */
  groupsOf: ((row: Row) => readonly RowGroup[]) | null;
  /** Keys of the lines of groups whose rows are not shown. */
  closed: ReadonlySet<string>;
}

/**
 * The lines of a report's table. Groups of time stand in its order; others by the total of the column that is sorted
 * by, where it has one, else by their names. A row of several groups stands in each of them.
 */
export function reportLines<Row>({
  rows,
  keyOf,
  columns,
  sort,
  groupsOf,
  closed,
}: LineOrder<Row>): ReportLine<Row>[] {
  const sorted = sortRows(rows, columns, sort);
  if (groupsOf === null) {
    return sorted.map((row) => ({ kind: 'row', key: keyOf(row), rowKey: keyOf(row), row }));
  }
  const groups = new Map<string, RowGroup & { rows: Row[]; totals: Totals }>();
  for (const row of sorted) {
    for (const group of groupsOf(row)) {
      const known = groups.get(group.key);
      if (known === undefined) groups.set(group.key, { ...group, rows: [row], totals: new Map() });
      else known.rows.push(row);
    }
  }
  for (const group of groups.values()) group.totals = totalsOf(group.rows, columns);
  return [...groups.values()].sort(byTotalOf(sort)).flatMap(({ key, name, rows: members, totals }) => {
    const headingKey = groupLineKey({ key });
    const isOpen = !closed.has(headingKey);
    const heading: GroupLine = {
      kind: 'group',
      key: headingKey,
      name,
      count: members.length,
      isOpen,
      totals,
    };
    const lines = isOpen
      ? members.map((row): RowLine<Row> => ({
          kind: 'row',
          key: `${key} ${keyOf(row)}`,
          rowKey: keyOf(row),
          row,
        }))
      : [];
    return [heading, ...lines];
  });
}

function byTotalOf(sort: ReportLayout['sort']) {
  return (a: RowGroup & { totals: Totals }, b: RowGroup & { totals: Totals }): number => {
    const [of, other] = [a, b].map(({ totals }) => totals.get(sort?.column ?? '') ?? null);
    const byName = compareValues(a.order, b.order);
    // Numbers are moments.
    if (typeof a.order === 'number' || sort === null || of == null || other == null) return byName;
    return (sort.desc ? other - of : of - other) || byName;
  };
}

/** Without a value last, in either direction. */
function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly LineColumn<Row>[],
  sort: ReportLayout['sort'],
): Row[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (sort === null || column === undefined) return [...rows];
  const valued = rows.map((row) => ({ row, value: column.value(row) }));
  const sign = sort.desc ? -1 : 1;
  return valued
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return sign * compareValues(a.value, b.value);
    })
    .map(({ row }) => row);
}
