import { HardDrive, ListVideo, Plus } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { formatBytes } from '../../format/numbers.ts';
import type { TextKey } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { useVideo } from '../useVideo.ts';
import { OrderRow, type OrderPaper } from './OrderRow.tsx';
import type { VideoRequest } from './videoOrders.ts';
import './OrderList.css';

const GROUPS = [
  { phase: 'under_way', title: 'video_requests.group.under_way' },
  { phase: 'ready', title: 'video_requests.group.ready' },
  { phase: 'failed', title: 'video_requests.group.failed' },
] as const satisfies readonly { phase: VideoRequest['phase']; title: TextKey }[];

export interface OrderListProps {
  orders: readonly VideoRequest[];
  selectedId: string | null;
  onSelect: (order: VideoRequest) => void;
  onOrder: () => void;
  onQueue: () => void;
  onKept: () => void;
  onPaper: (paper: OrderPaper, order: VideoRequest) => void;
}

/** All orders in three groups, and what this computer keeps of them. */
export function OrderList(props: OrderListProps) {
  const { orders, selectedId, onSelect, onOrder, onQueue, onKept, onPaper } = props;
  const video = useVideo();
  const t = useT();
  const groups = useMemo(
    () =>
      GROUPS.map((group) => ({ ...group, orders: orders.filter((it) => it.phase === group.phase) })).filter(
        (group) => group.orders.length > 0,
      ),
    [orders],
  );
  return (
    <Pane
      name={t('video_requests.title')}
      className="video-request-list"
      head={
        <>
          <h2>{t('video_requests.title')}</h2>
          <span className="quiet">{orders.length}</span>
          <span className="fill" />
          <IconButton icon={ListVideo} size="small" label={t('tasks.open')} keycap="Q" onPress={onQueue} />
          {video.mayOrder && (
            <Button kind="quiet" size="small" icon={Plus} onPress={onOrder}>
              {t('video_requests.order')}
            </Button>
          )}
        </>
      }
    >
      <StaleBanner>{t('video_requests.stale')}</StaleBanner>
      {orders.length > 0 ? (
        <div className="video-request-list__rows">
          {groups.map((group) => (
            <section key={group.phase} aria-label={t(group.title)}>
              <h3 className="video-request-list__group">
                {t(group.title)} <span>{group.orders.length}</span>
              </h3>
              <ul>
                {group.orders.map((order) => (
                  <OrderRow
                    key={order.id}
                    order={order}
                    isSelected={order.id === selectedId}
                    onSelect={() => onSelect(order)}
                    onPaper={(paper) => onPaper(paper, order)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      ) : (
        <NoOrders
          skeleton={
            <SkeletonRows
              className="video-request-list__skeleton"
              widths={[[48, 120], [140]]}
              rows={6}
              label={t('video_requests.loading')}
            />
          }
        />
      )}
      <KeptLine onOpen={onKept} />
    </Pane>
  );
}

/** How much of this computer the videos take, and what the browser denies. */
function KeptLine({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const { kind, clips, limitBytes } = useStore(useVideo().clips.store);
  const size = formatBytes([...clips.values()].reduce((sum, it) => sum + it.size_bytes, 0));
  return (
    <div className="pane__foot video-request-list__foot">
      {kind !== null && kind !== 'disk' && <p className="video-request-list__denied">{t(`kept.${kind}`)}</p>}
      <Button kind="quiet" size="small" icon={HardDrive} label={t('kept.open')} onPress={onOpen}>
        {kind === null
          ? t('kept.opening')
          : kind === 'disk'
            ? t('kept.size', { size, limit: formatBytes(limitBytes) })
            : t('kept.size_memory', { size })}
      </Button>
    </div>
  );
}

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
