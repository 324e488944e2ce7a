import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useVideo } from './useVideo.ts';

export type SoughtTask =
  { phase: 'none' } | { phase: 'looking' } | { phase: 'failed'; error: unknown; retry: () => void };

/** Reads the task that a link names, when the list is here and does not hold it; null seeks nothing. */
export function useSoughtTask(taskId: string | null): SoughtTask {
  const { stream } = useAppContext();
  const { taskStore } = useVideo();
  const isListed = useStore(taskStore.store, (state) => state.load.phase !== 'loading');
  const [round, setRound] = useState(0);
  const [failure, setFailure] = useState<{ taskId: string; error: unknown } | null>(null);
  useEffect(() => {
    if (taskId === null || !isListed) return;
    const abort = new AbortController();
    taskStore.seek(taskId, abort.signal).then(
      () => setFailure(null),
      (error: unknown) => {
        if (!abort.signal.aborted) setFailure({ taskId, error });
      },
    );
    const undo = stream.onLink((link) => {
      if (link.phase === 'live') setRound((it) => it + 1);
    });
    return () => {
      abort.abort();
      undo();
    };
  }, [stream, taskStore, taskId, isListed, round]);
  if (taskId === null) return { phase: 'none' };
  if (failure === null || failure.taskId !== taskId) return { phase: 'looking' };
  return { phase: 'failed', error: failure.error, retry: () => setRound((it) => it + 1) };
}
