import { useSyncExternalStore, useLayoutEffect, useState, type RefObject } from 'react';

function subscribe(run: () => void): () => void {
  window.addEventListener('resize', run);
  return () => window.removeEventListener('resize', run);
}

/** The window's inside, in pixels. */
export function useWindowSize(): { width: number; height: number } {
  const width = useSyncExternalStore(subscribe, () => window.innerWidth);
  const height = useSyncExternalStore(subscribe, () => window.innerHeight);
  return { width, height };
}

/** The inside of an element in pixels; zero before it is laid out. */
export function useElementSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const measure = () => setSize({ width: parent.clientWidth, height: parent.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(parent);
    return () => watch.disconnect();
  }, [element]);
  return size;
}
