import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { browserFrames } from '../../clock/frames.ts';
import { useT } from '../../i18n/useT.ts';
import { createChannelScreen, type ChannelScreen } from './channelScreen.ts';
import type { FullState } from './channelViews.ts';
import { createClipPlayer, type ClipPlayer } from './clipPlayer.ts';
import { gapAt } from './clipGaps.ts';
import type { LoadedClip, ClipLoad } from './clipLoads.ts';
import type { Gap } from './frameTimes.ts';
import { MainStreamNotice, SmallTag } from './MainStreamNotice.tsx';
import { isH265 } from './clipInfo.ts';
import { PictureNote } from './PictureNote.tsx';
import type { Playback } from './playback.ts';
import type { Tile } from './playerLayout.ts';
import { UnplayablePicture } from './UnplayablePicture.tsx';

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
      onSeen: (it, shown) =>
        onSeen(channel, it === null || shown === null ? null : { taskId: it.taskId, clip: shown }),
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
