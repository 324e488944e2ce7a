import type { ReloadReason } from './bridge/channels.ts';

/** So long nobody has answered: nobody may be there, and a page that does nothing raises no alarm. */
const UNANSWERED_MS = 30_000;
/** So long whoever waits is not asked again. */
const WAIT_MS = 60_000;

/** The part of Electron's `WebContents` that is used here. */
export interface RecoveredPage {
  readonly id: number;
  on(event: 'unresponsive' | 'responsive' | 'destroyed', listener: () => void): unknown;
  reload(): void;
  forcefullyCrashRenderer(): void;
}

export interface PageRecoveryDeps {
  /** Asks whether a page that does not respond is to be loaded again; the signal takes the question away. */
  ask: (signal: AbortSignal) => Promise<'reload' | 'wait'>;
  after: (ms: number, run: () => void) => () => void;
  warn: (words: string, details: unknown) => void;
}

export type PageRecovery = ReturnType<typeof createPageRecovery>;

/** Loads pages again that have crashed or do not respond, and remembers why for the page that comes after. */
export function createPageRecovery({ ask, after, warn }: PageRecoveryDeps) {
  const reasons = new Map<number, ReloadReason>();

  function watch(page: RecoveredPage): void {
    let question: AbortController | null = null;
    let stopTimer = (): void => undefined;

    function stop(): void {
      stopTimer();
      question?.abort();
      question = null;
    }

    function end(): void {
      stop();
      warn('the page does not respond', { page: page.id });
      reasons.set(page.id, 'unresponsive');
      // It is loaded again as any page that is gone.
      page.forcefullyCrashRenderer();
    }

    function begin(): void {
      stop();
      const own = new AbortController();
      question = own;
      stopTimer = after(UNANSWERED_MS, end);
      ask(own.signal).then(
        (answer) => {
          if (own.signal.aborted) return;
          if (answer === 'reload') {
            end();
            return;
          }
          stop();
          stopTimer = after(WAIT_MS, begin);
        },
        // The time goes on, whoever could not be asked.
        (error: unknown) => {
          if (!own.signal.aborted) warn('the question about a page failed', error);
        },
      );
    }

    page.on('unresponsive', begin);
    page.on('responsive', stop);
    page.on('destroyed', () => {
      stop();
      reasons.delete(page.id);
    });
  }

  return {
    /** Takes care of a page from its beginning. */
    watch,
    /** Loads a page again that is gone. @param reason Electron's: `crashed`, `oom`, ... */
    reload: (page: RecoveredPage, reason: string): void => {
      if (!reasons.has(page.id)) {
        reasons.set(page.id, /oom|memory/.test(reason) ? 'out_of_memory' : 'crashed');
      }
      page.reload();
    },
    /** Why a page was loaded again, once; null: it was not, or by the operator. */
    takeReason: (pageId: number): ReloadReason | null => {
      const reason = reasons.get(pageId) ?? null;
      reasons.delete(pageId);
      return reason;
    },
  };
}
