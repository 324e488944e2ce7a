/** What a host is promised to take for its end at most. */
const LIMIT_MS = 5_000;

/**
 * @param options.leave called first: from now on the program ends on purpose
 * @param options.exit ends the process at once
 * @param options.after calls once after some milliseconds
 * @param options.warn reports a shutdown that was not clean
 */
export function createShutdown(options: {
  leave: () => void;
  exit: (code: number) => void;
  after: (ms: number, call: () => void) => void;
  warn: (words: string, error?: unknown) => void;
}) {
  const closings: (() => Promise<void>)[] = [];
  let state: 'running' | 'closing' | 'ended' = 'running';

  function end(code: number): void {
    if (state === 'ended') return;
    state = 'ended';
    options.exit(code);
  }

  async function closeAll(): Promise<boolean> {
    let isClean = true;
    for (const close of closings.reverse()) {
      try {
        await close();
      } catch (error) {
        isClean = false;
        options.warn('closing failed', error);
      }
    }
    return isClean;
  }

  return {
    /** Closes what was opened and ends the process; a second call, from wherever, changes nothing. */
    begin(code: number = 0): void {
      if (state !== 'running') return;
      state = 'closing';
      options.leave();
      options.after(LIMIT_MS, () => {
        if (state === 'ended') return;
        options.warn('closing took too long');
        end(1);
      });
      void closeAll().then((isClean) => end(isClean ? code : 1));
    },
    hasBegun: (): boolean => state !== 'running',
    /** What has to be closed from now on. */
    holds(close: () => Promise<void>): void {
      closings.push(close);
    },
  };
}
