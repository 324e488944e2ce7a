import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../../renderer/api/errors.ts';
import type { Clock } from '../../../renderer/clock/clock.ts';
import { runBulk } from '../../../renderer/resources/runBulk.ts';

/** A clock whose pauses are over at once, and take the time that they say. */
function quickClock(): Clock & { pauses: number[] } {
  let now = 0;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => now,
    after(ms, run) {
      pauses.push(ms);
      now += ms;
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  };
}

const problem = (code: 'rate_limited' | 'forbidden', retryAfterS: number | null = null) =>
  new ApiProblem(
    { type: 'about:blank', title: '', status: 400, detail: '', code, request_id: '1' },
    retryAfterS,
  );

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('a bulk action', () => {
  it('a bulk action is applied to each in turn, and reports its progress', async () => {
    const done: number[] = [];
    const published: number[] = [];
    const outcome = await runBulk({
      items: numbers(4),
      act: (item) => Promise.resolve(done.push(item)),
      clock: quickClock(),
      signal: new AbortController().signal,
      onProgress: (count) => published.push(count),
    });
    expect(done).toEqual([0, 1, 2, 3]);
    expect(published).toEqual([1, 2, 3, 4]);
    expect(outcome).toEqual({ done: [0, 1, 2, 3], failed: [] });
  });

  it('a bulk action goes on after a refusal, and names what stayed as it was', async () => {
    const refusal = problem('forbidden');
    const outcome = await runBulk({
      items: numbers(3),
      act: (item) => (item === 1 ? Promise.reject(refusal) : Promise.resolve()),
      clock: quickClock(),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(outcome).toEqual({ done: [0, 2], failed: [{ item: 1, error: refusal }] });
  });

  it('a bulk action leaves calls of each minute to the rest of the console', async () => {
    const clock = quickClock();
    const calls: number[] = [];
    await runBulk({
      items: numbers(250),
      act: () => Promise.resolve(calls.push(clock.now())),
      clock,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(calls).toHaveLength(250);
    for (const [at, time] of calls.entries()) {
      expect(time - (calls[at - 100] ?? -Infinity)).toBeGreaterThanOrEqual(60_000);
    }
  });

  it('a bulk action waits as long as the server says and tries the same one again', async () => {
    const clock = quickClock();
    const waits: (number | null)[] = [];
    const tries: number[] = [];
    const outcome = await runBulk({
      items: numbers(2),
      act(item) {
        tries.push(item);
        return tries.length === 1 ? Promise.reject(problem('rate_limited', 7)) : Promise.resolve();
      },
      clock,
      signal: new AbortController().signal,
      onProgress: (_, waitsUntil) => waits.push(waitsUntil),
    });
    expect(tries).toEqual([0, 0, 1]);
    expect(clock.pauses).toEqual([7_000]);
    expect(waits[0]).toBe(7_000);
    expect(outcome.failed).toEqual([]);
  });

  it('a bulk action ends when it is stopped, also while it waits', async () => {
    const abort = new AbortController();
    const done: number[] = [];
    const stopped = await runBulk({
      items: numbers(5),
      act(item) {
        done.push(item);
        if (item === 1) abort.abort();
        return Promise.resolve();
      },
      clock: quickClock(),
      signal: abort.signal,
      onProgress: () => undefined,
    });
    expect(done).toEqual([0, 1]);
    expect(stopped.done).toEqual([0, 1]);

    const waiting = new AbortController();
    const standing: Clock = { now: () => 0, after: () => () => undefined };
    const outcome = await runBulk({
      items: numbers(1),
      act: () => Promise.reject(problem('rate_limited', 7)),
      clock: standing,
      signal: waiting.signal,
      onProgress: () => setImmediate(() => waiting.abort()),
    });
    expect(outcome).toEqual({ done: [], failed: [] });
  });
});
