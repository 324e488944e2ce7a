import { RotateCw, SquarePlay, Link } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode, useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { browserFrames } from '../../clock/frames.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { SeverityMark, severityTone } from '../../ui/SeverityMark.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { formatReason } from '../requests/failure.ts';
import { useOrderActions, type OrderActions, useChannelNames, useSubject } from '../requests/useOrders.ts';
import { type VideoRequest, failureOf, orderProgress, partOf } from '../requests/videoOrders.ts';
import { useVideo, useVideoControls } from '../useVideo.ts';
import { PlayerStage, type PlayerStageProps } from './PlayerStage.tsx';
import { isAwaited, type ChannelView } from './channelViews.ts';
import { createPlayback, type Playback } from './playback.ts';
import type { TrackLoad } from './readTrack.ts';
import { useClips } from './useClips.ts';
import './PlayerPane.css';
import { formatAge } from '../../format/age.ts';
import { Meter } from '../../ui/Meter.tsx';
import { hasPictures, isUnderWay } from '../requests/qualities.ts';
import { failureLabels } from './clipLoads.ts';
import { playerLayout } from './playerLayout.ts';
import { useElementSize } from '../../ui/useWindowSize.ts';
import { shareLink } from '../../navigation/appLinks.ts';

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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another order begins a clock of its own
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
    setCopied(await app.platform.copyText(shareLink(app, 'video', { task: first.task_id })));
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
          <span className={`strong ${severityTone(subject.severity)}`}>{subject.words.kind}</span>
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

/** From the vehicle to the depot takes most of the time, from the depot to here the rest. */
const DEPOT_SHARE = 0.8;

export interface FetchProgressProps {
  order: VideoRequest;
  shows: readonly ChannelView[];
  nameOf: (channel: number) => string;
  /** Plays what is here, without waiting for the rest. */
  onPlayNow: () => void;
}

/** The loading state of the player: each channel with how far it is, and what can be played already. */
function FetchProgress({ order, shows, nameOf, onPlayNow }: FetchProgressProps) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const fetches = useStore(video.clips.store, (state) => state.fetches);
  // Asked for so that the guess of what is left moves.
  useNow();
  const time = useDepotTime();
  const { waitsSince } = orderProgress(order);
  const grid = useRef<HTMLDivElement>(null);
  const size = useElementSize(grid);
  const tiles = useMemo(
    () => playerLayout({ ...size, channels: shows.length, aspect: 16 / 9, large: null }),
    [size, shows.length],
  );

  const rows = shows.map(({ task, clip }) => {
    const fetch = fetches.get(task.task_id);
    const share = fetch === undefined || fetch.totalBytes === 0 ? 0 : fetch.loadedBytes / fetch.totalBytes;
    const fetched = clip?.phase === 'here' ? 1 : clip?.phase === 'coming' ? share : 0;
    const isFetching = clip?.phase === 'coming' && task.status === 'done';
    return {
      task,
      isHere: clip?.phase === 'here',
      part: task.status === 'done' ? DEPOT_SHARE + (1 - DEPOT_SHARE) * fetched : DEPOT_SHARE * partOf(task),
      words:
        clip?.phase === 'failed'
          ? failureLabels(clip.error, t)
          : isFetching
            ? t('player.from_depot', { percent: Math.round(share * 100) })
            : t(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) }),
    };
  });
  const awaited = rows.filter(({ task }) => isUnderWay(task) || hasPictures(task, () => true));
  const percent = Math.round(
    (awaited.reduce((sum, it) => sum + it.part, 0) / Math.max(1, awaited.length)) * 100,
  );
  const secondsLeft = video.pace.secondsLeft(order, app.clock.now());
  const here = rows.filter((it) => it.isHere).map((it) => it.task.channel);

  return (
    <>
      <div ref={grid} className="channel-videos channel-videos--coming">
        {rows.map(({ task, words, part }, index) => {
          const tile = tiles[index];
          return tile === undefined ? null : (
            <figure key={task.task_id} className="channel-video channel-video--coming" style={{ ...tile }}>
              <figcaption className="channel-video__caption">
                <b>{task.channel}</b> {nameOf(task.channel)}
              </figcaption>
              <div className="channel-video__progress">
                <span>{words}</span>
                <Meter label={words} value={part} />
              </div>
            </figure>
          );
        })}
      </div>
      <div className="player-foot" role="status">
        {waitsSince !== null
          ? t('player.progress_waits', { time: time.minute(waitsSince) })
          : secondsLeft === null
            ? t('player.progress', { percent })
            : t('player.progress_left', { percent, age: formatAge(secondsLeft * 1_000) })}
        {here.length > 0 && (
          <button type="button" className="in-accent player-foot__link" onClick={onPlayNow}>
            {t('player.play_now', { count: here.length, channels: here.join(', ') })}
          </button>
        )}
      </div>
    </>
  );
}
