import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { bytesText } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { useVideo } from '../useVideo.ts';
import { fullQuality, fullQualityText } from './fullQuality.ts';
import { gapOf, orderBytes, orderProgress, type VideoRequest } from './videoOrders.ts';

/** What is left of an order on its way, its size when it is ready, when it failed. */
export function OrderFact({ order }: { order: VideoRequest }) {
  const { clock } = useAppContext();
  const { pace } = useVideo();
  const t = useT();
  const time = useDepotTime();
  // Asked for so that the guess of what is left moves.
  useNow();
  const text = () => {
    if (order.phase === 'ready') return bytesText(orderBytes(order));
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
export function OrderChannels({ order }: { order: VideoRequest }) {
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
          <span key={task.task_id} className={`order__channel order__channel--${state}`} aria-hidden>
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
export function OrderQuality({ order }: { order: VideoRequest }) {
  const t = useT();
  const words = fullQualityText(fullQuality(order), t);
  return words === null ? null : <p className="video-request__reason">{words}</p>;
}
