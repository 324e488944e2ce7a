import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { browserFrames } from '../../clock/frames.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { useOrderActions } from '../requests/useOrderActions.ts';
import { useChannelNames, useSubject } from '../requests/useOrders.ts';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { useT } from '../../i18n/useT.ts';
import { isAwaited } from './channelViews.ts';
import { FetchProgress } from './FetchProgress.tsx';
import { createPlayback, type Playback } from './playback.ts';
import { PlayerFailed } from './PlayerFailed.tsx';
import { PlayerHead } from './PlayerHead.tsx';
import { PlayerStage, type PlayerStageProps } from './PlayerStage.tsx';
import { useClips } from './useClips.ts';
import type { TrackLoad } from './readTrack.ts';
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
                  disabled={actions.isBusy}
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
