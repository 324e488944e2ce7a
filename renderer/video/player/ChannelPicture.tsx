import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/useText.ts';
import { createFilm, type Film } from './film.ts';
import { gapAt } from './filmGaps.ts';
import type { FilmLoad } from './filmLoads.ts';
import type { Gap } from './frameTimes.ts';
import { canPlay, isH265 } from './movie.ts';
import { PictureNote } from './PictureNote.tsx';
import type { Playback } from './playback.ts';
import type { Tile } from './playerLayout.ts';
import { UnplayablePicture } from './UnplayablePicture.tsx';

export interface ChannelPictureProps {
  channel: number;
  name: string;
  film: FilmLoad | undefined;
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
  onSave: () => void;
  /** Told of the film while it plays here, and of null when it goes. */
  onFilm: (channel: number, film: Film | null) => void;
}

const canPlayType = (type: string): string => document.createElement('video').canPlayType(type);

/** One channel: its picture, never cropped, its caption, and what is missing. */
export function ChannelPicture(props: ChannelPictureProps) {
  const { channel, name, film, note, gaps, from, tile, isLarge, isMuted, playback } = props;
  const { onPress, onSave, onFilm } = props;
  const say = useText();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<Film | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const load = film?.phase === 'here' ? film : null;
  const codec = load?.movie?.codec ?? null;
  const isUnplayable = hasFailed || (codec !== null && !canPlay(codec, canPlayType));

  useEffect(() => {
    const parent = place.current;
    if (parent === null || load === null || isUnplayable) return;
    const made = createFilm(parent, { url: load.url, onFault: () => setFailed(true) });
    shown.current = made;
    onFilm(channel, made);
    const detach = playback.attach(channel, made.media, load.movie);
    return () => {
      detach();
      shown.current = null;
      onFilm(channel, null);
      made.dispose();
    };
  }, [channel, load, isUnplayable, playback, onFilm]);

  useEffect(() => shown.current?.setMuted(isMuted), [isMuted, load, isUnplayable]);

  return (
    <figure
      className={isLarge ? 'picture picture--large' : 'picture'}
      style={{ ...tile }}
      aria-label={say('player.caption', { channel, name })}
    >
      <div ref={place} className={load === null ? 'picture__film hatch' : 'picture__film'} />
      <GapVeil gaps={gaps} playback={playback} />
      <button
        type="button"
        className="picture__button"
        aria-label={say('player.large', { channel })}
        aria-pressed={isLarge}
        title={`${say('player.large', { channel })} (${channel})`}
        // Space goes on to play: a press of the mouse leaves the focus where it is.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
      />
      <figcaption className="picture__caption">
        <b>{channel}</b> {name}
      </figcaption>
      {isUnplayable ? (
        <UnplayablePicture channel={channel} isH265={codec !== null && isH265(codec)} onSave={onSave} />
      ) : (
        <PictureNote channel={channel} note={note} gaps={gaps} from={from} playback={playback} />
      )}
    </figure>
  );
}

/** Covers the picture while there is none: the last one would be taken for what is there now. */
function GapVeil({ gaps, playback }: Pick<ChannelPictureProps, 'gaps' | 'playback'>) {
  const isGap = useStore(playback.store, (state) => gapAt(gaps, state.position) !== -1);
  return isGap ? <div className="picture__veil hatch" /> : null;
}
