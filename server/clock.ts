import { uptime } from 'node:os';

/** The only source of time of the server's own code; tests pass one that is driven by hand. */
export interface Clock {
  /** Unix milliseconds, UTC. May jump when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds from some start; never goes back. On Linux and macOS it stands still while the machine sleeps. */
  monotonic(): number;
  /** Milliseconds since the machine started, in steps of a second at worst: it also counts the time that the machine slept. */
  uptime(): number;
  /** Calls once after `ms` milliseconds; returns its undo. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}

/** Node's timers fire at once beyond this many milliseconds. */
const maxTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, maxTimer));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds. @throws the signal's reason when it aborts before that */
export function pause(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      stop();
      reject(signal.reason as Error);
    };
    const stop = clock.after(ms, () => {
      // A signal that lasts as long as the host would keep them all.
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
