import { createCsvSlots } from './addressSlots.ts';
import { arrangeRows } from './arrangeRows.ts';
import { csvColumns, type CsvRow } from './csvColumns.ts';
import { csvHead, csvLine, lineEnd, type CsvColumn } from './csvTable.ts';
import type { ReportJob, ReportResult } from './reportOrder.ts';

/** The first two columns where rows are gathered: what a line is, and the name of the group. */
interface GroupCells {
  line: 'group' | 'row' | 'total';
  group: string;
}

const groupColumns: readonly CsvColumn<GroupCells>[] = [
  { name: 'line', cell: ({ line }) => line },
  { name: 'group', cell: ({ group }) => group },
];

/**
 * A report as CSV. Rows that are gathered have two columns more: `line` says `row`, `group` for the heading of a group
 * with its totals, and `total` for the last line.
 *
 * @throws TooManyRows
 */
export function csvReport(order: ReportJob, rows: Iterable<CsvRow>, max: number): ReportResult {
  const { columns, placeKeys } = csvColumns(order);
  const arranged = arrangeRows(order, rows);
  const isGrouped = arranged?.isGrouped === true;
  const head = csvHead(isGrouped ? [...groupColumns, ...columns] : columns);
  const texts = [head];
  const slots = createCsvSlots(head, placeKeys);
  const totalColumns = columns.map(({ name }): CsvColumn<ReadonlyMap<string, number | null>> => ({
    name,
    cell(totals) {
      const total = totals.get(name) ?? null;
      // Tenths and thousandths do not add up exactly.
      return total === null ? null : Number(total.toFixed(3));
    },
  }));
  function add(text: string, row: CsvRow['row'] | null): void {
    texts.push(text);
    slots.add(text, row);
  }
  const grouped = (cells: GroupCells, text: string) =>
    isGrouped ? `${csvLine(groupColumns, cells).slice(0, -lineEnd.length)},${text}` : text;

  if (arranged === null) {
    for (const row of rows) {
      if (texts.length > max) return { kind: 'too_long', max };
      add(csvLine(columns, row), row.row);
    }
  } else {
    let group = '';
    for (const line of arranged.lines) {
      if (line.kind === 'group') {
        group = line.name;
        add(grouped({ line: 'group', group }, csvLine(totalColumns, line.totals)), null);
      } else {
        add(grouped({ line: 'row', group }, csvLine(columns, line.row)), line.row.row);
      }
    }
    if (isGrouped) add(grouped({ line: 'total', group: '' }, csvLine(totalColumns, arranged.totals)), null);
  }
  return { kind: 'csv', text: texts.join(''), slots: slots.slots };
}
