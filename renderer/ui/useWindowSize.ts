import { useSyncExternalStore } from 'react';

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
