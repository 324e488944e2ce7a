import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { Meter } from '../../ui/Meter.tsx';
import { hasPictures, isUnderWay } from '../requests/qualities.ts';
import { orderProgress, partOf, type VideoRequest } from '../requests/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { useT } from '../../i18n/useT.ts';
import type { ChannelView } from './channelViews.ts';
import { failureLabels } from './clipLoads.ts';
import { playerLayout } from './playerLayout.ts';
import { useElementSize } from '../../ui/useWindowSize.ts';

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
export function FetchProgress({ order, shows, nameOf, onPlayNow }: FetchProgressProps) {
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
