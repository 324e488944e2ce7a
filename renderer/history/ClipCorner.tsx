import { ExternalLink, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { browserFrames } from '../clock/frames.ts';
import { useT } from '../i18n/useT.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { useElementSize } from '../ui/useWindowSize.ts';
import { ChannelPicture } from '../video/player/ChannelPicture.tsx';
import { visibleChannels } from '../video/player/channelViews.ts';
import { failureLabels } from '../video/player/clipLoads.ts';
import { createPlayback } from '../video/player/playback.ts';
import type { Tile } from '../video/player/playerLayout.ts';
import { useClips } from '../video/player/useClips.ts';
import { isUnderWay } from '../video/requests/qualities.ts';
import { useChannelNames } from '../video/requests/useOrders.ts';
import { partOf, type VideoRequest } from '../video/requests/videoOrders.ts';
import { clipAt, useDayClips } from './dayClips.ts';
import { followInstant, paceOf } from './followInstant.ts';
import '../video/player/PlayerPane.css';

const pageTime = (): number => performance.now();

/** The clip under the cursor, in a corner of the map, in step with the past and without sound. */
export function ClipCorner() {
  const { history } = useAppContext();
  const clips = useDayClips();
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const [closed, setClosed] = useState<string | null>(null);
  const clip = vehicleId === null ? null : clipAt(clips, shownAt, vehicleId);
  if (clip === null || clip.id === closed) return null;
  return <Corner key={clip.id} clip={clip} onClose={() => setClosed(clip.id)} />;
}

function Corner({ clip, onClose }: { clip: VideoRequest; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const nameOf = useChannelNames(clip.vehicleId);
  const channels = clip.shown.map((it) => it.channel);
  const [wanted, setWanted] = useState<number | null>(null);
  const channel = wanted !== null && channels.includes(wanted) ? wanted : (channels[0] ?? 1);
  const name = useStore(
    app.history.store,
    (state) => state.vehicles.find((it) => it.vehicle_id === clip.vehicleId)?.name ?? '',
  );
  const task = clip.shown.find((it) => it.channel === channel);
  const place = useRef<HTMLDivElement>(null);
  const size = useElementSize(place);
  return (
    <section className="clip-corner" aria-label={t('history.clip', { name })}>
      <header className="clip-corner__head">
        <b>{name}</b>
        <span className="quiet">
          {time.clock(clip.from)} – {time.clock(clip.to)}
        </span>
        <span className="fill" />
        {channels.length > 1 && (
          <SegmentedControl
            label={t('history.clip_channel')}
            size="small"
            options={channels.map((it) => ({ id: String(it), label: String(it) }))}
            value={String(channel)}
            onChange={(chosen) => setWanted(Number(chosen))}
          />
        )}
        {task?.status === 'done' && (
          <IconButton
            icon={ExternalLink}
            size="small"
            label={t('history.clip_open')}
            onPress={() => app.video.play(task.task_id)}
          />
        )}
        <IconButton icon={X} size="small" label={t('history.clip_close')} onPress={onClose} />
      </header>
      <div className="clip-corner__picture" ref={place}>
        <Picture
          key={channel}
          clip={clip}
          channel={channel}
          name={nameOf(channel)}
          tile={{ left: 0, top: 0, ...size }}
        />
      </div>
    </section>
  );
}

function Picture({
  clip,
  channel,
  name,
  tile,
}: {
  clip: VideoRequest;
  channel: number;
  name: string;
  tile: Tile;
}) {
  const app = useAppContext();
  const t = useT();
  const { player } = app.history;
  const pace = useStore(player.store, paceOf);
  const rate = useStore(player.store, (state) => state.rate);
  const [seen, setSeen] = useState<ReadonlyMap<number, string>>(new Map());
  // Of one channel alone, and of none while nobody could see it.
  const order = useMemo(
    () => ({
      ...clip,
      tasks: pace === 'too_fast' ? [] : clip.tasks.filter((it) => it.channel === channel),
    }),
    [clip, channel, pace],
  );
  const { clips, shows, plays, onFault } = useClips(order);
  const playback = useMemo(
    () => createPlayback(browserFrames, (clip.to - clip.from) / 1_000, pageTime),
    [clip.from, clip.to],
  );
  useEffect(() => {
    const undo = [playback.start(), followInstant(playback, player, browserFrames, clip.from)];
    return () => undo.reverse().forEach((run) => run());
  }, [playback, player, clip.from]);
  const onSeen = useCallback((of: number, it: { taskId: string } | null) => {
    setSeen((before) => {
      const after = new Map(before);
      if (it === null) after.delete(of);
      else after.set(of, it.taskId);
      return after;
    });
  }, []);
  const save = (taskId: string) => {
    const load = clips.get(taskId);
    if (load?.phase === 'here') void app.platform.saveFile(`${name || channel}.mp4`, load.blob);
  };
  const [view] = visibleChannels(order, shows, { clips, plays }, seen);
  if (pace === 'too_fast') return <p className="clip-corner__word">{t('history.clip_too_fast', { rate })}</p>;
  if (view === undefined) return null;
  const noteOf = (): string | null => {
    if (view.clip?.phase === 'failed') return failureLabels(view.clip.error, t);
    if (view.clip?.phase === 'here') return pace === 'stills' ? t('history.clip_stills', { rate }) : null;
    return isUnderWay(view.task)
      ? t('history.clip_coming', { percent: Math.round(partOf(view.task) * 100) })
      : t('history.clip_loading');
  };
  return (
    <ChannelPicture
      channel={channel}
      name={name}
      clip={view.clip}
      isPlayable={view.isPlayable}
      isSmall={view.isSmall}
      full={view.full}
      note={noteOf()}
      gaps={view.gaps}
      from={clip.from}
      tile={tile}
      isLarge={false}
      isMuted
      playback={playback}
      onPress={player.toggle}
      onSave={save}
      onSeen={onSeen}
      onFault={onFault}
    />
  );
}
