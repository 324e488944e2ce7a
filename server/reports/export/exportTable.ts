import type { ServerWords } from '../../contract/texts/serverWords.ts';
import type { Cell, CellKind } from './cells.ts';
import type { ExportChart } from './exportCharts.ts';

export interface ExportColumn {
  /** With the unit: “Distance, km”. */
  label: string;
  kind: CellKind;
  /** What stands below the column; without it, nothing does. */
  total?: 'sum' | 'max';
}

/** A report as it is written into a file for people: everything is named, and nothing is an id. */
export interface ExportTable {
  /** As “Trips”. */
  title: string;
  /** What was asked for and looked at, once the rows were walked through: the period first. */
  facts: () => readonly (readonly [name: string, value: string])[];
  columns: readonly ExportColumn[];
  /** Each with a cell for each column; walked through once. */
  rows: Iterable<readonly Cell[]>;
  /** Where rows stand below headings of groups. */
  groups?: {
    /** How many rows stand below a row that is a heading; 0: it is none. */
    headed: (row: readonly Cell[]) => number;
    /** By the columns, each row once: one of a vehicle in two groups stands in both. */
    totals: readonly (number | null)[];
    /** How many there are, each once. */
    rows: number;
  };
  /** Of the rows that were walked through; null: there is nothing to be drawn. */
  chart: () => ExportChart | null;
  /** The time zone of its clocks, a name of the IANA list. */
  tz: string;
  now_ms: number;
  words: ServerWords;
}

/** The totals of columns as rows go by, and how many rows there were. */
export function createTotals(columns: readonly ExportColumn[]) {
  const values = columns.map((): number | null => null);
  let rows = 0;
  return {
    add(row: readonly Cell[]): void {
      rows += 1;
      for (const [at, { total }] of columns.entries()) {
        const cell = row[at];
        if (total === undefined || typeof cell !== 'number') continue;
        const before = values[at] ?? null;
        values[at] = before === null ? cell : total === 'sum' ? before + cell : Math.max(before, cell);
      }
    },
    /** By the columns; null for none. */
    values: (): readonly (number | null)[] => values,
    rows: (): number => rows,
  };
}
