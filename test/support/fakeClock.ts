import type { Clock } from '../../server/clock.ts';

/** A clock that stands still until it is moved; wall time and monotonic time move together. */
export interface FakeClock extends Clock {
  /** Moves by `ms` and calls all timers that are due, in the order of their time. */
  advance(ms: number): void;
  /** The machine sleeps: the time of day goes on, and timers stand still. */
  sleep(ms: number): void;
}

export function createFakeClock(start_ms = Date.UTC(2026, 10, 21, 12)): FakeClock {
  let passed = 0;
  let slept = 0;
  interface Timer {
    at: number;
    call: () => void;
  }
  const timers: Timer[] = [];

  function remove(timer: Timer): void {
    const place = timers.indexOf(timer);
    if (place !== -1) timers.splice(place, 1);
  }

  /** Of those due at the same time, the one that was set first. */
  function firstDue(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (timer.at <= end && (first === null || timer.at < first.at)) first = timer;
    return first;
  }

  return {
    now: () => start_ms + passed + slept,
    monotonic: () => passed,
    uptime: () => passed + slept,
    after(ms, call) {
      const timer = { at: passed + Math.max(0, ms), call };
      timers.push(timer);
      return () => remove(timer);
    },
    advance(ms) {
      const end = passed + ms;
      // Weeks are hundreds of thousands of timers; a host that stands still for 5 s closes its connections.
      for (let due = firstDue(end); due !== null; due = firstDue(end)) {
        remove(due);
        passed = Math.max(passed, due.at);
        due.call();
      }
      passed = end;
    },
    sleep: (ms) => void (slept += ms),
  };
}
