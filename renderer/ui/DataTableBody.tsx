import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Boxes, type Column, type Keyed, rangeOf } from './tableOrder.ts';
import { useT } from '../i18n/useT.ts';
import { useRowKeys, useVirtualRows } from './useVirtualRows.ts';
import { useMenuRequests } from './ContextMenu.tsx';

const ROW_PX = 32;
const HEAD_PX = 32;
/** Rows before the last one at which more are asked for. */
const NEAR_END = 20;

/** The part of a table that scrolls and takes the keys. */
export function DataTableBody<Row>({
  name,
  id,
  scroller,
  columns,
  rows,
  head,
  selectedKey,
  onSelect,
  onMenu,
  boxes,
  onEnd,
  onHold,
  filter,
  isHeading,
  foot,
}: {
  name: string;
  /** Of the page; rows make theirs of it. */
  id: string;
  scroller: RefObject<HTMLDivElement | null>;
  columns: readonly Column<Row>[];
  rows: readonly Keyed<Row>[];
  head: ReactNode;
  selectedKey: string | null;
  onSelect: ((row: Row) => void) | null;
  onMenu: ((row: Row, at: { x: number; y: number }) => boolean) | null;
  boxes: Boxes | null;
  onEnd: (() => void) | null;
  onHold: (frozen: boolean) => void;
  /** Changes when the operator asks for another order, or for other rows. */
  filter: unknown;
  isHeading: ((row: Row) => boolean) | null;
  /** By the ids of the columns. */
  foot: ReadonlyMap<string, ReactNode> | null;
}) {
  const [active, setActive] = useState<string | null>(null);
  const lastBox = useRef<string | null>(null);
  const rowKeys = useRowKeys(rows);
  const { keys, indexOf } = rowKeys;
  const activeKey =
    active !== null && indexOf.has(active)
      ? active
      : selectedKey !== null && indexOf.has(selectedKey)
        ? selectedKey
        : null;
  const activeIndex = activeKey === null ? null : (indexOf.get(activeKey) ?? null);

  // The active row is always drawn: screen readers know it by its id.
  const pinned = useCallback(() => activeIndex, [activeIndex]);
  const { virtual, pointer } = useVirtualRows({
    scroller,
    rows: rowKeys,
    rowPx: ROW_PX,
    filter,
    pinned,
    selectedKey,
    scrollPaddingEnd: foot === null ? HEAD_PX : 2 * HEAD_PX,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useAskedAtEnd(lastShown >= rows.length - NEAR_END, keys, onEnd);

  const tick = (key: string, withShift: boolean) => {
    if (boxes === null) return;
    const next = new Set(boxes.checked);
    const on = !next.has(key);
    for (const each of rangeOf(keys, key, withShift ? lastBox.current : null)) {
      if (on) next.add(each);
      else next.delete(each);
    }
    lastBox.current = key;
    boxes.onCheck(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onGrid = event.target === event.currentTarget;
    const row = activeIndex === null ? undefined : rows[activeIndex];
    if (onGrid && event.key === 'Enter' && row !== undefined && onSelect !== null) {
      event.preventDefault();
      onSelect(row.row);
    } else if (onGrid && event.key === ' ' && row !== undefined && boxes !== null) {
      event.preventDefault();
      tick(row.key, event.shiftKey);
    } else if (onGrid || takesNoArrows(event.target)) {
      const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_PX) / ROW_PX) - 1);
      const wanted = wantedIndex(event.key, activeIndex, rows.length, page);
      const key = wanted === null ? undefined : keys[wanted];
      if (wanted === null || key === undefined) return;
      event.preventDefault();
      setActive(key);
      virtual.scrollToIndex(wanted);
    }
  };

  const open = (event: MouseEvent, key: string) => {
    setActive(key);
    const inner = event.target instanceof Element ? event.target.closest('a, button, input, label') : null;
    const row = rows[indexOf.get(key) ?? -1];
    if (row !== undefined && (inner === null || !event.currentTarget.contains(inner))) onSelect?.(row.row);
  };
  const requests = useMenuRequests(
    ({ target, x, y }) => {
      const key = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
      const row = rows[indexOf.get(key ?? '') ?? -1];
      if (row === undefined || onMenu === null) return false;
      setActive(row.key);
      return onMenu(row.row, { x, y });
    },
    () => (activeKey === null ? null : document.getElementById(rowId(id, activeKey))),
  );
  const onClick = useLatest(open);
  const onTick = useLatest(tick);

  return (
    <div
      ref={scroller}
      className="data-table__scroller"
      role="grid"
      aria-label={name}
      aria-rowcount={onEnd === null ? rows.length + (foot === null ? 1 : 2) : -1}
      aria-colcount={columns.length + (boxes === null ? 0 : 1)}
      aria-activedescendant={activeKey === null ? undefined : rowId(id, activeKey)}
      tabIndex={0}
      {...(onMenu === null ? {} : requests)}
      onKeyDown={onKeyDown}
      onPointerMove={() => {
        onHold(true);
        pointer.enter();
      }}
      onPointerLeave={() => {
        onHold(false);
        pointer.leave();
      }}
    >
      <div role="presentation" className="data-table__all">
        {head}
        <div role="rowgroup" className="data-table__rows" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <DataTableRow
                key={row.key}
                id={rowId(id, row.key)}
                rowKey={row.key}
                index={item.index}
                top={item.start}
                columns={columns}
                row={row.row}
                active={row.key === activeKey}
                selected={selectedKey === null && onSelect === null ? null : row.key === selectedKey}
                opens={onSelect !== null}
                onClick={onClick}
                checked={boxes === null ? null : boxes.checked.has(row.key)}
                onTick={onTick}
                heading={isHeading?.(row.row) ?? false}
              />
            );
          })}
        </div>
        {foot !== null && (
          <div role="rowgroup" className="data-table__foot">
            <div role="row" aria-rowindex={rows.length + 2} className="data-table__row">
              {columns.map(({ id: columnId, align }) => (
                <div key={columnId} role="gridcell" className={cellClass(align)}>
                  {foot.get(columnId)}
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

const cellClass = (align: Column<never>['align']): string =>
  align === 'end' ? 'data-table__cell data-table__cell--end' : 'data-table__cell';

const rowId = (tableId: string, key: string): string => `${tableId}-${key}`;

/** One function for as long as the component lives, which does what the newest one does. */
function useLatest<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}

/** Whether an element inside the table leaves the arrow keys to the table. */
function takesNoArrows(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input[type=checkbox]') !== null;
}

function wantedIndex(key: string, at: number | null, count: number, page: number): number | null {
  const last = count - 1;
  const from = at ?? -1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'PageDown':
      return Math.min(last, from + page);
    case 'PageUp':
      return Math.max(0, from - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Asks for more once for each state of the rows. */
function useAskedAtEnd(isNear: boolean, keys: readonly string[], onEnd: (() => void) | null): void {
  const askedFor = useRef<string | null>(null);
  const state = `${keys.length} ${keys.at(-1) ?? ''}`;
  useEffect(() => {
    if (!isNear || onEnd === null || askedFor.current === state) return;
    askedFor.current = state;
    onEnd();
  }, [isNear, state, onEnd]);
}

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
  heading,
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
  /** It heads the rows below it. */
  heading: boolean;
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
      data-row={rowKey}
      data-active={active || undefined}
      data-opens={opens || undefined}
      data-heading={heading || undefined}
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
            className={cellClass(column.align)}
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
const DataTableRow = memo(DrawnRow) as typeof DrawnRow;

/** A click has the Shift key, a change does not; both come, so only the click is handled. */
const ignore = (): void => undefined;
