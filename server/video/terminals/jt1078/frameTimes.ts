/** From the packets' timestamps to times in the clip: milliseconds that begin with 0 and never go back. */
export interface FrameTimes {
  /**
   * @param time_ms as the packet bears it: any start, any jump
   * @param since_ms since the frame before, where the terminal says so; else 0
   * @returns the time from the start of the clip; before 0 for what comes from before the first frame
   */
  of(time_ms: number, since_ms: number): number;
}

/** If a frame's own time is not usable: 25 frames a second. */
const usualIntervalMs = 40;
const maxIntervalMs = 5_000;
/** Sound and picture of one moment, or frames shown in another order than sent, are never farther apart than this. */
const maxDisorderMs = 2_000;
/** Some terminals count milliseconds in 32 bits. */
const wrap_ms = 2 ** 32;

/**
 * Differences are kept as they are; recorders leave out times in which they did not record. What cannot be a difference
 * (a clock that was set, a counter that restarted) goes on as one more frame.
 * @param maxGapMs a step forward that is longer is a clock's, not a recorder's
 */
export function createFrameTimes(maxGapMs: number): FrameTimes {
  let newest: number | null = null;
  let offset = 0;

  return {
    of(time_ms, since_ms) {
      if (newest === null) {
        newest = time_ms;
        offset = -time_ms;
        return 0;
      }
      let step = time_ms - newest;
      if (step < -maxDisorderMs && step + wrap_ms >= 0 && step + wrap_ms <= maxGapMs) {
        offset += wrap_ms;
        step += wrap_ms;
      } else if (step < -maxDisorderMs || step > maxGapMs) {
        const interval = intervalOf(since_ms);
        offset += interval - step;
        step = interval;
      }
      if (step > 0) newest = time_ms;
      return time_ms + offset;
    },
  };
}

/** The times of a track's frames in the order of their coming, made fit for a file: each after the one before. */
export interface TrackTimes {
  of(clip_ms: number, since_ms: number, mayGoBack: boolean): number;
}

/** Frames of one time (clocks of whole seconds) are spread by their interval, until the clock has caught up. */
export function createTrackTimes(): TrackTimes {
  let last = -Infinity;
  let lastReported = -Infinity;
  return {
    of(clip_ms, since_ms, mayGoBack) {
      const isSame = clip_ms === lastReported;
      lastReported = clip_ms;
      if (clip_ms > last) return (last = clip_ms);
      if (mayGoBack && clip_ms < last) return clip_ms;
      return (last += isSame ? intervalOf(since_ms) : 1);
    },
  };
}

function intervalOf(since_ms: number): number {
  return since_ms > 0 && since_ms <= maxIntervalMs ? since_ms : usualIntervalMs;
}
