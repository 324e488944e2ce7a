import { createStore } from 'zustand/vanilla';
import { isAbort } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { Clock } from '../clock/clock.ts';
import type { Period } from '../ui/period.ts';

/** So long after the last change is asked: a hand that types or drags changes many times a second. */
const REST_MS = 600;
const DAY_MS = 86_400_000;

export interface PreviewFilter<Subject> {
  subject: Subject;
  /** The last so many days, 1 to 31, or a period of one's own. */
  period: number | Period;
}

export interface PastState<Result> {
  phase: 'idle' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** 0 to 1 while running. */
  share: number;
  /** The last one that came; of an earlier request unless `phase` is done. */
  result: Result | null;
  /** Of which period `result` is. */
  resultPeriod: PreviewFilter<unknown>['period'];
  error: unknown;
}

export interface PreviewDeps<Subject, Result> {
  ask: (
    subject: Subject,
    period: { from: string; to: string },
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ) => Promise<Result>;
  clock: Clock;
  /** The server's time. */
  now: () => number;
}

/** Tries something that is being changed on the past: a while after each change, and never two at once. */
export function createPreviewStore<Subject, Result>({ ask, clock, now }: PreviewDeps<Subject, Result>) {
  const store = createStore<PastState<Result>>(() => ({
    phase: 'idle',
    share: 0,
    result: null,
    resultPeriod: 0,
    error: null,
  }));
  let target: PreviewFilter<Subject> | null = null;
  let abort: AbortController | null = null;
  let stopTimer: () => void = () => undefined;

  function halt(): void {
    stopTimer();
    abort?.abort();
    abort = null;
  }

  async function run(filter: PreviewFilter<Subject>): Promise<void> {
    halt();
    const current = new AbortController();
    abort = current;
    store.setState({ phase: 'running', share: 0, error: null });
    const { from, to } =
      typeof filter.period === 'number' ? { from: now() - filter.period * DAY_MS, to: now() } : filter.period;
    const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    try {
      const result = await ask(filter.subject, period, current.signal, (share) => {
        if (!current.signal.aborted) store.setState({ share });
      });
      if (!current.signal.aborted) store.setState({ phase: 'done', result, resultPeriod: filter.period });
    } catch (error) {
      if (current.signal.aborted || isAbort(error) || error instanceof LoggedOut) return;
      store.setState({ phase: 'failed', error });
    }
  }

  return {
    store,
    /** What to preview from now on; null for nothing. The same request again changes nothing. */
    want(filter: PreviewFilter<Subject> | null) {
      if (JSON.stringify(filter) === JSON.stringify(target)) return;
      target = filter;
      halt();
      if (filter === null) {
        store.setState({ phase: 'idle', result: null });
        return;
      }
      store.setState({ phase: 'waiting', share: 0, error: null });
      stopTimer = clock.after(REST_MS, () => void run(filter));
    },
    /** Gives up the asking that is under way. */
    cancel: () => {
      halt();
      store.setState({ phase: 'cancelled' });
    },
    /** Asks at once for what is wanted. */
    again: () => {
      if (target !== null) void run(target);
    },
    stop() {
      halt();
      target = null;
      store.setState({ phase: 'idle', result: null });
    },
  };
}

export type PreviewStore<Subject, Result> = ReturnType<typeof createPreviewStore<Subject, Result>>;
