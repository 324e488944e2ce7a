import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useRetryKey } from '../resources/useRetryKey.ts';
import type { PagedList, PagedState } from './pagedList.ts';

/** Reads a list while it is shown, again after the stream has lost its thread, and lets `R` try again. */
export function usePagedList<T>(
  list: PagedList<T>,
  listen: (take: (item: T) => void) => () => void,
): PagedState<T> {
  const { stream } = useAppContext();
  useEffect(() => {
    // Listened to first: what comes while the page is on its way must not be missed.
    const undo = [
      listen((item) => list.take(item)),
      stream.on('reset', () => list.load()),
      stream.onLink(({ phase }) => {
        if (phase === 'live') list.retry();
      }),
    ];
    list.load();
    return () => {
      undo.forEach((run) => run());
      list.stop();
    };
  }, [list, listen, stream]);
  const state = useStore(list.store);
  // Where rows are there, nothing else says that the newest could not be read.
  useRetryKey(state.load.phase === 'failed' ? () => list.retry() : null);
  return state;
}
