import videojs from 'video.js/core.es.js';
import type { Media } from './playback.ts';

export interface Film {
  media: Media;
  setMuted(muted: boolean): void;
  dispose(): void;
}

export interface FilmParts {
  /** A `blob:` address of the clip. */
  url: string;
  /** The length of a frame, as seen while it plays, seconds. */
  onFrame: (lengthS: number) => void;
  /** The browser cannot play it. */
  onFault: () => void;
}

/** HTMLMediaElement.HAVE_CURRENT_DATA */
const HAS_PICTURE = 2;

/** A clip in the page, without controls of its own: the transport stands below all channels. */
export function createFilm(parent: HTMLElement, { url, onFrame, onFault }: FilmParts): Film {
  const element = document.createElement('video');
  element.className = 'film';
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
  const stopFrames = watchFrames(element, onFrame);

  return {
    media: {
      position: () => player.currentTime() ?? 0,
      duration: () => player.duration() ?? Number.NaN,
      hasPicture: () => player.readyState() >= HAS_PICTURE,
      isSeeking: () => player.seeking(),
      isPaused: () => player.paused(),
      seek: (s) => void player.currentTime(s),
      setRate(rate) {
        if (player.playbackRate() !== rate) player.playbackRate(rate);
      },
      play: async () => {
        await player.play();
      },
      pause: () => player.pause(),
    },
    setMuted: (muted) => void player.muted(muted),
    dispose() {
      stopFrames();
      player.dispose();
    },
  };
}

/** Tells how far two pictures that followed each other on the screen are apart in the film. */
function watchFrames(element: HTMLVideoElement, onFrame: (lengthS: number) => void): () => void {
  // Firefox has it since 2024 alone, whatever the types promise.
  if (!('requestVideoFrameCallback' in element)) return () => undefined;
  let last: VideoFrameCallbackMetadata | null = null;
  let handle = 0;
  const see: VideoFrameRequestCallback = (_, frame) => {
    if (last !== null && frame.presentedFrames === last.presentedFrames + 1)
      onFrame(frame.mediaTime - last.mediaTime);
    last = frame;
    handle = element.requestVideoFrameCallback(see);
  };
  handle = element.requestVideoFrameCallback(see);
  return () => element.cancelVideoFrameCallback(handle);
}
