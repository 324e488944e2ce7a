import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';

const OVERSCAN = 8;

interface RowKeys {
  keys: readonly string[];
  indexOf: ReadonlyMap<string, number>;
}

/** The keys of rows in their order, and where each stands; the same as long as the rows are. */
export function useRowKeys(rows: readonly { key: string }[]): RowKeys {
  return useMemo(() => {
    const keys = rows.map((row) => row.key);
    return { keys, indexOf: new Map(keys.map((key, index) => [key, index])) };
  }, [rows]);
}

interface RowsInPlace {
  rows: RowKeys;
  scroller: RefObject<HTMLElement | null>;
  rowPx: number;
  /** Changes when the operator asks for another order, or for other rows: the top is shown then. */
  filter: unknown;
}

/**
 * The rows of a long list that are in sight, all of one height: ten thousand cost no more than those on the screen, and
 * what is read stays where it is when rows come or go above it.
 */
export function useVirtualRows({
  scrollPaddingStart = 0,
  scrollPaddingEnd = 0,
  pinned,
  selectedKey,
  ...place
}: RowsInPlace & {
  scrollPaddingStart?: number;
  scrollPaddingEnd?: number;
  /** Rows that are drawn wherever the list is scrolled to. Must keep its identity while it gives the same. */
  pinned: (firstShown: number) => number | null;
  /** Comes into sight when it is selected, or comes. */
  selectedKey: string | null;
}) {
  const { scroller, rowPx } = place;
  const { keys, indexOf } = place.rows;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const visible = defaultRangeExtractor(range);
      const also = pinned(range.startIndex);
      if (also === null || visible.includes(also)) return visible;
      return [...visible, also].sort((a, b) => a - b);
    },
    [pinned],
  );
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => keys[index] ?? index,
    overscan: OVERSCAN,
    scrollPaddingStart,
    scrollPaddingEnd,
    rangeExtractor,
  });
  // What is selected elsewhere, or was before the list was left, comes into sight.
  const selectedIndex = selectedKey === null ? undefined : indexOf.get(selectedKey);
  const isSelectedThere = selectedIndex !== undefined;
  useEffect(() => {
    if (selectedIndex !== undefined) virtual.scrollToIndex(selectedIndex);
    // Where it lies among the others changes as these come and go.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [selectedKey, isSelectedThere]);
  const pointer = useRowsInPlace(place);
  return { virtual, pointer };
}

/**
 * Keeps what is read where it is when rows come or go above it: the first row in sight stays at its height. When the operator
 * asks for another order or other rows (`filter`), the top is shown. A list that shows its top, with no pointer on it, goes on showing its top.
 */
function useRowsInPlace({ scroller, rows: { keys, indexOf }, rowPx, filter }: RowsInPlace): {
  enter: () => void;
  leave: () => void;
} {
  const before = useRef({ keys, filter });
  const pointed = useRef(false);
  /** Rows that came on top while the pointer kept the others in place. */
  const wasAtTop = useRef(false);

  useLayoutEffect(() => {
    const { keys: old, filter: oldFilter } = before.current;
    before.current = { keys, filter };
    const element = scroller.current;
    if (element === null) return;
    if (filter !== oldFilter) {
      element.scrollTo({ top: 0 });
      wasAtTop.current = false;
      return;
    }
    if (old === keys) return;
    const { scrollTop } = element;
    if (scrollTop === 0 && !pointed.current) return;
    const at = Math.floor(scrollTop / rowPx);
    const anchor = old[at];
    const now = anchor === undefined ? undefined : indexOf.get(anchor);
    // A row that moved for its own value is not followed.
    if (now === undefined || now === at || Math.abs(now - at) > Math.abs(keys.length - old.length)) return;
    if (scrollTop === 0) wasAtTop.current = true;
    element.scrollTo({ top: scrollTop + (now - at) * rowPx });
  }, [keys, indexOf, scroller, rowPx, filter]);

  return {
    enter() {
      pointed.current = true;
    },
    leave() {
      pointed.current = false;
      if (wasAtTop.current) scroller.current?.scrollTo({ top: 0 });
      wasAtTop.current = false;
    },
  };
}
