import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { Meter } from '../../ui/Meter.tsx';
import { hasPictures, isUnderWay } from '../orders/qualities.ts';
import { orderProgress, partOf, type VideoOrder } from '../orders/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { useText } from '../../i18n/useText.ts';
import type { ChannelShow } from './channelShows.ts';
import { failureWords } from './failureWords.ts';
import { playerLayout } from './playerLayout.ts';
import { useElementSize } from './useElementSize.ts';

/** From the vehicle to the depot takes most of the time, from the depot to here the rest. */
const DEPOT_SHARE = 0.8;

export interface FetchProgressProps {
  order: VideoOrder;
  shows: readonly ChannelShow[];
  nameOf: (channel: number) => string;
  /** Plays what is here, without waiting for the rest. */
  onPlayNow: () => void;
}

/** The loading state of the player: each channel with how far it is, and what can be played already. */
export function FetchProgress({ order, shows, nameOf, onPlayNow }: FetchProgressProps) {
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
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

  const rows = shows.map(({ task, film }) => {
    const fetch = fetches.get(task.task_id);
    const share = fetch === undefined || fetch.totalBytes === 0 ? 0 : fetch.loadedBytes / fetch.totalBytes;
    const fetched = film?.phase === 'here' ? 1 : film?.phase === 'coming' ? share : 0;
    const isFetching = film?.phase === 'coming' && task.status === 'done';
    return {
      task,
      isHere: film?.phase === 'here',
      part: task.status === 'done' ? DEPOT_SHARE + (1 - DEPOT_SHARE) * fetched : DEPOT_SHARE * partOf(task),
      words:
        film?.phase === 'failed'
          ? failureWords(film.error, say)
          : isFetching
            ? say('player.from_depot', { percent: Math.round(share * 100) })
            : say(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) }),
    };
  });
  const awaited = rows.filter(({ task }) => isUnderWay(task) || hasPictures(task, () => true));
  const percent = Math.round(
    (awaited.reduce((sum, it) => sum + it.part, 0) / Math.max(1, awaited.length)) * 100,
  );
  const secondsLeft = video.pace.secondsLeft(order, desk.clock.now());
  const here = rows.filter((it) => it.isHere).map((it) => it.task.channel);

  return (
    <>
      <div ref={grid} className="pictures pictures--coming">
        {rows.map(({ task, words, part }, index) => {
          const tile = tiles[index];
          return tile === undefined ? null : (
            <figure key={task.task_id} className="picture picture--coming" style={{ ...tile }}>
              <figcaption className="picture__caption">
                <b>{task.channel}</b> {nameOf(task.channel)}
              </figcaption>
              <div className="picture__progress">
                <span>{words}</span>
                <Meter label={words} value={part} />
              </div>
            </figure>
          );
        })}
      </div>
      <div className="player-foot" role="status">
        {waitsSince !== null
          ? say('player.progress_waits', { time: time.minute(waitsSince) })
          : secondsLeft === null
            ? say('player.progress', { percent })
            : say('player.progress_left', { percent, age: ageText(secondsLeft * 1_000) })}
        {here.length > 0 && (
          <button type="button" className="in-accent player-foot__link" onClick={onPlayNow}>
            {say('player.play_now', { count: here.length, channels: here.join(', ') })}
          </button>
        )}
      </div>
    </>
  );
}
