import { HardDrive, ListVideo, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { bytesText } from '../../format/numbers.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBand } from '../../ui/StaleBand.tsx';
import { useVideo } from '../useVideo.ts';
import { useText } from '../../i18n/useText.ts';
import type { TextKey } from '../../i18n/text.ts';
import { NoOrders } from './NoOrders.tsx';
import { OrderRow, type OrderPaper } from './OrderRow.tsx';
import type { VideoOrder } from './videoOrders.ts';
import './OrderList.css';

const GROUPS = [
  { phase: 'under_way', title: 'orders.group.under_way' },
  { phase: 'ready', title: 'orders.group.ready' },
  { phase: 'failed', title: 'orders.group.failed' },
] as const satisfies readonly { phase: VideoOrder['phase']; title: TextKey }[];

export interface OrderListProps {
  orders: readonly VideoOrder[];
  selectedId: string | null;
  onSelect: (order: VideoOrder) => void;
  onOrder: () => void;
  onQueue: () => void;
  onKept: () => void;
  onPaper: (paper: OrderPaper, order: VideoOrder) => void;
}

/** All orders in three groups, and what this computer keeps of them. */
export function OrderList(props: OrderListProps) {
  const { orders, selectedId, onSelect, onOrder, onQueue, onKept, onPaper } = props;
  const video = useVideo();
  const say = useText();
  const groups = useMemo(
    () =>
      GROUPS.map((group) => ({ ...group, orders: orders.filter((it) => it.phase === group.phase) })).filter(
        (group) => group.orders.length > 0,
      ),
    [orders],
  );
  return (
    <Pane
      name={say('orders.title')}
      className="order-list"
      head={
        <>
          <h2>{say('orders.title')}</h2>
          <span className="quiet">{orders.length}</span>
          <span className="fill" />
          <IconButton icon={ListVideo} size="small" label={say('tasks.open')} keycap="Q" onPress={onQueue} />
          {video.mayOrder && (
            <Button kind="quiet" size="small" icon={Plus} onPress={onOrder}>
              {say('orders.order')}
            </Button>
          )}
        </>
      }
    >
      <StaleBand>{say('orders.stale')}</StaleBand>
      {orders.length > 0 ? (
        <div className="order-list__rows">
          {groups.map((group) => (
            <section key={group.phase} aria-label={say(group.title)}>
              <h3 className="order-list__group">
                {say(group.title)} <span>{group.orders.length}</span>
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
              className="order-list__skeleton"
              widths={[[48, 120], [140]]}
              rows={6}
              label={say('orders.loading')}
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
  const say = useText();
  const { kind, clips, limitBytes } = useStore(useVideo().clips.store);
  const size = bytesText([...clips.values()].reduce((sum, it) => sum + it.size_bytes, 0));
  return (
    <div className="pane__foot order-list__foot">
      {kind !== null && kind !== 'disk' && <p className="order-list__denied">{say(`kept.${kind}`)}</p>}
      <Button kind="quiet" size="small" icon={HardDrive} label={say('kept.open')} onPress={onOpen}>
        {kind === null
          ? say('kept.opening')
          : kind === 'disk'
            ? say('kept.size', { size, limit: bytesText(limitBytes) })
            : say('kept.size_memory', { size })}
      </Button>
    </div>
  );
}
