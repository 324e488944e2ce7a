import { ArrowDown, ArrowUp } from 'lucide-react';
import { useT } from '../i18n/useT.ts';
import { Icon } from './Icon.tsx';
import type { Boxes, Column, Keyed } from './tableColumn.ts';

/** The heads of the columns; each sorts, and again turns the order round. */
export function DataTableHead<Row>({
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
