import { useMemo, useRef, useState } from 'react';
import { useDepotTime } from '../../desk/useMoment.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { gapOf, neighbours, type VideoOrder } from '../orders/videoOrders.ts';
import { useVideoKeys, type VideoKeys } from '../useVideoKeys.ts';
import { useText } from '../../i18n/useText.ts';
import type { Say } from '../../i18n/text.ts';
import { ChannelPicture } from './ChannelPicture.tsx';
import type { FilmLoad } from './filmLoads.ts';
import { failureWords } from './failureWords.ts';
import type { Playback } from './playback.ts';
import { playerLayout } from './playerLayout.ts';
import { TimeBar, type TimeBarProps } from './TimeBar.tsx';
import { Transport } from './Transport.tsx';
import { useElementSize } from './useElementSize.ts';
import { useSaves } from './useSaves.ts';
import type { TrackLoad } from './useTrack.ts';

export interface PlayerStageProps {
  order: VideoOrder;
  vehicleName: string;
  films: ReadonlyMap<string, FilmLoad>;
  nameOf: (channel: number) => string;
  track: TrackLoad;
  limitKmh: number | null;
  playback: Playback;
  day: TimeBarProps['day'];
}

const USUAL_ASPECT = 16 / 9;

/** All channels of an order on one clock, the transport, and the time bar. */
export function PlayerStage({
  order,
  vehicleName,
  films,
  nameOf,
  track,
  limitKmh,
  playback,
  day,
}: PlayerStageProps) {
  const say = useText();
  const time = useDepotTime();
  const [chosen, setChosen] = useState<number | null>(null);
  const [soundOn, setSoundOn] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const size = useElementSize(grid);
  const { tasks } = order;
  const place = tasks.findIndex((it) => it.channel === chosen);
  const file = tasks.find((it) => it.file !== null)?.file;
  const aspect =
    file === undefined || file === null || file.height === 0 ? USUAL_ASPECT : file.width / file.height;
  const tiles = useMemo(
    () => playerLayout({ ...size, channels: tasks.length, aspect, large: place === -1 ? null : place }),
    [size, tasks.length, aspect, place],
  );
  const { previous, next } = neighbours(order, day.others);
  const stepTo = (it: VideoOrder | undefined) => it && (() => day.onShow(it));
  const loudest = chosen ?? tasks[0]?.channel ?? null;
  const choose = (channel: number) => setChosen((before) => (before === channel ? null : channel));
  const saves = useSaves(order, vehicleName, films, nameOf);

  const keys: Record<string, VideoKeys[string]> = {
    ' ': () => playback.toggle(),
    ',': () => playback.step(-1),
    '.': () => playback.step(1),
    // Signs lie on other keys in other layouts: Shift with a comma or a point is what it types.
    '<': stepTo(previous),
    ';': stepTo(previous),
    '>': stepTo(next),
    ':': stepTo(next),
  };
  for (const task of tasks) if (task.channel < 10) keys[String(task.channel)] = () => choose(task.channel);
  useVideoKeys(keys);

  return (
    <>
      <div ref={grid} className="pictures">
        {tasks.map((task, index) => {
          const film = films.get(task.task_id);
          const tile = tiles[index];
          if (tile === undefined) return null;
          return (
            <ChannelPicture
              key={task.task_id}
              channel={task.channel}
              name={nameOf(task.channel)}
              url={film?.phase === 'here' ? film.url : null}
              note={noteOf(order, task, film, say, time)}
              tile={tile}
              isLarge={task.channel === loudest && tasks.length > 1}
              isMuted={!soundOn || task.channel !== loudest}
              playback={playback}
              onPress={() => choose(task.channel)}
            />
          );
        })}
      </div>
      <Transport
        playback={playback}
        from={order.from}
        to={order.to}
        saves={saves}
        onPrevious={stepTo(previous)}
        onNext={stepTo(next)}
        sound={{ isOn: soundOn, toggle: () => setSoundOn((on) => !on) }}
      />
      <TimeBar
        order={order}
        films={films}
        nameOf={nameOf}
        track={track}
        limitKmh={limitKmh}
        playback={playback}
        day={day}
      />
    </>
  );
}

/** What a picture lacks, in words. */
function noteOf(
  order: VideoOrder,
  task: VideoOrder['tasks'][number],
  film: FilmLoad | undefined,
  say: Say,
  time: DepotTime,
): string | null {
  if (film?.phase === 'failed') return failureWords(film.error, say);
  if (film?.phase === 'coming') return say('player.step.queued');
  if (film === undefined)
    return say(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) });
  const gap = gapOf(order, task);
  if (gap === null || task.file === null) return null;
  return say('player.no_picture', {
    from: time.clock(order.from + gap.fromS * 1_000),
    to: time.clock(order.from + gap.toS * 1_000),
  });
}
