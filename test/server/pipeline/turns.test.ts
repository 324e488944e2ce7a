import { expect, test } from 'vitest';
import { createTurns } from '../../../server/pipeline/turns.ts';

/** A gate that is opened by hand. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { promise, open: () => resolve(undefined) };
}

test('what comes in while a batch is under way makes up the next one, and each caller has its own answers', async () => {
  const begun = gate();
  const first = gate();
  const batches: number[][] = [];
  const turns = createTurns<number, string>(async (items) => {
    batches.push([...items]);
    begun.open();
    if (batches.length === 1) await first.promise;
    return items.map((item) => `n${item}`);
  });
  const one = turns.add([1]);
  await begun.promise;
  const others = [[2, 3], [], [4]].map((items) => turns.add(items) ?? Promise.reject(new Error('closed')));
  first.open();
  expect([await one, ...(await Promise.all(others))]).toEqual([['n1'], ['n2', 'n3'], [], ['n4']]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('a change runs between two batches and never during one, and a failing one stops nothing', async () => {
  const order: string[] = [];
  const begun = gate();
  const turns = createTurns<number, number>(async (items) => {
    order.push(`begin ${items.join()}`);
    begun.open();
    await Promise.resolve();
    order.push(`end ${items.join()}`);
    return [...items];
  });
  const first = turns.add([1]);
  await begun.promise;
  const change = turns.between(() => {
    order.push('change');
    return Promise.resolve('changed');
  });
  const second = turns.add([2]);
  const failing = turns.between(() => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await change).toBe('changed');
  await first;
  await second;
  expect(order.join(', ')).toMatch(/^begin 1, end 1, change, begin 2, end 2$/);
});

test('after its end it takes nothing more, and its end waits for what was taken', async () => {
  const work = gate();
  let done = false;
  const turns = createTurns<number, number>(async (items) => {
    await work.promise;
    done = true;
    return [...items];
  });
  const answer = turns.add([1]);
  const closing = turns.close();
  expect(turns.add([2])).toBeNull();
  work.open();
  await closing;
  expect(done).toBe(true);
  expect(await answer).toEqual([1]);
});
