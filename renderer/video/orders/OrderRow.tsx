import { Bookmark, Ellipsis, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { bytesText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton, type MenuEntry } from '../../ui/MenuButton.tsx';
import { AccessDialog } from '../evidence/AccessDialog.tsx';
import { EvidenceDialog } from '../evidence/EvidenceDialog.tsx';
import { useVideo } from '../useVideo.ts';
import { reasonText } from './reasonText.ts';
import { useOrderActions } from './useOrderActions.ts';
import { useSubject } from './useOrders.ts';
import { failureOf, gapOf, orderBytes, orderProgress, type VideoOrder } from './videoOrders.ts';
import './OrderRow.css';

/** One order of the list: whose, what about, how far. */
export function OrderRow({
  order,
  isSelected,
  onSelect,
}: {
  order: VideoOrder;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
  const sayCommon = useText();
  const time = useDepotTime();
  const now = useNow();
  const vehicle = useStore(desk.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const userName = useStore(desk.userNames, (state) => state.byId.get(order.orderedBy));
  const subject = useSubject(order);
  const actions = useOrderActions();
  const [open, setOpen] = useState<'evidence' | 'access' | null>(null);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected, order.phase]);
  const failure = order.phase === 'failed' ? reasonText(failureOf(order), say) : null;
  const about = subject?.title ?? say('orders.ordered_by', { user: userName ?? sayCommon('user.another') });
  const isToday = time.dayStart(order.from) === time.dayStart(now);
  const span = say('orders.span', { from: time.clock(order.from), to: time.clock(order.to) });
  const isImportant = order.tasks.some((it) => it.important);
  const isDone = order.tasks.some((it) => it.status === 'done');
  const entries: MenuEntry[] = [
    {
      id: 'evidence',
      label: say('evidence.export'),
      disabled: !isDone,
      run: () => setOpen('evidence'),
    },
    { id: 'access', label: say('evidence.access'), run: () => setOpen('access') },
    ...(video.mayOrder
      ? [
          {
            id: 'mark',
            label: say(isImportant ? 'tasks.unmark' : 'tasks.mark'),
            run: () => actions.mark(order, !isImportant),
          },
          { id: 'delete', label: say('orders.delete'), run: () => actions.remove(order) },
          ...(order.tasks.some((it) => it.status === 'failed' || it.status === 'expired')
            ? [{ id: 'retry', label: say('orders.retry'), run: () => actions.retry(order) }]
            : []),
        ]
      : []),
  ];

  return (
    <li ref={row} className="order" aria-current={isSelected ? 'true' : undefined}>
      <button type="button" className="order__open" onClick={onSelect}>
        <span className="unseen">
          {vehicle?.name} {span} {about}
        </span>
      </button>
      <div className="order__line">
        <b>{vehicle?.name ?? sayCommon('vehicle.gone')}</b>
        {isImportant && (
          <span className="order__mark" role="img" aria-label={say('tasks.important')}>
            <Icon of={Bookmark} />
          </span>
        )}
        <span className="quiet ellipsis" title={`${time.date(order.from)} ${time.utc(order.from)}`}>
          {isToday ? span : `${time.date(order.from)} ${time.clock(order.from)}`}
        </span>
        <span className="fill" />
        <OrderFact order={order} />
      </div>
      <div className="order__line">
        <span className="quiet ellipsis" title={about}>
          {about}
        </span>
        <span className="fill" />
        {video.mayOrder && order.phase === 'under_way' && (
          <Button kind="quiet" size="small" disabled={actions.isBusy} onPress={() => actions.cancel(order)}>
            {say('orders.cancel')}
          </Button>
        )}
        {video.mayOrder && order.phase === 'failed' && (
          <Button
            kind="quiet"
            size="small"
            icon={RotateCw}
            disabled={actions.isBusy}
            onPress={() => actions.retry(order)}
          >
            {say('orders.retry')}
          </Button>
        )}
        {order.phase === 'ready' && (
          <span className="order__more">
            <MenuButton label={say('orders.more')} entries={entries}>
              <Icon of={Ellipsis} />
            </MenuButton>
          </span>
        )}
      </div>
      <OrderChannels order={order} />
      {failure !== null && (
        <p className="order__reason">{failure.title === failure.how ? failure.title : failure.how}</p>
      )}
      {actions.fault !== null && (
        <p className="order__reason strong" role="alert">
          {actions.fault}
        </p>
      )}
      {open === 'evidence' && <EvidenceDialog tasks={order.tasks} onClose={() => setOpen(null)} />}
      {open === 'access' && <AccessDialog tasks={order.tasks} onClose={() => setOpen(null)} />}
    </li>
  );
}

/** What is left of an order on its way, its size when it is ready, when it failed. */
function OrderFact({ order }: { order: VideoOrder }) {
  const { clock } = useDesk();
  const { pace } = useVideo();
  const say = useText();
  const time = useDepotTime();
  // Asked for so that the guess of what is left moves.
  useNow();
  const text = () => {
    if (order.phase === 'ready') return bytesText(orderBytes(order));
    if (order.phase === 'failed') {
      return time.minute(Math.max(...order.tasks.map((it) => Date.parse(it.updated_at))));
    }
    const { waitsSince } = orderProgress(order);
    if (waitsSince !== null) return say('orders.since', { time: time.minute(waitsSince) });
    const seconds = pace.secondsLeft(order, clock.now());
    return seconds === null ? '' : say('orders.left', { age: ageText(seconds * 1_000) });
  };
  return <span className="order__fact">{text()}</span>;
}

/** A bar for each channel, and all of them in words. */
function OrderChannels({ order }: { order: VideoOrder }) {
  const say = useText();
  const time = useDepotTime();
  const clips = useStore(useVideo().clips.store, (state) => state.clips);
  const { done, of, part, waitsSince } = orderProgress(order);
  const isKept = order.tasks.some((it) => clips.get(it.task_id)?.whole === true);
  const words = () => {
    if (waitsSince !== null) return say('orders.waits');
    if (order.phase === 'under_way') return say('orders.part', { done, of, percent: Math.round(part * 100) });
    if (order.phase === 'failed') return say('orders.gone', { done: 0, of });
    for (const task of order.tasks) {
      const gap = task.file === null ? null : gapOf(order, task);
      if (gap === null) continue;
      const seconds = Math.round(gap.toS - gap.fromS);
      return say('orders.ready_gap', { done, of, seconds, channel: task.channel });
    }
    if (isKept) return say('orders.ready_here', { done: Math.max(done, 1), of });
    const ends = order.tasks.flatMap((it) => (it.expires_at === null ? [] : [Date.parse(it.expires_at)]));
    return ends.length === 0
      ? say('orders.ready', { done, of })
      : say('orders.ready_until', { done, of, date: time.date(Math.min(...ends)) });
  };
  return (
    <div className="order__channels">
      {order.tasks.map((task) => {
        const state =
          task.status === 'failed' || task.status === 'expired'
            ? clips.get(task.task_id)?.whole === true
              ? 'done'
              : 'missing'
            : task.status === 'waiting' || waitsSince !== null
              ? 'waiting'
              : 'moving';
        const share = task.status === 'done' || state === 'done' ? 1 : task.progress;
        return (
          <span key={task.task_id} className={`order__channel order__channel--${state}`} aria-hidden>
            {(state === 'moving' || state === 'done') && (
              <i style={{ width: `${Math.round(share * 100)}%` }} />
            )}
          </span>
        );
      })}
      <span className="order__words ellipsis" title={words()}>
        {words()}
      </span>
    </div>
  );
}
