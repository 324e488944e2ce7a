import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { DataTableBody } from './DataTableBody.tsx';
import { compareValues } from '../../server/contract/compareValues.ts';
import { type Column, type Keyed, inOrderOf, type Boxes } from './tableOrder.ts';
import './DataTable.css';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useT } from '../i18n/useT.ts';
import { Icon } from './Icon.tsx';

export type { Column } from './tableOrder.ts';

export interface DataTableProps<Row> {
  /** Spoken. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selectedKey?: string | null;
  /** Enter or a click on a row. */
  onSelect?: (row: Row) => void;
  /** The menu of a row was asked for, at a point of the page in pixels; answers whether it opened one. */
  onMenu?: (row: Row, at: { x: number; y: number }) => boolean;
  /** A box on each row and one in the head; leave out for none. */
  checked?: ReadonlySet<string>;
  onCheck?: (keys: ReadonlySet<string>) => void;
  initialSort?: { id: string; desc: boolean };
  /** Given where the owner of the table sorts its rows and keeps their order; null: none of the heads. */
  order?: {
    sort: { id: string; desc: boolean } | null;
    onSort: (sort: { id: string; desc: boolean }) => void;
  };
  /** Rows that head the ones below them. */
  isHeading?: (row: Row) => boolean;
  /** What stands under each column, by its id, in a last row that stays in sight. */
  foot?: ReadonlyMap<string, ReactNode>;
  /** Loads more when the end comes near; null when there is no more. */
  onEnd?: (() => void) | null;
  /** What the rows were asked for by (a search, a filter); when it changes, the table shows its top. */
  asked?: string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

const DEFAULT_WIDTH = 'minmax(80px, 1fr)';
const CHECK_WIDTH = '24px';

/**
 * Rows under heads that sort them; ten thousand cost no more than those on the screen. Arrows, Page, Home and End move
 * the row that Enter opens and Space ticks. `columns` and `rows` must keep their identity while they are the same.
 */
export function DataTable<Row>({
  name,
  columns,
  rows,
  keyOf,
  selectedKey = null,
  onSelect,
  onMenu,
  checked,
  onCheck,
  initialSort,
  order,
  isHeading,
  foot,
  onEnd = null,
  asked = '',
}: DataTableProps<Row>): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [ownSorting, setSorting] = useState<SortingState>(initialSort === undefined ? [] : [initialSort]);
  const orderId = order?.sort?.id;
  const orderDesc = order?.sort?.desc;
  const sorting = useMemo(() => {
    if (order === undefined) return ownSorting;
    return orderId === undefined || orderDesc === undefined ? [] : [{ id: orderId, desc: orderDesc }];
  }, [order, orderId, orderDesc, ownSorting]);

  const data = useMemo(() => rows.map((row): Keyed<Row> => ({ key: keyOf(row), row })), [rows, keyOf]);
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Keyed<Row>> => ({
        id: column.id,
        header: column.head,
        accessorFn: ({ row }) => column.value(row) ?? undefined,
        enableSorting: column.sortable ?? true,
        sortUndefined: 'last',
        sortDescFirst: false,
        sortFn: (a, b, columnId) =>
          compareValues(a.getValue<string | number>(columnId), b.getValue<string | number>(columnId)),
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => row.key,
    state: { sorting },
    onSortingChange: setSorting,
    manualSorting: order !== undefined,
    enableMultiSort: false,
    enableSortingRemoval: false,
  });
  const model = table.getRowModel();
  const sorted = useMemo(() => model.rows.map((row) => row.original), [model]);
  const { shown, hold } = useStableOrder(sorted, sorting);

  const filter = useMemo(() => ({ sorting, asked }), [sorting, asked]);

  const sortBy = (columnId: string) => {
    if (order === undefined) table.getColumn(columnId)?.toggleSorting();
    else order.onSort({ id: columnId, desc: columnId === orderId && orderDesc === false });
  };

  const tracks = columns.map((column) => column.width ?? DEFAULT_WIDTH);
  const boxes = checked !== undefined && onCheck !== undefined ? { checked, onCheck } : null;
  return (
    <div
      className="data-table"
      style={{ '--tracks': (boxes === null ? tracks : [CHECK_WIDTH, ...tracks]).join(' ') }}
    >
      <DataTableBody
        name={name}
        id={id}
        scroller={scroller}
        columns={columns}
        rows={shown}
        selectedKey={selectedKey}
        onSelect={onSelect ?? null}
        onMenu={onMenu ?? null}
        boxes={boxes}
        onEnd={onEnd}
        onHold={hold}
        filter={filter}
        isHeading={isHeading ?? null}
        foot={foot ?? null}
        head={
          <DataTableHead
            columns={columns}
            sort={sorting[0] ?? null}
            onSort={sortBy}
            rows={shown}
            boxes={boxes}
          />
        }
      />
    </div>
  );
}

/** A pointer that rests this long has stopped pointing. */
const REST_MS = 3_000;

/**
 * Keeps the rows where they are while the pointer is among them, though the values that they are sorted by change. A
 * row that comes or goes, and another `filter` of the operator (the sorting), go through at once.
 */
function useStableOrder<T extends { key: string }>(
  rows: readonly T[],
  filter: unknown,
): { shown: readonly T[]; hold: (frozen: boolean) => void } {
  const [frozen, setFrozen] = useState(false);
  const [frozenState, setFrozenState] = useState({ rows, filter, shown: rows });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  let shown = frozenState.shown;
  if (frozenState.rows !== rows || frozenState.filter !== filter || (!frozen && frozenState.shown !== rows)) {
    const steady =
      frozen && frozenState.filter === filter
        ? inOrderOf(
            frozenState.shown.map((row) => row.key),
            rows,
          )
        : null;
    shown = steady ?? rows;
    setFrozenState({ rows, filter, shown });
  }

  return {
    shown,
    hold(next) {
      clearTimeout(timer.current);
      setFrozen(next);
      if (next) timer.current = setTimeout(() => setFrozen(false), REST_MS);
    },
  };
}

/** The heads of the columns; each sorts, and again turns the order round. */
function DataTableHead<Row>({
  columns,
  sort,
  onSort,
  rows,
  boxes,
}: {
  columns: readonly Column<Row>[];
  sort: { id: string; desc: boolean } | null;
  onSort: (columnId: string) => void;
  rows: readonly Keyed<Row>[];
  boxes: Boxes | null;
}) {
  return (
    <div role="rowgroup" className="data-table__head">
      <div role="row" aria-rowindex={1} className="data-table__row data-table__row--head">
        {boxes !== null && (
          <div role="columnheader" className="data-table__box">
            <AllBox rows={rows} boxes={boxes} />
          </div>
        )}
        {columns.map((column) => {
          const isSorted = sort?.id === column.id;
          const end = column.align === 'end' ? ' data-table__cell--end' : '';
          if (column.sortable === false) {
            return (
              <div
                key={column.id}
                role="columnheader"
                className={`data-table__cell${end}`}
                title={column.head}
              >
                {column.head}
              </div>
            );
          }
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={isSorted ? (sort.desc ? 'descending' : 'ascending') : 'none'}
              className={`data-table__cell data-table__cell--head${end}`}
            >
              <button
                type="button"
                className="data-table__sort"
                title={column.head}
                onClick={() => onSort(column.id)}
              >
                <span className="ellipsis">{column.head}</span>
                {isSorted && <Icon of={sort.desc ? ArrowDown : ArrowUp} />}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function AllBox<Row>({ rows, boxes }: { rows: readonly Keyed<Row>[]; boxes: Boxes }) {
  const t = useT();
  const { checked, onCheck } = boxes;
  const count = checked.size === 0 ? 0 : rows.reduce((sum, { key }) => sum + (checked.has(key) ? 1 : 0), 0);
  const all = count > 0 && count === rows.length;
  return (
    <input
      type="checkbox"
      aria-label={t('table.check_all')}
      checked={all}
      disabled={rows.length === 0}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !all;
      }}
      onChange={() => {
        const next = new Set(checked);
        for (const { key } of rows) {
          if (all) next.delete(key);
          else next.add(key);
        }
        onCheck(next);
      }}
    />
  );
}
