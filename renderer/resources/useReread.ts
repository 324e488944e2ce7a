import { useCallback, useEffect, useRef, useState } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createLoader, type Loader } from './loader.ts';
import type { LoadState } from './resourceStore.ts';

export interface Reread<T> {
  /** What was read last; null while nothing was. */
  value: T | null;
  load: LoadState;
  /** Reads at once. */
  again: () => void;
  /** Takes what an act of one's own has answered. */
  take: (value: T) => void;
}

/**
 * What the stream does not bear: read again and again for as long as it is shown, and at once when the link comes back
 * after it could not be read.
 *
 * @param read begins anew when it is another function; null reads nothing
 */
export function usePolling<T>(
  read: ((signal: AbortSignal) => Promise<T>) | null,
  againMs: number,
): Reread<T> {
  const { clock, stream } = useAppContext();
  const [value, setValue] = useState<T | null>(null);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const loader = useRef<Loader>(null);
  const take = useCallback((taken: T) => setValue(() => taken), []);
  useEffect(() => {
    if (read === null) return;
    let stopTimer = (): void => undefined;
    const current = createLoader({
      clock,
      read,
      take: (taken) => {
        take(taken);
        stopTimer();
        stopTimer = clock.after(againMs, () => current.load());
      },
      onState: setLoad,
    });
    loader.current = current;
    current.load();
    const stopLink = stream.onLink((link) => {
      if (link.phase === 'live') current.retry();
    });
    return () => {
      stopLink();
      stopTimer();
      current.stop();
    };
  }, [clock, stream, read, againMs, take]);
  const again = useCallback(() => loader.current?.load(), []);
  return { value, load, again, take };
}
