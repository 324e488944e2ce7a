import type { Frames } from '../../clock/frames.ts';
import { nearestIn, type FrameTimes } from './frameTimes.ts';
import { JUMP_S, STANDING_S, type Media, type Playback } from './playback.ts';

export interface PrerollParts {
  media: Media;
  times: FrameTimes | null;
  playback: Playback;
  frames: Frames;
  /** The clip shows what the clock shows, and runs as it runs. */
  onReady: () => void;
}

/** A clip that is farther off than this seeks again instead of catching up. */
const LOST_S = 1;
/** How far ahead of a running clock a clip seeks at first, and at most: it must be there before the clock. */
const LEAD_S = 0.5;
const MOST_LEAD_S = 4;
/** So much faster or slower it runs per second that it is behind or ahead, and at most. */
const PULL = 1.5;
const MOST_PULL = 0.5;
/** Playing begins a little late. */
const START_S = 0.05;

/** Brings a hidden clip to the clock's time, so that it can replace another without a jump. Returns the stop function. */
export function preroll({ media, times, playback, frames, onReady }: PrerollParts): () => void {
  let leadS = LEAD_S;
  let isOver = false;
  let cancel: () => void = () => undefined;

  const placeOf = (s: number) => nearestIn(times, media.duration(), s);

  const stand = (place: number): boolean => {
    if (!media.isPaused()) media.pause();
    if (Math.abs(media.position() - place) <= STANDING_S) return true;
    media.seek(place);
    return false;
  };

  const goAhead = (position: number, rate: number) => {
    if (!media.isPaused()) media.pause();
    media.seek(placeOf(position + leadS * Math.max(1, rate)));
    leadS = Math.min(MOST_LEAD_S, leadS * 2);
  };

  const run = (position: number, rate: number): boolean => {
    const apart = (media.position() - position) / Math.max(1, rate);
    if (media.isPaused()) {
      if (apart < -START_S || apart > MOST_LEAD_S + LOST_S) goAhead(position, rate);
      else if (apart <= START_S) {
        media.setRate(rate);
        // A seek or a pause that came between is seen to with the next picture.
        media.play().catch(() => undefined);
      }
      return false;
    }
    // As near to the clock as channels are kept to each other.
    if (Math.abs(apart) <= JUMP_S) return !media.isStarved();
    if (Math.abs(apart) > LOST_S) goAhead(position, rate);
    else media.setRate(rate * (1 - Math.min(MOST_PULL, Math.max(-MOST_PULL, apart * PULL))));
    return false;
  };

  const isReady = (): boolean => {
    if (!media.hasPicture() || media.isSeeking()) return false;
    const { isPlaying, position, rate } = playback.store.getState();
    const place = placeOf(position);
    // Where the clip has no pictures it stands, whether the clock runs or not.
    return isPlaying && place === position ? run(position, rate) : stand(place);
  };

  const tick = () => {
    if (isOver) return;
    if (isReady()) {
      isOver = true;
      onReady();
      return;
    }
    cancel = frames.next(tick);
  };
  cancel = frames.next(tick);
  return () => {
    isOver = true;
    cancel();
  };
}
