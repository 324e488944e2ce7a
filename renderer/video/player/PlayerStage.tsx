import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { neighbours, type VideoRequest } from '../requests/videoOrders.ts';
import { useVideoControls } from '../useVideo.ts';
import { useT } from '../../i18n/useT.ts';
import type { Translate } from '../../i18n/text.ts';
import { ChannelPicture, type ChannelPictureProps } from './ChannelPicture.tsx';
import { eventSteps } from './eventSteps.ts';
import { failureLabels } from './failureLabels.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { gapAt } from './clipGaps.ts';
import type { ClipLoad } from './clipLoads.ts';
import { MarkList } from './MarkList.tsx';
import type { Playback } from './playback.ts';
import { playerLayout } from './playerLayout.ts';
import { TimeBar, type TimeBarProps } from './TimeBar.tsx';
import { Transport } from './Transport.tsx';
import { useDayEvents } from './useDayEvents.ts';
import { visibleChannels, spareTasks } from './visibleChannels.ts';
import { useElementSize } from './useElementSize.ts';
import type { RequestClips } from './useClips.ts';
import { useMarks } from './useMarks.ts';
import { useMomentKeeping, useSpareClips } from './useMomentKeeping.ts';
import { useSaves } from './useSaves.ts';
import { useSnapshot } from './useSnapshot.ts';
import type { TrackLoad } from './readTrack.ts';

export interface PlayerStageProps {
  order: VideoRequest;
  vehicle: { name: string; plate: string | null };
  clips: RequestClips;
  nameOf: (channel: number) => string;
  track: TrackLoad;
  limitKmh: number | null;
  playback: Playback;
  day: TimeBarProps['day'];
}

const USUAL_ASPECT = 16 / 9;
const NO_TRACK = [] as const;
const NOTHING_SEEN: ReadonlyMap<number, string> = new Map();

/** All channels of an order on one clock, the transport, and the time bar. */
export function PlayerStage(props: PlayerStageProps) {
  const { order, vehicle, nameOf, track, limitKmh, playback, day } = props;
  const { clips, shows, plays, onFault } = props.clips;
  const t = useT();
  const [chosen, setChosen] = useState<number | null>(null);
  const [soundOn, setSoundOn] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const size = useElementSize(grid);
  const [seen, setSeen] = useState(NOTHING_SEEN);
  const channels = useMemo(
    () => visibleChannels(order, shows, { clips, plays }, seen),
    [order, shows, clips, plays, seen],
  );
  const place = channels.findIndex((it) => it.channel === chosen);
  const file = channels.find((it) => it.task.file !== null)?.task.file;
  const aspect =
    file === undefined || file === null || file.height === 0 ? USUAL_ASPECT : file.width / file.height;
  const tiles = useMemo(
    () => playerLayout({ ...size, channels: channels.length, aspect, large: place === -1 ? null : place }),
    [size, channels.length, aspect, place],
  );
  const loudest = chosen ?? channels[0]?.channel ?? null;
  useEffect(() => playback.prefer(loudest), [playback, loudest]);
  const choose = (channel: number) => setChosen((before) => (before === channel ? null : channel));
  const position = () => playback.store.getState().position;
  const momentNow = () => order.from + position() * 1_000;

  const happened = useDayEvents(order, order);
  const { events } = happened;
  const beside = neighbours(order, day.others);
  const stepEvent = (to: 'previous' | 'next') => {
    const times = events.map((it) => Date.parse(it.time));
    const inside = eventSteps(order, times, position())[to];
    const other = beside[to];
    if (inside !== null) playback.seek(inside);
    else if (other !== undefined) day.onShow(other);
  };

  const mayStep = (to: 'previous' | 'next') => events.length > 0 || beside[to] !== undefined;

  const shown = useRef(new Map<number, ClipPlayer>());
  const onSeen = useCallback<ChannelPictureProps['onSeen']>((channel, it) => {
    if (it === null) shown.current.delete(channel);
    else shown.current.set(channel, it.clip);
    setSeen((before) => {
      const next = new Map(before);
      if (it === null) next.delete(channel);
      else next.set(channel, it.taskId);
      return next;
    });
  }, []);
  useSpareClips(spareTasks(order.tasks, seen));
  const marks = useMarks(order);
  const mark = () => marks.toggle(momentNow());
  const saves = useSaves(order, vehicle.name, clips, nameOf);
  useMomentKeeping(order, track, happened);
  const snapshot = useSnapshot({
    vehicle,
    track: track.phase === 'ready' ? track.positions : NO_TRACK,
    from: order.from,
    position,
    nameOf,
    showing: () =>
      channels.flatMap(({ channel, gaps }) => {
        const clip = shown.current.get(channel);
        return clip === undefined || gapAt(gaps, position()) !== -1 ? [] : [{ channel, clip }];
      }),
  });
  useVideoControls({
    play: () => playback.toggle(),
    frame: (pressed) => playback.step(pressed === ',' ? -1 : 1),
    event: (pressed) => stepEvent('<;'.includes(pressed) ? 'previous' : 'next'),
    rate: (pressed) => playback.shift(pressed === 'Shift+ArrowUp' ? 1 : -1),
    channel: (pressed) => {
      if (channels.some((it) => it.channel === Number(pressed))) choose(Number(pressed));
    },
    mark,
    snapshot: () => snapshot.take(loudest),
    snapshot_all: () => snapshot.take(),
  });

  return (
    <>
      <div ref={grid} className="channel-videos">
        {channels.map(({ channel, task, clip, isPlayable, isHere, isSmall, full, gaps }, index) => {
          const tile = tiles[index];
          if (tile === undefined) return null;
          return (
            <ChannelPicture
              key={channel}
              channel={channel}
              name={nameOf(channel)}
              clip={clip}
              isPlayable={isPlayable}
              isSmall={isSmall}
              full={full}
              note={isHere ? null : noteOf(task, clip, t)}
              gaps={gaps}
              from={order.from}
              tile={tile}
              isLarge={channel === loudest && channels.length > 1}
              isMuted={!soundOn || channel !== loudest}
              playback={playback}
              onPress={() => choose(channel)}
              onSave={saves.saveOne}
              onSeen={onSeen}
              onFault={onFault}
            />
          );
        })}
        {snapshot.hasFailed && (
          <p className="channel-videos__word" role="status">
            {t('player.snapshot_failed')}
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
            label: t('player.snapshot_channel', { channel: loudest ?? '' }),
            keycap: 'S',
            run: () => snapshot.take(loudest),
          },
          {
            id: 'all',
            label: t('player.snapshot_all'),
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
        channels={channels}
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
function noteOf(
  task: VideoRequest['tasks'][number],
  clip: ClipLoad | undefined,
  t: Translate,
): string | null {
  if (clip?.phase === 'failed') return failureLabels(clip.error, t);
  if (clip?.phase === 'coming') return t('player.step.queued');
  if (clip === undefined)
    return t(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) });
  return null;
}
