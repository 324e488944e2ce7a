import type { Clock } from '../../clock.ts';

/**
 * Runs something that ends when its signal is aborted; after `ms` it is, and `late` is answered in its place. The outer
 * signal's reason is thrown.
 */
export async function withDeadline<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
  late: () => T,
): Promise<T> {
  outer.throwIfAborted();
  const own = new AbortController();
  const stopTimer = clock.after(ms, () => own.abort());
  try {
    return await run(AbortSignal.any([outer, own.signal]));
  } catch (error) {
    outer.throwIfAborted();
    if (own.signal.aborted) return late();
    throw error;
  } finally {
    stopTimer();
  }
}
