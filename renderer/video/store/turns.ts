/** Lets so many at once; the others wait in line. */
export interface Turns {
  /** Rejects with the signal's reason when it fires while waiting. */
  take<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const line: (() => void)[] = [];
  return {
    async take(run, signal) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
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
