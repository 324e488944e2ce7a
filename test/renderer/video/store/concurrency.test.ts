import { expect, it } from 'vitest';
import { createSemaphore } from '../../../../renderer/video/store/concurrency.ts';

const never = new AbortController().signal;

it('a caller that aborts while it waits is rejected at once, and the next in line is not held up', async () => {
  const turns = createSemaphore(1);
  const order: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const runs = turns.take(() => first.promise, never);
  const giving = new AbortController();
  const left = turns.take(() => Promise.resolve(order.push('left')), giving.signal);
  const next = turns.take(() => Promise.resolve(order.push('next')), never);
  giving.abort(new Error('given up'));
  // The first still has its turn.
  await expect(left).rejects.toThrow('given up');
  first.resolve(undefined);
  await Promise.all([runs, next]);
  expect(order).toEqual(['next']);
});

it('a caller that has aborted before takes no slot, free or not', async () => {
  const turns = createSemaphore(1);
  const gone = AbortSignal.abort(new Error('given up'));
  await expect(turns.take(() => Promise.resolve('ran'), gone)).rejects.toThrow('given up');
  await expect(turns.take(() => Promise.resolve('ran'), never)).resolves.toBe('ran');
});

it('a caller that aborts during its work keeps the slot to its end, and then the next one has it', async () => {
  const turns = createSemaphore(1);
  const first = Promise.withResolvers<string>();
  const giving = new AbortController();
  let hasNextRun = false;
  const runs = turns.take(() => first.promise, giving.signal);
  const next = turns.take(() => Promise.resolve((hasNextRun = true)), never);
  giving.abort(new Error('given up'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasNextRun).toBe(false);
  first.resolve('done');
  expect([await runs, await next]).toEqual(['done', true]);
});
