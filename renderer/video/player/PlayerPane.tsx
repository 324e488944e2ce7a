import { RotateCw, SquarePlay, Link } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { browserFrames } from '../../clock/frames.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { SeverityMark } from '../../ui/SeverityMark.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { formatReason } from '../requests/failure.ts';
import { useOrderActions, type OrderActions, useChannelNames, useSubject } from '../requests/useOrders.ts';
import { type VideoRequest, failureOf } from '../requests/videoOrders.ts';
import { useVideo, useVideoControls } from '../useVideo.ts';
import { FetchProgress } from './FetchProgress.tsx';
import { PlayerStage, type PlayerStageProps } from './PlayerStage.tsx';
import { isAwaited } from './channelViews.ts';
import { createPlayback, type Playback } from './playback.ts';
import type { TrackLoad } from './readTrack.ts';
import { useClips } from './useClips.ts';
import './PlayerPane.css';

export interface PlayerPaneProps {
  order: VideoRequest;
  playback: Playback;
  track: TrackLoad;
  day: PlayerStageProps['day'];
  onOrder: () => void;
}

/** One order in the player: on its way, failed, or playing. To be mounted anew for another order. */
export function PlayerPane({ order, playback, track, day, onOrder }: PlayerPaneProps) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const subject = useSubject(order);
  const nameOf = useChannelNames(order.vehicleId);
  const actions = useOrderActions();
  const requestClips = useClips(order);
  const { clips, shows, retry } = requestClips;
  const [playNow, setPlayNow] = useState(false);

  const here = shows.filter((it) => it.clip?.phase === 'here');
  const isComing = shows.some(isAwaited);
  const hasClips = clips.size > 0 || order.phase !== 'ready';
  const isAllHere = here.length > 0 && !isComing;
  const hasFailed = [...clips.values()].some((it) => it.phase === 'failed');
  // What has begun goes on: a channel that is tried again, or its full recording, comes to the others while they play.
  const [hasBegun, setBegun] = useState(false);
  const isOn = here.length > 0 && (!isComing || playNow || hasBegun);
  if (isOn && !hasBegun) setBegun(true);

  useEffect(() => {
    if (!isOn) return;
    const stop = playback.start();
    playback.play();
    return stop;
  }, [playback, isOn]);

  return (
    <Pane
      name={t('player.title')}
      className="player"
      head={
        <PlayerHead
          order={order}
          actions={
            <>
              {order.phase === 'under_way' && video.mayOrder && (
                <Button
                  kind="quiet"
                  size="small"
                  disabled={actions.busy}
                  onPress={() => actions.cancel(order)}
                >
                  {t('video_requests.cancel')}
                </Button>
              )}
              {order.phase === 'ready' && hasFailed && (
                <Button kind="quiet" size="small" onPress={retry}>
                  {t('video_requests.retry')}
                </Button>
              )}
            </>
          }
        />
      }
    >
      <StaleBanner>{t(isAllHere ? 'player.clip_stays' : 'player.stale_fetching')}</StaleBanner>
      {isOn ? (
        <PlayerStage
          order={order}
          vehicle={{ name: vehicle?.name ?? '', plate: vehicle?.plate ?? null }}
          clips={requestClips}
          nameOf={nameOf}
          track={track}
          limitKmh={subject?.limitKmh ?? vehicle?.speed_limit_kmh ?? null}
          playback={playback}
          day={day}
        />
      ) : order.phase === 'failed' ? (
        <PlayerFailed order={order} actions={actions} onOrder={onOrder} />
      ) : (
        hasClips && (
          <FetchProgress order={order} shows={shows} nameOf={nameOf} onPlayNow={() => setPlayNow(true)} />
        )
      )}
    </Pane>
  );
}

const pageTime = (): number => performance.now();

/** The clock of an order, as long as it is shown. */
export function usePlayback(orderId: string | null, lengthS: number): Playback {
  return useMemo(
    () => createPlayback(browserFrames, lengthS, pageTime),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another order begins a clock of its own
    [orderId, lengthS],
  );
}

/** The failed state of the player: why there are no pictures, and what can be done. */
function PlayerFailed({
  order,
  actions,
  onOrder,
}: {
  order: VideoRequest;
  actions: OrderActions;
  onOrder: () => void;
}) {
  const t = useT();
  const { mayOrder } = useVideo();
  const { title, how } = formatReason(failureOf(order), t);
  useVideoControls(mayOrder ? { retry: () => actions.retry(order) } : {});
  return (
    <Notice
      icon={SquarePlay}
      title={title}
      actions={
        mayOrder && (
          <>
            <Button
              kind="primary"
              icon={RotateCw}
              keycap="R"
              disabled={actions.busy}
              onPress={() => actions.retry(order)}
            >
              {t('video_requests.retry')}
            </Button>
            <Button onPress={onOrder}>{t('video_requests.order')}</Button>
          </>
        )
      }
    >
      {how} {actions.sentence}
    </Notice>
  );
}

const TONES = { alarm: 'strong in-alarm', warning: 'strong in-warning', info: 'strong' } as const;

/** Which vehicle, which alarm, when. */
function PlayerHead({ order, actions }: { order: VideoRequest; actions?: ReactNode }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const subject = useSubject(order);
  const [copied, setCopied] = useState<boolean | null>(null);
  const [first] = order.tasks;
  const copy = async () => {
    if (first === undefined) return;
    setCopied(await app.platform.copyText(app.navigation.linkTo('video', { task: first.task_id })));
  };
  const span = t('video_requests.span', { from: time.clock(order.from), to: time.clock(order.to) });
  return (
    <>
      {subject !== null && <SeverityMark severity={subject.severity} />}
      <h2>
        {vehicle?.name ?? t('vehicle.gone')}{' '}
        {vehicle?.plate != null && <span className="player-head__plate">{vehicle.plate}</span>}
      </h2>
      {subject !== null && (
        <>
          <span className={TONES[subject.severity]}>{subject.words.kind}</span>
          <span className="ellipsis" title={subject.words.what}>
            {subject.words.what}
          </span>
        </>
      )}
      <span className="quiet" title={time.utc(subject?.at ?? order.from)}>
        {subject === null
          ? `${time.date(order.from)} ${span}`
          : `${time.date(subject.at)} ${time.clock(subject.at)}`}
      </span>
      <span className="fill" />
      {actions}
      <Button kind="quiet" size="small" icon={Link} onPress={() => void copy()}>
        {copied === null ? t('player.copy_link') : copied ? t('player.copied') : t('ui.copy_denied')}
      </Button>
    </>
  );
}
