import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/useText.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useVideo } from '../useVideo.ts';

/** In the place of a list of orders that holds none: why it holds none. */
export function NoOrders({ skeleton }: { /** Shown while they are read. */ skeleton: ReactNode }) {
  const { taskStore } = useVideo();
  const say = useText();
  const load = useStore(taskStore.store, (state) => state.load);
  if (load.phase === 'loading') return skeleton;
  return load.phase === 'failed' ? (
    <LoadFailure
      title={say('orders.failed')}
      stillWorks={say('orders.failed_still')}
      error={load.error}
      nextTryAt={load.nextTryAt}
      onRetry={() => taskStore.retry()}
    />
  ) : (
    <Notice title={say('orders.empty')}>{say('orders.empty_how')}</Notice>
  );
}
