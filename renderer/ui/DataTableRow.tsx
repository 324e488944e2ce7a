import { memo, type MouseEvent } from 'react';
import { useT } from '../i18n/useT.ts';
import type { Column } from './tableColumn.ts';

function DrawnRow<Row>({
  id,
  rowKey,
  index,
  top,
  columns,
  row,
  active,
  selected,
  opens,
  onClick,
  checked,
  onTick,
}: {
  id: string;
  rowKey: string;
  /** Among all rows, from 0. */
  index: number;
  /** Pixels. */
  top: number;
  columns: readonly Column<Row>[];
  row: Row;
  /** The keys act on it. */
  active: boolean;
  /** Null where nothing can be selected. */
  selected: boolean | null;
  opens: boolean;
  onClick: (event: MouseEvent, rowKey: string) => void;
  /** Null where there are no boxes. */
  checked: boolean | null;
  onTick: (rowKey: string, withShift: boolean) => void;
}) {
  const t = useT();
  const name = (columns.find((column) => column.isName) ?? columns[0])?.value(row) ?? index + 1;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected ?? undefined}
      className="data-table__row"
      data-active={active || undefined}
      data-opens={opens || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onClick(event, rowKey)}
    >
      {checked !== null && (
        <div role="gridcell" className="data-table__box">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t('table.check', { name })}
            checked={checked}
            onClick={(event) => onTick(rowKey, event.shiftKey)}
            onChange={ignore}
          />
        </div>
      )}
      {columns.map((column) => {
        const value = column.value(row);
        return (
          <div
            key={column.id}
            role="gridcell"
            className={column.align === 'end' ? 'data-table__cell data-table__cell--end' : 'data-table__cell'}
            title={column.cell === undefined && typeof value === 'string' ? value : undefined}
          >
            {column.cell === undefined ? value : column.cell(row)}
          </div>
        );
      })}
    </div>
  );
}

/** Drawn anew only when the row itself changes, not for each step that the table scrolls. */
export const DataTableRow = memo(DrawnRow) as typeof DrawnRow;

/** A click has the Shift key, a change does not; both come, so only the click is handled. */
const ignore = (): void => undefined;
