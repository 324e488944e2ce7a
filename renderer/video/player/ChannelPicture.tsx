import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n/useText.ts';
import { createFilm, type Film } from './film.ts';
import type { Playback } from './playback.ts';
import type { Tile } from './playerLayout.ts';

export interface ChannelPictureProps {
  channel: number;
  name: string;
  /** The clip's `blob:` address; null where there is none. */
  url: string | null;
  /** What is said on the picture; null for nothing. */
  note: string | null;
  tile: Tile;
  isLarge: boolean;
  isMuted: boolean;
  playback: Playback;
  onPress: () => void;
}

/** One channel: its picture, never cropped, its caption, and what is missing. */
export function ChannelPicture(props: ChannelPictureProps) {
  const { channel, name, url, note, tile, isLarge, isMuted, playback, onPress } = props;
  const say = useText();
  const place = useRef<HTMLDivElement>(null);
  const film = useRef<Film | null>(null);
  const [fault, setFault] = useState(false);

  useEffect(() => {
    const parent = place.current;
    if (parent === null || url === null) return;
    const made = createFilm(parent, {
      url,
      onFrame: (lengthS) => playback.sawFrame(lengthS),
      onFault: () => setFault(true),
    });
    film.current = made;
    const detach = playback.attach(channel, made.media);
    return () => {
      detach();
      film.current = null;
      made.dispose();
    };
  }, [channel, url, playback]);

  useEffect(() => film.current?.setMuted(isMuted), [isMuted, url]);

  const words = fault ? say('player.no_video', { channel }) : note;
  return (
    <figure
      className={isLarge ? 'picture picture--large' : 'picture'}
      style={{ ...tile }}
      aria-label={say('player.caption', { channel, name })}
    >
      <div ref={place} className={url === null ? 'picture__film hatch' : 'picture__film'} />
      <figcaption className="picture__caption">
        <b>{channel}</b> {name}
      </figcaption>
      {words !== null && <span className="picture__note">{words}</span>}
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
    </figure>
  );
}
