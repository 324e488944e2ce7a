import { Play, Unplug } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Meter } from '../ui/Meter.tsx';
import { fullQualityShort, fullQualityText } from '../video/requests/qualities.ts';
import { videoProgress } from './videoProgress.ts';

/** How far the pictures of a row have come: available, on their way, or still on the vehicle and to be had. */
export function VideoCell({
  notification,
  isRoomy = false,
}: {
  notification: Pick<Notification, 'event_ids' | 'vehicle_id'>;
  /** There is room for whole sentences. */
  isRoomy?: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const tasks = useStore(app.video.tasks, (state) => state.byId);
  const progress = useMemo(() => videoProgress(notification, tasks.values()), [notification, tasks]);
  switch (progress.kind) {
    case 'none':
      return <VideoThere vehicleId={notification.vehicle_id} />;
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
      const full = fullQualityText(progress.full, t);
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
        <span className="video-cell" title={progress.detail}>
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
