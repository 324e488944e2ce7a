import { Play, Unplug } from 'lucide-react';
import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Meter } from '../ui/Meter.tsx';
import type { Task } from '../../server/contract/video.ts';
import {
  bestTasks,
  fullQuality,
  fullQualityShort,
  formatFullQuality,
  isUnderWay,
  type FullQuality,
} from '../video/requests/qualities.ts';
import { formatReason, mostGiven, type Failure } from '../video/requests/failure.ts';
import { orderProgress } from '../video/requests/videoOrders.ts';

/** How far the pictures of a row have come: available, on their way, or still on the vehicle and to be had. */
export function VideoCell({
  notification,
  isRoomy = false,
}: {
  notification: Pick<Notification, 'event_ids' | 'vehicle_id'>;
  /** There is room for whole sentences. */
  isRoomy?: boolean;
}) {
  const { event_ids } = notification;
  const isOrdered = useCallback((task: Task) => isOfEvents(task, event_ids), [event_ids]);
  return <VideoProgress vehicleId={notification.vehicle_id} isOrdered={isOrdered} isRoomy={isRoomy} />;
}

/** How far the pictures of a moment have come. */
export function VideoProgress({
  vehicleId,
  isOrdered,
  isRoomy = false,
}: {
  vehicleId: string | null;
  /** Which tasks are of the moment; must keep its identity. */
  isOrdered: (task: Task) => boolean;
  isRoomy?: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const tasks = useStore(app.video.tasks, (state) => state.byId);
  const progress = useMemo(() => progressOf([...tasks.values()].filter(isOrdered)), [isOrdered, tasks]);
  switch (progress.kind) {
    case 'none':
      return vehicleId === null ? null : <VideoThere vehicleId={vehicleId} />;
    case 'waiting': {
      const since = t('video.waits_since', { time: time.minute(progress.since) });
      return progress.taskId === null ? (
        <span className="video-cell" title={since}>
          <Icon of={Unplug} />
          {t('video.waits')}
        </span>
      ) : (
        <span className="video-cell video-cell--ready" title={since}>
          <PlayPart progress={progress} taskId={progress.taskId} />
          <Icon of={Unplug} />
          <span className="video-cell__full">{t('video.waits')}</span>
        </span>
      );
    }
    case 'loading': {
      const meter = <Meter label={t('video.loading')} value={progress.part} />;
      return progress.taskId === null ? (
        <span className="video-cell">
          {t('video.part', { done: progress.done, of: progress.of })}
          {meter}
        </span>
      ) : (
        <span className="video-cell video-cell--ready">
          <PlayPart progress={progress} taskId={progress.taskId} />
          {meter}
        </span>
      );
    }
    case 'ready': {
      const full = formatFullQuality(progress.full, t);
      return (
        <span className="video-cell video-cell--ready" title={full ?? undefined}>
          <Button size="small" kind="quiet" icon={Play} onPress={() => app.video.play(progress.taskId)}>
            {t('video.ready', { done: progress.done, of: progress.of })}
          </Button>
          {full !== null && (
            <span className="video-cell__full">{isRoomy ? full : fullQualityShort(progress.full, t)}</span>
          )}
        </span>
      );
    }
    case 'gone':
      return <span className="video-cell">{t('video.gone')}</span>;
    case 'failed':
      return (
        <span className="video-cell" title={formatReason(progress.failure, t).how}>
          {t('video.failed')}
        </span>
      );
  }
}

/** Plays what has come while the rest is on its way. */
function PlayPart({
  progress: { done, of },
  taskId,
}: {
  progress: { done: number; of: number };
  taskId: string;
}) {
  const { video } = useAppContext();
  const t = useT();
  return (
    <Button
      size="small"
      kind="quiet"
      icon={Play}
      label={t('video.ready', { done, of })}
      onPress={() => video.play(taskId)}
    >
      {t('video.part', { done, of })}
    </Button>
  );
}

/** Whether there is anything to ask for: a vehicle without cameras has nothing. */
function VideoThere({ vehicleId }: { vehicleId: string }) {
  const { video } = useAppContext();
  const t = useT();
  const hasCameras = useStore(video.cameras, (state) => state.byVehicle.has(vehicleId));
  useEffect(() => video.wantCameras(), [video]);
  return <span className="video-cell">{hasCameras && t('tasks.requestable')}</span>;
}

/** The video cell of a row. */
type MomentProgress =
  /** Nothing was ordered: the pictures are on the vehicle, if it has cameras. */
  | { kind: 'none' }
  /** Milliseconds since 1970. What has come of it already plays: `taskId` is one that is done, null for none. */
  | { kind: 'waiting'; done: number; of: number; since: number; taskId: string | null }
  | { kind: 'loading'; done: number; of: number; part: number; taskId: string | null }
  /** Whatever becomes of the full quality, where small pictures came first. */
  | { kind: 'ready'; done: number; of: number; taskId: string; full: FullQuality }
  | { kind: 'gone' }
  | { kind: 'failed'; failure: Failure };

/** How far the video of a notification has come: of the newest order for each channel of its last events. */
export function videoProgress(
  notification: Pick<Notification, 'event_ids'>,
  tasks: Iterable<Task>,
): MomentProgress {
  return progressOf([...tasks].filter((task) => isOfEvents(task, notification.event_ids)));
}

const isOfEvents = ({ event_id }: Task, eventIds: readonly string[]): boolean =>
  event_id !== null && eventIds.includes(event_id);

function progressOf(ordered: readonly Task[]): MomentProgress {
  const shown = [...bestTasks(ordered).values()];
  const [first] = shown;
  if (first === undefined) return { kind: 'none' };

  const { done, of, part, waitsSince } = orderProgress({ shown });
  const ready = shown.find((task) => task.status === 'done');
  const taskId = ready?.task_id ?? null;
  if (waitsSince !== null) return { kind: 'waiting', done, of, since: waitsSince, taskId };
  if (shown.some(isUnderWay)) return { kind: 'loading', done, of, part, taskId };
  if (ready !== undefined) {
    const full = fullQuality({ tasks: ordered, shown });
    return { kind: 'ready', done, of, taskId: ready.task_id, full };
  }
  const gone = shown.every((task) => task.status === 'expired' || task.error?.code === 'no_recording');
  if (gone) return { kind: 'gone' };
  return { kind: 'failed', failure: mostGiven(shown) };
}
