/**
 * Lets so many at once; the others wait in line. Own: p-queue 10.0.0 gives a slot on as soon as the signal fires, while
 * the work in it still runs.
 */
export function createSemaphore(atOnce: number) {
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
    /** Rejects with the signal's reason when it fires while waiting. */
    async take<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
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

interface Run<T> {
  promise: Promise<T>;
  abort: AbortController;
  waiters: number;
}

/** Work that several may wait for: it runs once, and ends when nobody waits any more. */
export function createSharedRuns<T>() {
  const underWay = new Map<string, Run<T>>();

  function forget(key: string, run: Run<T>): void {
    if (underWay.get(key) === run) underWay.delete(key);
  }

  function beginRun(key: string, begin: (signal: AbortSignal) => Promise<T>): Run<T> {
    const abort = new AbortController();
    const promise = begin(abort.signal).finally(() => forget(key, run));
    promise.catch(() => undefined);
    const run: Run<T> = { promise, abort, waiters: 0 };
    underWay.set(key, run);
    return run;
  }

  return {
    /**
     * Joins what runs under this key, or begins it. A waiter may leave by the signal, and is rejected with its reason;
     * with the last one the work ends, and who comes after begins it anew.
     */
    join(key: string, begin: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
      const run = underWay.get(key) ?? beginRun(key, begin);
      run.waiters += 1;
      return new Promise((resolve, reject) => {
        const leave = () => {
          run.waiters -= 1;
          if (run.waiters === 0) {
            forget(key, run);
            run.abort.abort(signal.reason);
          }
          reject(signal.reason as Error);
        };
        if (signal.aborted) {
          leave();
          return;
        }
        signal.addEventListener('abort', leave, { once: true });
        run.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
    /** Ends all that runs. */
    abort() {
      for (const { abort } of underWay.values()) abort.abort();
    },
  };
}
