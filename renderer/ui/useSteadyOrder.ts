import { useEffect, useRef, useState } from 'react';
import { inOrderOf } from './tableOrder.ts';

/** A pointer that rests this long has stopped pointing. */
const REST_MS = 3_000;

/**
 * Keeps the rows where they are while the pointer is among them, though the values that they are sorted by change. A
 * row that comes or goes, and another `filter` of the operator (the sorting), go through at once.
 */
export function useStableOrder<T extends { key: string }>(
  rows: readonly T[],
  filter: unknown,
): { shown: readonly T[]; hold: (held: boolean) => void } {
  const [held, setHeld] = useState(false);
  const [kept, setKept] = useState({ rows, filter, shown: rows });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  let shown = kept.shown;
  if (kept.rows !== rows || kept.filter !== filter || (!held && kept.shown !== rows)) {
    const steady =
      held && kept.filter === filter
        ? inOrderOf(
            kept.shown.map((row) => row.key),
            rows,
          )
        : null;
    shown = steady ?? rows;
    setKept({ rows, filter, shown });
  }

  return {
    shown,
    hold(next) {
      clearTimeout(timer.current);
      setHeld(next);
      if (next) timer.current = setTimeout(() => setHeld(false), REST_MS);
    },
  };
}
