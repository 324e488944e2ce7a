import type { Frames } from '../../clock/frames.ts';
import type { Media } from './playback.ts';

/** A channel that may be on a snapshot. */
export interface Snappable {
  channel: number;
  clip: { media: Pick<Media, 'position' | 'isSeeking' | 'hasPicture'> };
}

/** A picture farther from the clock than this is of another moment, seconds. */
const MOST_APART_S = 0.1;
/** How long to wait for clips that are still seeking. */
const PATIENCE_MS = 1_000;

/** The clips whose frame is that of the clock’s time. */
export function clipsOfMoment<T extends Snappable>(clips: readonly T[], positionS: number): T[] {
  return clips.filter(
    ({ clip: { media } }) => isStill(media) && Math.abs(media.position() - positionS) <= MOST_APART_S,
  );
}

/** The clip of one channel: whatever the clock says, its frame carries its own time. */
export const clipOfChannel = <T extends Snappable>(clips: readonly T[], channel: number): T | undefined =>
  clips.find((it) => it.channel === channel && isStill(it.clip.media));

const isStill = (media: Snappable['clip']['media']): boolean => media.hasPicture() && !media.isSeeking();

/** Resolves when so many are ready, or at the latest when patience is over. */
export function untilReady(
  countReady: () => { ready: number; of: number },
  frames: Frames,
  now: () => number,
): Promise<void> {
  const since = now();
  return new Promise((resolve) => {
    const look = () => {
      const { ready, of } = countReady();
      if (ready >= of || now() - since >= PATIENCE_MS) resolve();
      else frames.next(look);
    };
    look();
  });
}
