import type { Clock } from '../../server/clock.ts';

/** A clock that stands still until it is moved; wall time and monotonic time move together. */
export interface FakeClock extends Clock {
  /** Moves by `ms` and calls all timers that are due, in the order of their time. */
  advance(ms: number): void;
}

export function createFakeClock(start_ms = Date.UTC(2026, 10, 21, 12)): FakeClock {
  let passed = 0;
  let timers: { at: number; call: () => void }[] = [];
  return {
    now: () => start_ms + passed,
    monotonic: () => passed,
    after(ms, call) {
      const timer = { at: passed + Math.max(0, ms), call };
      timers.push(timer);
      return () => {
        timers = timers.filter((it) => it !== timer);
      };
    },
    advance(ms) {
      const end = passed + ms;
      for (;;) {
        const due = timers.filter((it) => it.at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((it) => it !== due);
        passed = Math.max(passed, due.at);
        due.call();
      }
      passed = end;
    },
  };
}
