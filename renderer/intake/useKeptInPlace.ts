import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Keeps an element at its height on the screen when what stands above it gets taller or lower because something is
 * opened or closed beside it: what was just clicked must not slip away.
 */
export function useKeptInPlace(isOpen: boolean): {
  scroller: RefObject<HTMLDivElement | null>;
  kept: RefObject<HTMLElement | null>;
  /** To be called before it is opened or closed. */
  hold: () => void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useRef<HTMLElement>(null);
  const held = useRef<number | null>(null);
  const hold = useCallback(() => {
    held.current = kept.current?.getBoundingClientRect().top ?? null;
  }, []);
  useLayoutEffect(() => {
    const top = kept.current?.getBoundingClientRect().top;
    if (held.current !== null && top !== undefined) scroller.current?.scrollBy({ top: top - held.current });
    held.current = null;
  }, [isOpen]);
  return { scroller, kept, hold };
}
