import { Bookmark, Ellipsis, RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { formatBytes } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import type { MenuEntry } from '../../ui/menuEntry.ts';
import { useVideo } from '../useVideo.ts';
import { formatReason } from './failure.ts';
import { fullQuality, formatFullQuality, isUnderWay } from './qualities.ts';
import { useOrderActions, useSubject } from './useOrders.ts';
import { failureOf, toRetry, type VideoRequest, gapOf, orderBytes, orderProgress } from './videoOrders.ts';
import './OrderRow.css';

/** What is opened about an order. */
export type OrderPaper = 'evidence' | 'access';

/** One order of the list: whose, what about, how far. */
export function OrderRow({
  order,
  isSelected,
  onSelect,
  onPaper,
}: {
  order: VideoRequest;
  isSelected: boolean;
  onSelect: () => void;
  onPaper: (paper: OrderPaper) => void;
}) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const userName = useStore(app.userNames, (state) => state.byId.get(order.orderedBy));
  const subject = useSubject(order);
  const actions = useOrderActions();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected, order.phase]);
  const failure = order.phase === 'failed' ? formatReason(failureOf(order), t) : null;
  const orderedBy =
    order.ruleId === null
      ? t('video_requests.ordered_by', { user: userName ?? t('user.another') })
      : t('video_requests.ordered_by_rule');
  const about = subject?.title ?? orderedBy;
  const isToday = time.dayStart(order.from) === time.dayStart(now);
  const span = t('video_requests.span', { from: time.clock(order.from), to: time.clock(order.to) });
  const isImportant = order.tasks.some((it) => it.important);
  const isDone = order.tasks.some((it) => it.status === 'done');
  const entries: MenuEntry[] = [
    {
      id: 'evidence',
      label: t('evidence.export'),
      disabled: !isDone,
      run: () => onPaper('evidence'),
    },
    { id: 'access', label: t('evidence.access'), run: () => onPaper('access') },
    ...(video.mayOrder
      ? [
          {
            id: 'mark',
            label: t(isImportant ? 'tasks.unmark' : 'tasks.mark'),
            run: () => actions.mark(order, !isImportant),
          },
          ...(order.tasks.some(isUnderWay)
            ? [{ id: 'cancel', label: t('quality.cancel'), run: () => actions.cancel(order) }]
            : []),
          { id: 'delete', label: t('video_requests.delete'), run: () => actions.remove(order) },
          ...(toRetry(order).length > 0
            ? [{ id: 'retry', label: t('video_requests.retry'), run: () => actions.retry(order) }]
            : []),
        ]
      : []),
  ];

  return (
    <li ref={row} className="video-request" aria-current={isSelected ? 'true' : undefined}>
      <button type="button" className="video-request__open" onClick={onSelect}>
        <span className="unseen">
          {vehicle?.name} {span} {about}
        </span>
      </button>
      <div className="video-request__line">
        <b>{vehicle?.name ?? t('vehicle.gone')}</b>
        {isImportant && (
          <span className="video-request__mark" role="img" aria-label={t('tasks.important')}>
            <Icon of={Bookmark} />
          </span>
        )}
        <span className="quiet ellipsis" title={`${time.date(order.from)} ${time.utc(order.from)}`}>
          {isToday ? span : `${time.date(order.from)} ${time.clock(order.from)}`}
        </span>
        <span className="fill" />
        <OrderFact order={order} />
      </div>
      <div className="video-request__line">
        <span className="quiet ellipsis" title={about}>
          {about}
        </span>
        <span className="fill" />
        {video.mayOrder && order.phase === 'under_way' && (
          <Button kind="quiet" size="small" disabled={actions.busy} onPress={() => actions.cancel(order)}>
            {t('video_requests.cancel')}
          </Button>
        )}
        {video.mayOrder && order.phase === 'failed' && (
          <Button
            kind="quiet"
            size="small"
            icon={RotateCw}
            disabled={actions.busy}
            onPress={() => actions.retry(order)}
          >
            {t('video_requests.retry')}
          </Button>
        )}
        {order.phase === 'ready' && (
          <span className="video-request__more">
            <MenuButton label={t('video_requests.more')} entries={entries}>
              <Icon of={Ellipsis} />
            </MenuButton>
          </span>
        )}
      </div>
      <OrderChannels order={order} />
      <OrderQuality order={order} />
      {failure !== null && (
        <p className="video-request__reason">{failure.title === failure.how ? failure.title : failure.how}</p>
      )}
      {actions.sentence !== null && (
        <p className="video-request__reason strong" role="alert">
          {actions.sentence}
        </p>
      )}
    </li>
  );
}

/** What is left of an order on its way, its size when it is ready, when it failed. */
function OrderFact({ order }: { order: VideoRequest }) {
  const { clock } = useAppContext();
  const { pace } = useVideo();
  const t = useT();
  const time = useDepotTime();
  // Asked for so that the guess of what is left moves.
  useNow();
  const text = () => {
    if (order.phase === 'ready') return formatBytes(orderBytes(order));
    if (order.phase === 'failed') {
      return time.minute(Math.max(...order.shown.map((it) => Date.parse(it.updated_at))));
    }
    const { waitsSince } = orderProgress(order);
    if (waitsSince !== null) return t('video_requests.since', { time: time.minute(waitsSince) });
    const seconds = pace.secondsLeft(order, clock.now());
    return seconds === null ? '' : t('video_requests.left', { age: formatAge(seconds * 1_000) });
  };
  return <span className="video-request__fact">{text()}</span>;
}

/** A bar for each channel, and all of them in words. */
function OrderChannels({ order }: { order: VideoRequest }) {
  const t = useT();
  const time = useDepotTime();
  const clips = useStore(useVideo().clips.store, (state) => state.clips);
  const { done, of, part, waitsSince } = orderProgress(order);
  const isKept = order.shown.some((it) => clips.get(it.task_id)?.whole === true);
  const words = () => {
    if (waitsSince !== null) return t('video_requests.waits');
    if (order.phase === 'under_way')
      return t('video_requests.part', { done, of, percent: Math.round(part * 100) });
    if (order.phase === 'failed') return t('video_requests.gone', { done: 0, of });
    for (const task of order.shown) {
      const gap = task.file === null ? null : gapOf(order, task);
      if (gap === null) continue;
      const seconds = Math.round(gap.toS - gap.fromS);
      return t('video_requests.ready_gap', { done, of, seconds, channel: task.channel });
    }
    if (isKept) return t('video_requests.ready_here', { done: Math.max(done, 1), of });
    const ends = order.shown.flatMap((it) => (it.expires_at === null ? [] : [Date.parse(it.expires_at)]));
    return ends.length === 0
      ? t('video_requests.ready', { done, of })
      : t('video_requests.ready_until', { done, of, date: time.date(Math.min(...ends)) });
  };
  return (
    <div className="video-request__channels">
      {order.shown.map((task) => {
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
          <span
            key={task.task_id}
            className={`video-request__channel video-request__channel--${state}`}
            aria-hidden
          >
            {(state === 'moving' || state === 'done') && (
              <i style={{ width: `${Math.round(share * 100)}%` }} />
            )}
          </span>
        );
      })}
      <span className="video-request__words ellipsis" title={words()}>
        {words()}
      </span>
    </div>
  );
}

/** In small words, what becomes of the full quality of an order whose small pictures are there. */
function OrderQuality({ order }: { order: VideoRequest }) {
  const t = useT();
  const words = formatFullQuality(fullQuality(order), t);
  return words === null ? null : <p className="video-request__reason">{words}</p>;
}
