import type { Pace } from '../../../../server/commands/replay/playTrack.ts';

export interface FakePace extends Pace {
  sleptMs: number[];
}

/** A clock that stands still but for the sleeps, which take no time at all. */
export function fakePace(startMs: number): FakePace {
  let nowMs = startMs;
  const sleptMs: number[] = [];
  return {
    sleptMs,
    now: () => nowMs,
    sleep(ms, signal) {
      if (!signal.aborted) {
        nowMs += ms;
        sleptMs.push(ms);
      }
      return Promise.resolve();
    },
  };
}
