import { useEffect, useRef, useState } from 'react';

/** A pointer that rests this long has stopped pointing. */
const REST_MS = 3_000;

/**
 * Keeps a list as it is while the pointer is over it, so that no row moves away from under a click. A change of
 * `filter` (the operator's own) goes through at once.
 */
export function useFreezeOnHover<T>(
  value: T,
  filter: readonly unknown[],
): { shown: T; hold: (held: boolean) => void } {
  const [held, setHeld] = useState(false);
  const [kept, setKept] = useState({ value, filter });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const asRequested =
    kept.filter.length === filter.length && kept.filter.every((it, index) => it === filter[index]);
  const mayMove = !held || !asRequested;
  if (mayMove && (kept.value !== value || !asRequested)) setKept({ value, filter });

  return {
    shown: mayMove ? value : kept.value,
    hold(next) {
      clearTimeout(timer.current);
      setHeld(next);
      if (next) timer.current = setTimeout(() => setHeld(false), REST_MS);
    },
  };
}
