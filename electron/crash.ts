import type { App } from 'electron';

/** A page that dies more often than this is not helped by being loaded again. */
const RELOADS = { most: 3, within_ms: 10 * 60_000 };
/** A program that dies sooner would die again. */
const SETTLED_MS = 60_000;

export interface CrashParts {
  log: (words: string, details: unknown) => void;
  /** Milliseconds since the start of the program. */
  upTime_ms: () => number;
  reload: () => void;
  /** Ends the program; with `again` it starts anew. */
  end: (why: string, again: boolean) => void;
}

export interface CrashWatch {
  /** Something that nobody caught: what is in memory cannot be trusted any more. */
  uncaught: (error: unknown) => void;
  pageGone: (reason: string) => void;
}

/** What follows from a crash: nothing leaves the machine, it is written down, and the watch over vehicles goes on. */
export function createCrashWatch(parts: CrashParts): CrashWatch {
  let reloads: number[] = [];
  let isEnding = false;
  return {
    uncaught(error) {
      parts.log('nobody caught this error', error);
      if (isEnding) return;
      isEnding = true;
      parts.end('Fleetdeck stopped after an unexpected error.', parts.upTime_ms() > SETTLED_MS);
    },
    pageGone(reason) {
      parts.log('the page is gone', { reason });
      if (isEnding || reason === 'clean-exit') return;
      const now = parts.upTime_ms();
      reloads = [...reloads.filter((at) => now - at < RELOADS.within_ms), now];
      if (reloads.length <= RELOADS.most) {
        parts.reload();
        return;
      }
      isEnding = true;
      parts.end(`The console’s page ended ${reloads.length} times in ten minutes.`, false);
    },
  };
}

export function watchCrashes(app: Pick<App, 'on'>, watch: CrashWatch, log: CrashParts['log']): void {
  process.on('uncaughtException', watch.uncaught);
  process.on('unhandledRejection', watch.uncaught);
  app.on('render-process-gone', (_event, _contents, { reason }) => watch.pageGone(reason));
  // Chromium starts its own helpers anew.
  app.on('child-process-gone', (_event, details) => log('a helper process is gone', details));
}
