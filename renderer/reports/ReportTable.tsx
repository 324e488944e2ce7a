import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ReportLayout } from '../../server/contract/reportLayouts.ts';
import type { ReportKind } from '../../server/contract/reportRows.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { GroupsOf } from './useGroupsOf.ts';
import { KIND_NAMES } from './reportView.ts';
import {
  reportLines,
  totalsOf,
  type GroupLine,
  type ReportLine,
  type Totals,
} from '../../server/contract/reportLines.ts';
import { PrintedTable } from './ReportPrint.tsx';
import type { AnyRow } from './reportSubjects.ts';
import {
  shownColumns,
  useReportColumns,
  type ReportNames,
  type ReportTableColumn,
} from './useReportColumns.tsx';

export interface ReportTableProps {
  kind: ReportKind;
  rows: readonly AnyRow[];
  keyOf: (row: AnyRow) => string;
  names: ReportNames;
  groupsOf: GroupsOf | null;
  layout: ReportLayout & { sort: NonNullable<ReportLayout['sort']> };
  selectedKey: string | null;
  onSort: (sort: NonNullable<ReportLayout['sort']>) => void;
  printing: boolean;
  /** A click on a row, or Enter. */
  onSelect: (rowKey: string) => void;
}

/** A report's rows under the chosen columns, in groups with their totals; the last line has the totals of all. */
export function ReportTable(props: ReportTableProps) {
  const { kind, rows, keyOf, names, groupsOf, layout, selectedKey, onSort, onSelect } = props;
  const app = useAppContext();
  const t = useT();
  const all = useReportColumns(kind, names);
  const columns = useMemo(
    () => shownColumns(kind, layout.columns).flatMap((key) => all.find(({ id }) => id === key) ?? []),
    [all, layout.columns, kind],
  );
  const closed = useStore(app.reportsView, (state) => state.closedGroups);
  const { sort } = layout;
  const lines = useMemo(
    () => reportLines({ rows, keyOf, columns, sort, groupsOf, closed }),
    [rows, keyOf, columns, sort, groupsOf, closed],
  );
  const lineColumns = useMemo(() => columnsOfLines(columns), [columns]);
  const foot = useMemo(() => {
    const totals = totalTexts(columns, totalsOf(rows, columns));
    const [first] = columns;
    if (first !== undefined && first.total === undefined) {
      totals.set(first.id, t('reports.total', { count: rows.length, rows: formatNumber(rows.length) }));
    }
    return totals;
  }, [columns, rows, t]);
  const order = useMemo(
    () => ({
      sort: { id: sort.column, desc: sort.desc },
      onSort: ({ id, desc }: { id: string; desc: boolean }) => onSort({ column: id, desc }),
    }),
    [sort, onSort],
  );
  // A row of a vehicle in two groups is selected where it stands first.
  const selectedLine = useMemo(
    () => lines.find((line) => line.kind === 'row' && line.rowKey === selectedKey)?.key ?? null,
    [lines, selectedKey],
  );
  return (
    <>
      {props.printing && (
        <PrintedTable
          columns={lineColumns}
          lines={lines}
          keyOf={keyOfLine}
          isHeading={isHeading}
          foot={foot}
        />
      )}
      <DataTable
        name={t(KIND_NAMES[kind])}
        columns={lineColumns}
        rows={lines}
        keyOf={keyOfLine}
        selectedKey={selectedLine}
        order={order}
        isHeading={isHeading}
        foot={foot}
        onSelect={(line) => {
          if (line.kind === 'row') onSelect(line.rowKey);
          else toggle(app.reportsView, line.key);
        }}
      />
    </>
  );
}

const keyOfLine = ({ key }: { key: string }) => key;
const isHeading = ({ kind }: { kind: 'row' | 'group' }) => kind === 'group';

function toggle({ getState, setState }: ReturnType<typeof useAppContext>['reportsView'], key: string): void {
  const closedGroups = new Set(getState().closedGroups);
  if (!closedGroups.delete(key)) closedGroups.add(key);
  setState({ closedGroups });
}

function columnsOfLines<Row>(columns: readonly ReportTableColumn<Row>[]): Column<ReportLine<Row>>[] {
  return columns.map((column, at): Column<ReportLine<Row>> => {
    const { id, head, align, width, isName, value, cell, total } = column;
    const headingCell = (line: GroupLine): ReactNode => {
      if (at === 0) return <Heading line={line} />;
      return total === undefined ? null : totalCell(column, line.totals);
    };
    return {
      id,
      head,
      ...(align === undefined ? {} : { align }),
      ...(width === undefined ? {} : { width }),
      ...(isName === undefined ? {} : { isName }),
      value: (line) => (line.kind === 'row' ? value(line.row) : at === 0 ? line.name : null),
      cell: (line) =>
        line.kind === 'group' ? headingCell(line) : cell === undefined ? value(line.row) : cell(line.row),
    };
  });
}

function totalCell<Row>({ id, totalText }: ReportTableColumn<Row>, totals: Totals): ReactNode {
  const total = totals.get(id) ?? null;
  return total === null || totalText === undefined ? null : totalText(total);
}

function totalTexts<Row>(columns: readonly ReportTableColumn<Row>[], totals: Totals): Map<string, ReactNode> {
  return new Map(
    columns
      .filter(({ total }) => total !== undefined)
      .map((column) => [column.id, totalCell(column, totals)]),
  );
}

function Heading({ line: { name, count, isOpen } }: { line: GroupLine }) {
  return (
    <span className="report-group" title={name}>
      <Icon of={isOpen ? ChevronDown : ChevronRight} />
      <span>{name}</span>
      <span className="faint">{formatNumber(count)}</span>
    </span>
  );
}
