import type { Pace } from '../../../../server/commands/replay/pace.ts';

export interface HandPace extends Pace {
  sleptMs: number[];
}

/** A clock that stands still but for the sleeps, which take no time at all. */
export function handPace(startMs: number): HandPace {
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
