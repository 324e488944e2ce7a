/** Puts the frames of one track on a clock that never jumps. Times in seconds. */
export interface Timeline {
  /** Takes frames in the order of decoding; null for one that cannot be shown where it stands and is to be left out. */
  place(frame: TimedFrame): { timestamp: number; duration: number } | null;
  /** What was added to the times from each jump on, in their order. */
  offsets(): readonly number[];
}

export interface TimedFrame {
  timestamp: number;
  duration: number;
  isKey: boolean;
}

export interface TimelineRules {
  /** A longer gap is not a gap in the recording but a clock that was adjusted. */
  maxGapS: number;
  /** How far frames may stand before one that was sent ahead of them; 0 for sound. */
  reorderS: number;
  /** Offsets of another track's jumps: this one follows them, so that both stay together. */
  follow?: readonly number[];
}

/** 16 frames of a camera with 8 frames/s; H.264 and H.265 hold back 16 at most. */
export const REORDER_S = 2;
/** Followed, when it lands this near to where the track's own times would go on: tracks of one file jump together. */
const NEAR_S = 1;
/** Pieces of sound that overlap by no more come from rounding. */
const JITTER_S = 0.1;
/** In a file with jumps, a frame that claims more was measured across one. */
const LONGEST_BESIDE_JUMPS_S = 1;
/** Between two frames, until the track has shown its own. */
const FIRST_STEP_S = 1 / 25;

/**
 * Transport streams are cut together from pieces with clocks of their own, and cameras set their clocks while they
 * record (ISO/IEC 13818-1, 2.4.3.5: discontinuity). Frames after a jump go on where those before it ended.
 */
export function createTimeline({ maxGapS, reorderS, follow = [] }: TimelineRules): Timeline {
  const offsets: number[] = [];
  let offset = 0;
  let latest = -Infinity;
  let step = FIRST_STEP_S;
  /** No frame since the last key may be shown before what came ahead of that key. */
  let floor = -Infinity;
  /** Frames just before it refer to what is not there: it stands at the beginning or behind a jump. */
  let entry: number | null = null;

  function isJump(time: number, isKey: boolean): boolean {
    if (latest === -Infinity) return false;
    if (time > latest + maxGapS || time < latest - Math.max(reorderS, JITTER_S)) return true;
    return reorderS > 0 && (isKey ? time <= latest : time < floor);
  }

  /** Answers where the frame behind the jump goes. */
  function jump(timestamp: number): number {
    const goesOn = latest + step;
    const followed = follow[offsets.length];
    const isNear = followed !== undefined && Math.abs(timestamp + followed - goesOn) <= NEAR_S;
    offset = isNear ? followed : goesOn - timestamp;
    offsets.push(offset);
    // Not the sum, which may be rounded down.
    return isNear ? timestamp + offset : goesOn;
  }

  return {
    place({ timestamp, duration, isKey }) {
      let time = timestamp + offset;
      const precedesEntry = entry !== null && !isKey && time < entry && time >= entry - reorderS;
      if (precedesEntry) return null;
      const jumps = isJump(time, isKey);
      if (jumps) time = jump(timestamp);
      // Sound that two pieces share is heard once.
      if (reorderS === 0 && time <= latest) return null;
      if (isKey) {
        if (jumps || latest === -Infinity) entry = time;
        floor = latest;
      }
      latest = Math.max(latest, time);
      if (duration <= 0 || duration > (offsets.length > 0 ? LONGEST_BESIDE_JUMPS_S : maxGapS))
        return { timestamp: time, duration: step };
      if (duration <= LONGEST_BESIDE_JUMPS_S) step = duration;
      return { timestamp: time, duration };
    },
    offsets: () => offsets,
  };
}
