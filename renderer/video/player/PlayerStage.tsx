import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { neighbours, type VideoOrder } from '../orders/videoOrders.ts';
import { useText } from '../../i18n/useText.ts';
import type { Say } from '../../i18n/text.ts';
import { ChannelPicture } from './ChannelPicture.tsx';
import { eventSteps } from './eventSteps.ts';
import { failureWords } from './failureWords.ts';
import type { Film } from './film.ts';
import { filmGaps, gapAt } from './filmGaps.ts';
import type { FilmLoad } from './filmLoads.ts';
import { MarkList } from './MarkList.tsx';
import type { Playback } from './playback.ts';
import { playerLayout } from './playerLayout.ts';
import { TimeBar, type TimeBarProps } from './TimeBar.tsx';
import { Transport } from './Transport.tsx';
import { useDayEvents } from './useDayEvents.ts';
import { useElementSize } from './useElementSize.ts';
import { useMarks } from './useMarks.ts';
import { usePlayerKeys } from './usePlayerKeys.ts';
import { useSaves } from './useSaves.ts';
import { useSnapshot } from './useSnapshot.ts';
import type { TrackLoad } from './useTrack.ts';

export interface PlayerStageProps {
  order: VideoOrder;
  vehicle: { name: string; plate: string | null };
  films: ReadonlyMap<string, FilmLoad>;
  nameOf: (channel: number) => string;
  track: TrackLoad;
  limitKmh: number | null;
  playback: Playback;
  day: TimeBarProps['day'];
}

const USUAL_ASPECT = 16 / 9;
const NO_TRACK = [] as const;

/** All channels of an order on one clock, the transport, and the time bar. */
export function PlayerStage(props: PlayerStageProps) {
  const { order, vehicle, films, nameOf, track, limitKmh, playback, day } = props;
  const say = useText();
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
  const gaps = useMemo(
    () => new Map(tasks.map((it) => [it.task_id, filmGaps(order, it, films.get(it.task_id))])),
    [order, tasks, films],
  );
  const loudest = chosen ?? tasks[0]?.channel ?? null;
  useEffect(() => playback.prefer(loudest), [playback, loudest]);
  const choose = (channel: number) => setChosen((before) => (before === channel ? null : channel));
  const momentNow = () => order.from + playback.store.getState().position * 1_000;

  const events = useDayEvents(order.vehicleId, order.from, order.to);
  const beside = neighbours(order, day.others);
  const stepEvent = (to: 'previous' | 'next') => {
    const times = events.map((it) => Date.parse(it.time));
    const inside = eventSteps(order, times, playback.store.getState().position)[to];
    const other = beside[to];
    if (inside !== null) playback.seek(inside);
    else if (other !== undefined) day.onShow(other);
  };

  const mayStep = (to: 'previous' | 'next') => events.length > 0 || beside[to] !== undefined;

  const shown = useRef(new Map<number, Film>());
  const onFilm = useCallback((channel: number, film: Film | null) => {
    if (film === null) shown.current.delete(channel);
    else shown.current.set(channel, film);
  }, []);
  const marks = useMarks(order);
  const mark = () => marks.toggle(momentNow());
  const saves = useSaves(order, vehicle.name, films, nameOf);
  const snapshot = useSnapshot({
    vehicle,
    track: track.phase === 'ready' ? track.positions : NO_TRACK,
    at: momentNow,
    nameOf,
    showing: () =>
      tasks.flatMap(({ channel, task_id }) => {
        const film = shown.current.get(channel);
        const isGap = gapAt(gaps.get(task_id) ?? [], playback.store.getState().position) !== -1;
        return film === undefined || isGap ? [] : [{ channel, film }];
      }),
  });
  usePlayerKeys({
    playback,
    channels: tasks.map((it) => it.channel),
    choose,
    previous: () => stepEvent('previous'),
    next: () => stepEvent('next'),
    mark,
    snapshot: () => snapshot.take(loudest),
    snapshotAll: () => snapshot.take(),
  });

  return (
    <>
      <div ref={grid} className="pictures">
        {tasks.map((task, index) => {
          const tile = tiles[index];
          if (tile === undefined) return null;
          return (
            <ChannelPicture
              key={task.task_id}
              channel={task.channel}
              name={nameOf(task.channel)}
              film={films.get(task.task_id)}
              note={noteOf(task, films.get(task.task_id), say)}
              gaps={gaps.get(task.task_id) ?? []}
              from={order.from}
              tile={tile}
              isLarge={task.channel === loudest && tasks.length > 1}
              isMuted={!soundOn || task.channel !== loudest}
              playback={playback}
              onPress={() => choose(task.channel)}
              onSave={() => saves.saveOne(task.task_id)}
              onFilm={onFilm}
            />
          );
        })}
        {snapshot.hasFailed && (
          <p className="pictures__word" role="status">
            {say('player.snapshot_failed')}
          </p>
        )}
      </div>
      <Transport
        playback={playback}
        from={order.from}
        to={order.to}
        saves={saves.entries}
        snapshots={[
          {
            id: 'one',
            label: say('player.snapshot_channel', { channel: loudest ?? '' }),
            keycap: 'S',
            run: () => snapshot.take(loudest),
          },
          {
            id: 'all',
            label: say('player.snapshot_all'),
            keycap: 'Shift S',
            run: () => snapshot.take(),
          },
        ]}
        marks={
          <MarkList
            marks={marks}
            onMark={mark}
            onShow={({ at }) => playback.seek((at - order.from) / 1_000)}
          />
        }
        onPrevious={mayStep('previous') ? () => stepEvent('previous') : null}
        onNext={mayStep('next') ? () => stepEvent('next') : null}
        sound={{ isOn: soundOn, toggle: () => setSoundOn((on) => !on) }}
      />
      <TimeBar
        order={order}
        films={films}
        gaps={gaps}
        events={events}
        marks={marks.list}
        nameOf={nameOf}
        track={track}
        limitKmh={limitKmh}
        playback={playback}
        day={day}
      />
    </>
  );
}

/** Why a channel has no picture at all; null where it has one. */
function noteOf(task: VideoOrder['tasks'][number], film: FilmLoad | undefined, say: Say): string | null {
  if (film?.phase === 'failed') return failureWords(film.error, say);
  if (film?.phase === 'coming') return say('player.step.queued');
  if (film === undefined)
    return say(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) });
  return null;
}
