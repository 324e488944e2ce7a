import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Incident } from '../../../server/contract/incidents.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { mayWork } from '../../incidents/incidentCommands.ts';
import { incidentsAbout } from '../../incidents/openIncidents.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { neighbours, type VideoRequest } from '../requests/videoOrders.ts';
import { isOfMoment, type VehicleTimeRange } from '../store/cachedContext.ts';
import { useVideoControls, useVideo } from '../useVideo.ts';
import { ChannelPicture, type ChannelPictureProps } from './ChannelPicture.tsx';
import { MarkList, useMarks } from './MarkList.tsx';
import { TimeBar, type TimeBarProps } from './TimeBar.tsx';
import { Transport } from './Transport.tsx';
import { gapAt, visibleChannels, spareTasks } from './channelViews.ts';
import { type ClipLoad, failureLabels } from './clipLoads.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import type { Playback } from './playback.ts';
import { playerLayout } from './playerLayout.ts';
import type { TrackLoad } from './readTrack.ts';
import type { RequestClips } from './useClips.ts';
import { useDayEvents, type DayEvents } from './useDayEvents.ts';
import { useElementSize } from '../../ui/useWindowSize.ts';
import { useSaves } from './useSaves.ts';
import { useSnapshot } from './useSnapshot.ts';

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
/** In the menu of snapshots. */
const mostIncidents = 5;
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

  const visible = useRef(new Map<number, ClipPlayer>());
  const onSeen = useCallback<ChannelPictureProps['onSeen']>((channel, it) => {
    if (it === null) visible.current.delete(channel);
    else visible.current.set(channel, it.clip);
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
    vehicle: { id: order.vehicleId, ...vehicle },
    track: track.phase === 'ready' ? track.positions : NO_TRACK,
    from: order.from,
    position,
    nameOf,
    showing: () =>
      channels.flatMap(({ channel, gaps }) => {
        const clip = visible.current.get(channel);
        return clip === undefined || gapAt(gaps, position()) !== -1 ? [] : [{ channel, clip }];
      }),
  });
  const incidents = useIncidentsAbout(order);
  const about = incidents[0];
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
    attach: about === undefined ? undefined : () => snapshot.attach(loudest, about),
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
          ...incidents.slice(0, mostIncidents).map((incident) => ({
            id: incident.incident_id,
            label: t('incident.attach_to', { number: incident.number }),
            run: () => snapshot.attach(loudest, incident),
          })),
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

/** Those that a snapshot can be attached to. */
function useIncidentsAbout({ tasks, vehicleId }: VideoRequest): Incident[] {
  const app = useAppContext();
  const lost = useLostSince() !== null;
  const byId = useStore(app.incidents.store, (state) => state.byId);
  return useMemo(() => {
    if (lost || !mayWork(app)) return [];
    const taskIds = tasks.map((it) => it.task_id);
    return incidentsAbout(byId, { taskIds, vehicleId, notificationId: null }, app.user.user_id);
  }, [app, lost, byId, tasks, vehicleId]);
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

/** A step back from right behind an event goes to the one before: nobody presses twice within this time. */
const BEHIND_S = 1;

/**
 * The events of an order right before and after a moment, in seconds from its beginning; null where there is none.
 *
 * @param times of the events, milliseconds since 1970
 */
export function eventSteps(
  order: { from: number; to: number },
  times: readonly number[],
  s: number,
): { previous: number | null; next: number | null } {
  const places = times
    .filter((at) => at >= order.from && at <= order.to)
    .map((at) => (at - order.from) / 1_000)
    .sort((a, b) => a - b);
  return {
    previous: places.findLast((it) => it < s - BEHIND_S) ?? null,
    // A seek lands a little beside where it was sent.
    next: places.find((it) => it > s + BEHIND_S / 10) ?? null,
  };
}

/** Keeps track and events of a moment beside its clips, so that they are there with no server, too. */
function useMomentKeeping(
  { vehicleId, from, to }: VehicleTimeRange,
  track: TrackLoad,
  known: DayEvents,
): void {
  const { clips } = useVideo();
  const span = { vehicleId, from, to };
  const hasClip = useStore(clips.store, (state) =>
    [...state.clips.values()].some((it) => it.whole && isOfMoment(it, span)),
  );
  const positions = track.phase === 'ready' && track.isFresh ? track.positions : null;
  const events = known.isFresh ? known.events : null;
  useEffect(() => {
    if (!hasClip || positions === null || events === null) return;
    // A store that is full keeps the clips and goes without.
    clips.keepMoment({ vehicleId, from, to }, { positions, events }).catch(() => undefined);
  }, [clips, hasClip, positions, events, vehicleId, from, to]);
}

/** Reports to the store which clips a better one has taken the place of. */
function useSpareClips(taskIds: readonly string[]): void {
  const { clips } = useVideo();
  const ids = taskIds.join(' ');
  useEffect(() => {
    // A store that cannot be written keeps them as they are.
    if (ids !== '') clips.spare(ids.split(' ')).catch(() => undefined);
  }, [clips, ids]);
}
