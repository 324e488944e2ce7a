import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { bytesText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { useVideo } from '../useVideo.ts';
import { fullQuality, fullQualityText } from './fullQuality.ts';
import { gapOf, orderBytes, orderProgress, type VideoOrder } from './videoOrders.ts';

/** What is left of an order on its way, its size when it is ready, when it failed. */
export function OrderFact({ order }: { order: VideoOrder }) {
  const { clock } = useDesk();
  const { pace } = useVideo();
  const say = useText();
  const time = useDepotTime();
  // Asked for so that the guess of what is left moves.
  useNow();
  const text = () => {
    if (order.phase === 'ready') return bytesText(orderBytes(order));
    if (order.phase === 'failed') {
      return time.minute(Math.max(...order.shown.map((it) => Date.parse(it.updated_at))));
    }
    const { waitsSince } = orderProgress(order);
    if (waitsSince !== null) return say('orders.since', { time: time.minute(waitsSince) });
    const seconds = pace.secondsLeft(order, clock.now());
    return seconds === null ? '' : say('orders.left', { age: ageText(seconds * 1_000) });
  };
  return <span className="order__fact">{text()}</span>;
}

/** A bar for each channel, and all of them in words. */
export function OrderChannels({ order }: { order: VideoOrder }) {
  const say = useText();
  const time = useDepotTime();
  const clips = useStore(useVideo().clips.store, (state) => state.clips);
  const { done, of, part, waitsSince } = orderProgress(order);
  const isKept = order.shown.some((it) => clips.get(it.task_id)?.whole === true);
  const words = () => {
    if (waitsSince !== null) return say('orders.waits');
    if (order.phase === 'under_way') return say('orders.part', { done, of, percent: Math.round(part * 100) });
    if (order.phase === 'failed') return say('orders.gone', { done: 0, of });
    for (const task of order.shown) {
      const gap = task.file === null ? null : gapOf(order, task);
      if (gap === null) continue;
      const seconds = Math.round(gap.toS - gap.fromS);
      return say('orders.ready_gap', { done, of, seconds, channel: task.channel });
    }
    if (isKept) return say('orders.ready_here', { done: Math.max(done, 1), of });
    const ends = order.shown.flatMap((it) => (it.expires_at === null ? [] : [Date.parse(it.expires_at)]));
    return ends.length === 0
      ? say('orders.ready', { done, of })
      : say('orders.ready_until', { done, of, date: time.date(Math.min(...ends)) });
  };
  return (
    <div className="order__channels">
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

/** In small words, what becomes of the full quality of an order whose small pictures are there. */
export function OrderQuality({ order }: { order: VideoOrder }) {
  const say = useText();
  const words = fullQualityText(fullQuality(order), say);
  return words === null ? null : <p className="order__reason">{words}</p>;
}
