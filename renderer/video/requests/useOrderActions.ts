import { useState } from 'react';
import type { Task } from '../../../server/contract/video.ts';
import { isProblem } from '../../api/errors.ts';
import { useVideo } from '../useVideo.ts';
import { useT } from '../../i18n/useT.ts';
import { isUnderWay } from './qualities.ts';
import { toRetry, type VideoRequest } from './videoOrders.ts';

/** What can be done with an order, with the small pictures of it and the full ones; the change comes home by the stream. */
export function useOrderActions() {
  const video = useVideo();
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const act = async (run: (tasks: readonly Task[]) => Promise<void>, tasks: readonly Task[]) => {
    setBusy(true);
    setFault(null);
    try {
      await run(tasks);
    } catch (error) {
      setFault(
        isProblem(error)
          ? t('video_requests.not_done', { reason: error.problem.detail })
          : t('video_requests.not_done_offline'),
      );
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    /** What went wrong with the last act; null for nothing. */
    fault,
    /** Ends what is under way of it: where the small pictures are there, their full quality. */
    cancel: (order: VideoRequest) => void act((tasks) => video.cancel(tasks), order.tasks.filter(isUnderWay)),
    /** Tries again what did not come, in either quality. */
    retry: (order: VideoRequest) => void act((tasks) => video.retry(tasks), toRetry(order)),
    /** Keeps its files until somebody deletes them, or no longer. */
    mark: (order: VideoRequest, important: boolean) =>
      void act(
        (tasks) => video.mark(tasks, important),
        order.tasks.filter((it) => it.important !== important && it.status !== 'expired'),
      ),
    /** Deletes its files, and ends what would bring more of them. */
    remove: (order: VideoRequest) =>
      void act(
        (tasks) => video.remove(tasks),
        order.tasks.filter((it) => it.status === 'done' || isUnderWay(it)),
      ),
  };
}

export type OrderActions = ReturnType<typeof useOrderActions>;
