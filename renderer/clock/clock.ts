/** Time as the console sees it; passed in, so that tests turn it by hand. */
export interface Clock {
  /** Milliseconds since 1970 by this computer. */
  now(): number;
  /** Runs once after a pause; returns its undo. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
