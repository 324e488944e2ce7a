/**
 * Lets so many at once; the others wait in line. Own: p-queue 10.0.0 gives a slot on as soon as the signal fires, while
 * the work in it still runs.
 */
export interface Semaphore {
  /** Rejects with the signal's reason when it fires while waiting. */
  take<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createSemaphore(atOnce: number): Semaphore {
  let free = atOnce;
  const line: (() => void)[] = [];

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.splice(line.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      line.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async take(run, signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await wait(signal);
      try {
        signal.throwIfAborted();
        return await run();
      } finally {
        const next = line.shift();
        // The turn goes from hand to hand, so that nobody slips in between.
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
