import type { Clock } from '../../../../server/clock.ts';

export interface FakeClock extends Clock {
  /** Moves both times and makes the calls that fall due. */
  advance(ms: number): void;
  /** How long each call that is still waiting was asked to wait. */
  pauses(): number[];
}

export function fakeClock(start_ms: number): FakeClock {
  let elapsed = 0;
  const waiting = new Set<{ pause: number; due: number; call: () => void }>();
  return {
    now: () => start_ms + elapsed,
    monotonic: () => elapsed,
    uptime: () => elapsed,
    after(ms, call) {
      const timer = { pause: ms, due: elapsed + ms, call };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance(ms) {
      elapsed += ms;
      for (const timer of [...waiting]) {
        if (timer.due > elapsed) continue;
        waiting.delete(timer);
        timer.call();
      }
    },
    pauses: () => [...waiting].map((timer) => timer.pause),
  };
}
