import type { App } from 'electron';
import type { RecoveredPage } from './pageRecovery.ts';

/** A page that dies more often than this is not helped by being loaded again. */
const RELOADS = { max: 3, within_ms: 10 * 60_000 };

export interface CrashDeps {
  log: (words: string, details: unknown) => void;
  /** Milliseconds since the start of the program. */
  upTimeMs: () => number;
  /** Loads a page again. @param reason Electron's: `crashed`, `oom`, ... */
  reload: (page: RecoveredPage, reason: string) => void;
  /** Ends the program, which is started again by the process that watches over it. */
  end: (why: string) => void;
}

export interface CrashWatch {
  /** Something that nobody caught: what is in memory cannot be trusted any more. */
  uncaught: (error: unknown) => void;
  pageGone: (page: RecoveredPage, reason: string) => void;
}

/** What follows from a crash: nothing leaves the machine, it is written down, and the watch over vehicles goes on. */
export function createCrashWatch(deps: CrashDeps): CrashWatch {
  let reloads: number[] = [];
  let isEnding = false;
  return {
    uncaught(error) {
      deps.log('nobody caught this error', error);
      if (isEnding) return;
      isEnding = true;
      deps.end(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    },
    pageGone(page, reason) {
      deps.log('the page is gone', { reason });
      if (isEnding || reason === 'clean-exit') return;
      const now = deps.upTimeMs();
      reloads = [...reloads.filter((at) => now - at < RELOADS.within_ms), now];
      if (reloads.length <= RELOADS.max) {
        deps.reload(page, reason);
        return;
      }
      isEnding = true;
      deps.end(`The console’s page ended ${reloads.length} times in ten minutes.`);
    },
  };
}

export function watchCrashes(app: Pick<App, 'on'>, watch: CrashWatch, log: CrashDeps['log']): void {
  process.on('uncaughtException', watch.uncaught);
  process.on('unhandledRejection', watch.uncaught);
  app.on('render-process-gone', (_event, page, { reason }) => watch.pageGone(page, reason));
  // Chromium restarts its own helper processes.
  app.on('child-process-gone', (_event, details) => log('a helper process is gone', details));
}
