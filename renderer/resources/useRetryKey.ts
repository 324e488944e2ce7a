import { useEffect, useRef } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';

/** Lets the key for "try now" run this; null while there is nothing to try. */
export function useRetryKey(run: (() => void) | null): void {
  const { retries } = useAppContext();
  const current = useRef(run);
  useEffect(() => {
    current.current = run;
  });
  const hasKey = run !== null;
  useEffect(() => (hasKey ? retries.add(() => current.current?.()) : undefined), [retries, hasKey]);
}
