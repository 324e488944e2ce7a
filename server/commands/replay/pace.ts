import { setTimeout as timer } from 'node:timers/promises';

/** Time as a replay knows it; tests pass one that is driven by hand. */
export interface Pace {
  /** Unix milliseconds. */
  now(): number;
  /** Returns after `ms` milliseconds, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realPace: Pace = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await timer(ms, undefined, { signal });
    } catch {
      // Aborted: whoever sleeps looks at the signal next.
    }
  },
};
