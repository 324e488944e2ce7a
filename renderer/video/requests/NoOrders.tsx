import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useT } from '../../i18n/useT.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useVideo } from '../useVideo.ts';

/** In the place of a list of orders that holds none: why it holds none. */
export function NoOrders({ skeleton }: { /** Shown while they are read. */ skeleton: ReactNode }) {
  const { taskStore } = useVideo();
  const t = useT();
  const load = useStore(taskStore.store, (state) => state.load);
  if (load.phase === 'loading') return skeleton;
  return load.phase === 'failed' ? (
    <LoadFailure
      title={t('video_requests.failed')}
      stillWorks={t('video_requests.failed_still')}
      error={load.error}
      nextTryAt={load.nextTryAt}
      onRetry={() => taskStore.retry()}
    />
  ) : (
    <Notice title={t('video_requests.empty')}>{t('video_requests.empty_how')}</Notice>
  );
}
