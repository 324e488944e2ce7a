import { useEffect, useRef, useState } from 'react';
import type { Task } from '../../../server/contract/video.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useText } from '../../i18n/useText.ts';
import { sentenceOf } from '../../ui/formFaults.ts';
import { runMany } from '../../vehicles/manage/runMany.ts';
import { useVideo } from '../useVideo.ts';
import { doDeed, FITS, type Deed } from './deeds.ts';

export interface ManyTasks {
  /** What is being done, and how far; null while nothing is. */
  work: { deed: Deed; done: number; of: number; waitsUntil: number | null } | null;
  /** What did not work the last time; null for nothing. */
  fault: { count: number; reason: string } | null;
  run: (deed: Deed, tasks: readonly Task[]) => void;
  stop: () => void;
}

/** Does one thing to many tasks, one after the other; those that it does not fit are left alone. */
export function useManyTasks(): ManyTasks {
  const { clock } = useDesk();
  const video = useVideo();
  const say = useText();
  const [work, setWork] = useState<ManyTasks['work']>(null);
  const [fault, setFault] = useState<ManyTasks['fault']>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (deed: Deed, tasks: readonly Task[]) => {
    const items = tasks.filter(FITS[deed]);
    if (items.length === 0 || work !== null) return;
    const mine = new AbortController();
    abort.current = mine;
    setFault(null);
    setWork({ deed, done: 0, of: items.length, waitsUntil: null });
    const { failed } = await runMany({
      items,
      act: (task) => {
        // It may have gone on since it was ticked.
        const now = video.taskStore.get(task.task_id) ?? task;
        return FITS[deed](now) ? doDeed(video, deed, now) : Promise.resolve();
      },
      clock,
      signal: mine.signal,
      onProgress: (done, waitsUntil) => setWork({ deed, done, of: items.length, waitsUntil }),
    });
    setWork(null);
    const [first] = failed;
    if (first !== undefined) {
      setFault({ count: failed.length, reason: sentenceOf(first.error, say) ?? '' });
    }
  };
  return {
    work,
    fault,
    run: (deed, tasks) => void run(deed, tasks),
    stop: () => abort.current?.abort(),
  };
}
