import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { browserFrames } from '../../clock/frames.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { createChannelScreen, type ChannelScreen } from './channelScreen.ts';
import { type FullState, gapAt, gapToReport } from './channelViews.ts';
import { isH265 } from './mp4Index.ts';
import { type LoadedClip, type ClipLoad, failureLabels } from './clipLoads.ts';
import { createClipPlayer, type ClipPlayer } from './clipPlayer.ts';
import type { Gap } from './frameTimes.ts';
import type { Playback } from './playback.ts';
import type { Tile } from './playerLayout.ts';

export interface ChannelPictureProps {
  channel: number;
  name: string;
  /** The best that there is of it; what was seen before stays until this has its place. */
  clip: ClipLoad | undefined;
  /** Whether this browser plays it. */
  isPlayable: boolean;
  isSmall: boolean;
  /** What has become of the full recording while the small one is seen. */
  full: FullState | null;
  /** What is said on the picture instead of its gaps; null for nothing. */
  note: string | null;
  gaps: readonly Gap[];
  /** The beginning of the order, milliseconds since 1970. */
  from: number;
  tile: Tile;
  isLarge: boolean;
  isMuted: boolean;
  playback: Playback;
  onPress: () => void;
  onSave: (taskId: string) => void;
  /** Called with the clip that is visible from now on, and with null when there is none. */
  onSeen: (channel: number, seen: { taskId: string; clip: ClipPlayer } | null) => void;
  onFault: (taskId: string) => void;
}

/** One channel: its picture, never cropped, its caption, and what is missing. */
export function ChannelPicture(props: ChannelPictureProps) {
  const { channel, name, clip, isPlayable, isSmall, full, note, gaps, from, tile, isLarge, isMuted } = props;
  const { playback, onPress, onSave, onSeen, onFault } = props;
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<ChannelScreen | null>(null);
  const load: LoadedClip | null = clip?.phase === 'here' ? clip : null;
  const playable = isPlayable ? load : null;

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const made = createChannelScreen({
      channel,
      playback,
      frames: browserFrames,
      createClip: (deps) => createClipPlayer(parent, deps),
      onSeen: (it, visible) =>
        onSeen(channel, it === null || visible === null ? null : { taskId: it.taskId, clip: visible }),
      onFault: (it) => onFault(it.taskId),
    });
    screen.current = made;
    return () => {
      screen.current = null;
      made.dispose();
      onSeen(channel, null);
    };
  }, [channel, playback, onSeen, onFault]);
  useEffect(() => screen.current?.show(playable), [playable]);
  useEffect(() => screen.current?.setMuted(isMuted), [isMuted]);

  return (
    <figure
      className={isLarge ? 'channel-video channel-video--large' : 'channel-video'}
      style={{ ...tile }}
      aria-label={t('player.caption', { channel, name })}
    >
      <div ref={place} className={load === null ? 'channel-video__clip hatch' : 'channel-video__clip'} />
      <GapMask gaps={gaps} playback={playback} />
      <button
        type="button"
        className="channel-video__button"
        aria-label={t('player.large', { channel })}
        aria-pressed={isLarge}
        title={`${t('player.large', { channel })} (${channel})`}
        // Space goes on to play: a press of the mouse leaves the focus where it is.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
      />
      <figcaption className="channel-video__caption">
        <b>{channel}</b> {name} {isSmall && <SmallTag full={full} />}
      </figcaption>
      {load !== null && playable === null ? (
        <UnplayablePicture
          channel={channel}
          isH265={isH265(load.movie?.codec ?? '')}
          onSave={() => onSave(load.taskId)}
        />
      ) : (
        <div className="channel-video__foot">
          <PictureNote channel={channel} note={note} gaps={gaps} from={from} playback={playback} />
          {full?.kind === 'unplayable' && (
            <MainStreamNotice full={full} onSave={() => onSave(full.task.task_id)} />
          )}
        </div>
      )}
    </figure>
  );
}

/** Covers the picture while there is none: the last one would be taken for what is there now. */
function GapMask({ gaps, playback }: Pick<ChannelPictureProps, 'gaps' | 'playback'>) {
  const isGap = useStore(playback.store, (state) => gapAt(gaps, state.position) !== -1);
  return isGap ? <div className="channel-video__gap hatch" /> : null;
}

/** Says that this browser does not play a channel's file, and offers the file, which is whole. */
function UnplayablePicture({
  channel,
  isH265,
  onSave,
}: {
  channel: number;
  isH265: boolean;
  onSave: () => void;
}) {
  const t = useT();
  return (
    <div className="channel-video__unplayable">
      <p>
        {t(isH265 ? 'player.no_h265' : 'player.no_video', { channel })}{' '}
        <span className="channel-video__how">{t('player.no_video_how')}</span>
      </p>
      <Button size="small" icon={Download} onPress={onSave}>
        {t('player.save_file')}
      </Button>
    </div>
  );
}

/** Why a channel shows no picture: a message, what it waits for, or the current gap. */
function PictureNote({
  channel,
  note,
  gaps,
  from,
  playback,
}: {
  channel: number;
  note: string | null;
  gaps: readonly Gap[];
  /** Milliseconds since 1970. */
  from: number;
  playback: Playback;
}) {
  const t = useT();
  const time = useDepotTime();
  const isAwaited = useStore(playback.store, (state) => state.waitsFor === channel);
  const gap = useStore(playback.store, (state) => gapToReport(gaps, state.position));
  const words =
    note ??
    (isAwaited
      ? t('player.awaited')
      : gap === null
        ? null
        : t('player.no_picture', {
            from: time.clock(from + gap.fromS * 1_000),
            to: time.clock(from + gap.toS * 1_000),
          }));
  return words === null ? null : <span className="channel-video__note">{words}</span>;
}

/** Says that a picture is the small recording, and what has become of the full one. */
function SmallTag({ full }: { full: FullState | null }) {
  const t = useT();
  return (
    <span className="channel-video__quality" title={fullWords(full, t)}>
      {t('player.sub_stream')}
    </span>
  );
}

/** Offers the full recording as a file where the browser plays the small one alone. */
function MainStreamNotice({
  full,
  onSave,
}: {
  full: Extract<FullState, { kind: 'unplayable' }>;
  onSave: () => void;
}) {
  const t = useT();
  return (
    <div className="channel-video__full">
      <span className="channel-video__note">{fullWords(full, t)}</span>
      <Button size="small" icon={Download} onPress={onSave}>
        {t('player.save_full')}
      </Button>
    </div>
  );
}

function fullWords(full: FullState | null, t: Translate): string {
  switch (full?.kind) {
    case undefined:
      return t('player.sub_stream_only');
    case 'coming':
      return t('player.full_coming');
    case 'missing':
      return t('player.full_missing');
    case 'failed':
      return t('player.full_failed', { reason: failureLabels(full.error, t) });
    case 'unplayable':
      return t(isH265(full.clip.movie?.codec ?? '') ? 'player.full_h265' : 'player.full_unplayable');
  }
}
