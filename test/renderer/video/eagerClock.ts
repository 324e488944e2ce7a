import type { Clock } from '../../../renderer/clock/clock.ts';

/** Pauses shorter than this are over at once; longer ones only by `runLong`. */
const LONG_MS = 20_000;

/** A clock in which pauses between tries are over at once, while time-outs wait for the test's word. */
export function createEagerClock(): Clock & { pauses: number[]; runLong: () => void; longs: () => number } {
  let now = Date.parse('2026-11-19T11:00:00Z');
  const longs = new Set<() => void>();
  const pauses: number[] = [];
  return {
    pauses,
    longs: () => longs.size,
    runLong() {
      const due = [...longs];
      longs.clear();
      for (const run of due) run();
    },
    now() {
      now += 1;
      return now;
    },
    after(ms, run) {
      if (ms < LONG_MS) {
        pauses.push(ms);
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      }
      longs.add(run);
      return () => void longs.delete(run);
    },
  };
}
