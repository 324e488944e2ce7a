import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Keeps what is read where it is when rows come or go above it: the first row in sight stays at its height. When the operator
 * asks for another order or other rows (`filter`), the top is shown. A table that shows its top, with no pointer on it, goes on showing its top.
 */
export function useRowsInPlace({
  scroller,
  keys,
  indexOf,
  rowPx,
  filter,
}: {
  scroller: RefObject<HTMLElement | null>;
  keys: readonly string[];
  indexOf: ReadonlyMap<string, number>;
  rowPx: number;
  filter: unknown;
}): { enter: () => void; leave: () => void } {
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
