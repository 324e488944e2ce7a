import videojs from 'video.js/core.es.js';
import { shiftMedia } from './clipLoads.ts';
import type { Media } from './playback.ts';

export interface ClipPlayerParts {
  /** A `blob:` address of the clip. */
  url: string;
  /** How much later its pictures lie in the order than in the file, seconds. */
  shiftS: number;
  /** The browser cannot play it. */
  onFault: () => void;
}

/** HTMLMediaElement.HAVE_CURRENT_DATA and HAVE_FUTURE_DATA */
const HAS_PICTURE = 2;
const HAS_NEXT = 3;

export type ClipPlayer = ReturnType<typeof createClipPlayer>;

/** A clip in the page, without controls of its own: the transport stands below all channels. */
export function createClipPlayer(parent: HTMLElement, { url, shiftS, onFault }: ClipPlayerParts) {
  const element = document.createElement('video');
  element.className = 'clip';
  element.playsInline = true;
  element.tabIndex = -1;
  parent.append(element);
  const player = videojs(element, {
    autoplay: false,
    controls: false,
    muted: true,
    preload: 'auto',
    // The picture alone.
    children: ['mediaLoader'],
  });
  // The figure around it has the name; a region for each picture would be one too many.
  player.el().removeAttribute('role');
  player.el().removeAttribute('aria-label');
  player.on('error', onFault);
  player.src({ src: url, type: 'video/mp4' });

  const media: Media = {
    position: () => player.currentTime() ?? 0,
    duration: () => player.duration() ?? Number.NaN,
    hasPicture: () => player.readyState() >= HAS_PICTURE,
    isSeeking: () => player.seeking(),
    isPaused: () => player.paused(),
    isEnded: () => player.ended(),
    isStarved: () => !player.ended() && player.readyState() < HAS_NEXT,
    seek: (s) => void player.currentTime(s),
    setRate(rate) {
      if (player.playbackRate() !== rate) player.playbackRate(rate);
    },
    play: async () => {
      await player.play();
    },
    pause: () => player.pause(),
  };
  return {
    media: shiftMedia(media, shiftS),
    /** A hidden clip is read and decoded as any other. */
    setHidden: (hidden: boolean): void => void player.el().classList.toggle('clip--hidden', hidden),
    setMuted: (muted: boolean): void => void player.muted(muted),
    /** What is drawn of it; null while it has no picture. */
    picture: (): HTMLVideoElement | null => (element.readyState >= HAS_PICTURE ? element : null),
    dispose: (): void => player.dispose(),
  };
}
