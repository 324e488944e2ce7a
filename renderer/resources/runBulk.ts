import { isProblem } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';

/**
 * Calls in any minute that work on many things takes for itself. A user has 180 (server/http/limits.ts); what is left is
 * for acknowledging an alarm meanwhile.
 */
const CALLS = 100;
const WINDOW_MS = 60_000;

export interface ManyDeps<T> {
  items: readonly T[];
  act: (item: T) => Promise<unknown>;
  clock: Clock;
  /** Ends the work after the call that is under way. */
  signal: AbortSignal;
  /** Called after each item; `waitsUntil` is set while the next call must wait. */
  onProgress: (done: number, waitsUntil: number | null) => void;
}

/**
 * Does one thing to many, one after the other and within the limit of calls. What the server rejects is reported by item, and the
 * rest goes on; where the server is too busy the same item is tried again when it said. Throws nothing.
 */
export async function runBulk<T>({ items, act, clock, signal, onProgress }: ManyDeps<T>): Promise<{
  done: T[];
  failed: { item: T; error: unknown }[];
}> {
  const done: T[] = [];
  const failed: { item: T; error: unknown }[] = [];
  const calls: number[] = [];
  const queue = [...items];
  const isEnded = () => signal.aborted;
  for (let item = queue.shift(); item !== undefined && !isEnded(); item = queue.shift()) {
    const handled = done.length + failed.length;
    const oldest = calls.length < CALLS ? undefined : calls[calls.length - CALLS];
    if (oldest !== undefined && oldest + WINDOW_MS > clock.now()) {
      onProgress(handled, oldest + WINDOW_MS);
      await pause(clock, oldest + WINDOW_MS - clock.now(), signal);
      if (isEnded()) break;
    }
    calls.push(clock.now());
    try {
      await act(item);
      done.push(item);
    } catch (error) {
      if (isProblem(error, 'rate_limited')) {
        queue.unshift(item);
        const pauseMs = Math.max(1, error.retryAfterS ?? 1) * 1_000;
        onProgress(handled, clock.now() + pauseMs);
        await pause(clock, pauseMs, signal);
        continue;
      }
      failed.push({ item, error });
    }
    onProgress(done.length + failed.length, null);
  }
  return { done, failed };
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(ms, end);
    function end(): void {
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
