import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { ApiProblem, isAbort, isProblem } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { Clock } from '../clock/clock.ts';
import { retryPauseMs } from '../stream/streamReader.ts';
import type { LoadState, ResourceStore } from './resourceStore.ts';

export interface Loader {
  /** Reads; a reading under way is given up for this one. */
  load(): void;
  /** Reads at once when the last reading failed; once where several ask for it in one go. */
  retry(): void;
  stop(): void;
}

export interface LoaderDeps<T> {
  read: (signal: AbortSignal) => Promise<T>;
  take: (value: T) => void;
  onState: (state: LoadState) => void;
  clock: Clock;
}

/** Reads something until it is there: after a failure again, with growing, visible delays. */
export function createLoader<T>({ read, take, onState, clock }: LoaderDeps<T>): Loader {
  let abort: AbortController | null = null;
  let stopTimer: (() => void) | null = null;
  let failure: { error: unknown } | null = null;
  let tries = 0;
  let loaded = false;
  let isJustRetried = false;

  async function run(): Promise<void> {
    halt();
    const mine = new AbortController();
    abort = mine;
    if (failure !== null) onState({ phase: 'failed', error: failure.error, nextTryAt: null });
    else if (!loaded) onState({ phase: 'loading' });
    try {
      const value = await read(mine.signal);
      if (mine.signal.aborted) return;
      failure = null;
      loaded = true;
      tries = 0;
      take(value);
      onState({ phase: 'ready' });
    } catch (error) {
      if (mine.signal.aborted || isAbort(error) || error instanceof LoggedOut) return;
      failure = { error };
      const pauseMs = isFinal(error) ? null : pauseAfter(error, tries);
      tries += 1;
      onState({ phase: 'failed', error, nextTryAt: pauseMs === null ? null : clock.now() + pauseMs });
      if (pauseMs !== null) stopTimer = clock.after(pauseMs, () => void run());
    }
  }

  function halt(): void {
    stopTimer?.();
    stopTimer = null;
    abort?.abort();
    abort = null;
  }

  return {
    load: () => void run(),
    retry() {
      if (failure === null || isJustRetried) return;
      isJustRetried = true;
      queueMicrotask(() => (isJustRetried = false));
      void run();
    },
    stop: halt,
  };
}

/** Reads all pages of a list into its store, which also says how the reading goes. */
export function createListLoader<T>({
  store,
  readPage,
  clock,
}: {
  store: ResourceStore<T>;
  readPage: (
    query: { limit: number; cursor: string | undefined },
    signal: AbortSignal,
  ) => Promise<{ items: T[]; next_cursor: string | null }>;
  clock: Clock;
}): Loader {
  return createLoader({
    clock,
    read(signal) {
      store.listing();
      return fetchAllPages((cursor) => readPage({ limit: PAGE_LIMIT, cursor }, signal));
    },
    take: (items) => store.listed(items),
    onState: (load) => store.setLoad(load),
  });
}

/**
 * Reads something again and again while it changes; what is known stays when a reading fails.
 *
 * @param take answers after how many milliseconds it is read again; null: when somebody asks for it
 */
export function createPoll<T>({
  read,
  take,
  clock,
}: Pick<LoaderDeps<T>, 'read' | 'clock'> & { take: (value: T) => number | null }): Pick<
  Loader,
  'load' | 'stop'
> {
  let stopTimer: () => void = () => undefined;
  const loader = createLoader<T>({
    clock,
    read,
    take(value) {
      const pauseMs = take(value);
      if (pauseMs !== null) stopTimer = clock.after(pauseMs, load);
    },
    onState: () => undefined,
  });
  function load(): void {
    stopTimer();
    loader.load();
  }
  return {
    load,
    stop() {
      stopTimer();
      loader.stop();
    },
  };
}

/** What no second try will change. */
export function isFinal(error: unknown): boolean {
  return isProblem(
    error,
    'forbidden',
    'not_found',
    'validation_failed',
    'session_revoked',
    'session_expired',
  );
}

/** How long to wait before the next try, milliseconds; longer from try to try, or as the server asks. */
export function pauseAfter(error: unknown, tries: number): number {
  const asked = error instanceof ApiProblem ? error.retryAfterS : null;
  return asked === null ? retryPauseMs(tries) : Math.max(1, asked) * 1_000;
}
