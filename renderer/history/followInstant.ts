import type { Frames } from '../clock/frames.ts';
import type { Playback } from '../video/player/playback.ts';
import type { HistoryClock } from './historyClock.ts';

/** Beyond, browsers skip pictures at random: they are sought one by one instead. */
const FASTEST_PLAYED = 8;
/** Farther from the instant than this, in seconds of the clip, a running clip jumps. */
const APART_S = 0.4;
/** While it is sought, a clip may be this far off: less than a picture of any camera. */
const STANDING_S = 0.005;
/** So near to its end a clip is not begun again. */
const END_S = 0.15;

/** How a clip goes with the past: it runs, it shows the picture of the instant, or the past goes too fast for both. */
export type ClipPace = 'runs' | 'stills' | 'too_fast';

/** The past goes faster than pictures can be sought. */
const FASTEST_SOUGHT = 10;

export function paceOf({ isPlaying, rate }: { isPlaying: boolean; rate: number }): ClipPace {
  if (!isPlaying || rate <= FASTEST_PLAYED) return 'runs';
  return rate <= FASTEST_SOUGHT ? 'stills' : 'too_fast';
}

/**
 * Keeps a clip at the instant of the past, with every picture of the screen; returns its end.
 *
 * @param from when the clip begins, Unix ms
 */
export function followInstant(
  playback: Playback,
  player: Pick<HistoryClock, 'store'>,
  frames: Frames,
  from: number,
): () => void {
  let cancel: () => void = () => undefined;
  const follow = (): void => {
    const now = player.store.getState();
    const pace = paceOf(now);
    if (pace === 'too_fast') {
      playback.pause();
      return;
    }
    const at = Math.min(playback.endS(), Math.max(0, (now.at - from) / 1_000));
    const { isPlaying, position, rate } = playback.store.getState();
    const runs = pace === 'runs' && now.isPlaying && at < playback.endS() - END_S;
    if (!runs) {
      if (isPlaying) playback.pause();
      if (Math.abs(position - at) > STANDING_S) playback.seek(at);
      return;
    }
    if (rate !== now.rate) playback.setRate(now.rate);
    if (Math.abs(position - at) > APART_S * now.rate) playback.seek(at);
    if (!isPlaying) playback.play();
  };
  const next = (): void => {
    follow();
    cancel = frames.next(next);
  };
  next();
  return () => {
    cancel();
    playback.pause();
  };
}
