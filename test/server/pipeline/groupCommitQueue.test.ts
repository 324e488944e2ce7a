import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGroupCommitQueue, type Work } from '../../../server/pipeline/groupCommitQueue.ts';

/** A gate that is opened by hand. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { promise, open: () => resolve(undefined) };
}

type Numbers = number[];

/** Long enough for what has come in to be evaluated. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}

/** Turns whose batches are the numbers in them, answered in words, and stored by `store`. */
function turnsOver(
  store: (batch: Numbers) => Promise<void>,
  more: Partial<Work<number, string, Numbers>> = {},
) {
  return createGroupCommitQueue<number, string, Numbers>({
    begin: () => [],
    evaluate: (items, batch) => {
      batch.push(...items);
      return Promise.resolve(items.map((item) => `n${item}`));
    },
    store: (batch) => store([...batch]),
    fail: (error, count) => `${String(error)}, with ${count}`,
    ...more,
  });
}

test('positions that arrive while a batch is under way make up the next one, and each caller has its own answers', async () => {
  const begun = gate();
  const first = gate();
  const batches: number[][] = [];
  const turns = turnsOver(async (batch) => {
    batches.push(batch);
    begun.open();
    if (batches.length === 1) await first.promise;
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
  const turns = turnsOver(async (batch) => {
    order.push(`begin ${batch.join()}`);
    begun.open();
    await Promise.resolve();
    order.push(`end ${batch.join()}`);
  });
  const first = turns.add([1]);
  await begun.promise;
  const change = turns.runExclusive(() => {
    order.push('change');
    return Promise.resolve('changed');
  });
  const second = turns.add([2]);
  const failing = turns.runExclusive(() => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await change).toBe('changed');
  await first;
  await second;
  expect(order.join(', ')).toMatch(/^begin 1, end 1, change, begin 2, end 2$/);
});

test('the pipeline takes nothing more after its end, which waits for what was taken', async () => {
  const work = gate();
  let done = false;
  const turns = turnsOver(async () => {
    await work.promise;
    done = true;
  });
  const answer = turns.add([1]);
  const closing = turns.close();
  expect(turns.add([2])).toBeNull();
  work.open();
  await closing;
  expect(done).toBe(true);
  expect(await answer).toEqual(['n1']);
});

test('a batch is evaluated while the batch before it is being stored, on top of it', async () => {
  const stored = gate();
  const evaluated = gate();
  const below: (Numbers | null)[] = [];
  const turns = turnsOver(
    (batch) => (batch.includes(1) ? stored.promise.then(() => undefined) : Promise.resolve()),
    {
      evaluate: (items, batch, under) => {
        below.push(under);
        batch.push(...items);
        if (items.includes(2)) evaluated.open();
        return Promise.resolve(items.map(String));
      },
    },
  );
  const first = turns.add([1]);
  // It is under way by then.
  await Promise.resolve();
  const second = turns.add([2]);
  await evaluated.promise;
  expect(below).toEqual([null, [1]]);
  stored.open();
  expect([await first, await second]).toEqual([['1'], ['2']]);
});

test('items that cannot be evaluated fail alone, those on top of a batch that is not stored fail with it', async () => {
  const storing = gate();
  const stored: Numbers[] = [];
  const turns = turnsOver(
    async (batch) => {
      if (batch.includes(1)) await storing.promise;
      if (batch.includes(1)) throw new Error('full');
      stored.push(batch);
    },
    {
      evaluate: (items, batch) => {
        if (items.includes(3)) return Promise.reject(new Error('odd'));
        batch.push(...items);
        return Promise.resolve(items.map((item) => `n${item}`));
      },
    },
  );
  const first = turns.add([1]);
  await Promise.resolve();
  const second = turns.add([2]);
  await someTurns();
  const third = turns.add([3]);
  expect(await third).toEqual(['Error: odd, with 1']);
  storing.open();
  expect([await first, await second]).toEqual([['Error: full, with 1'], ['Error: full, with 1']]);
  expect(await turns.add([4])).toEqual(['n4']);
  expect(stored).toEqual([[4]]);
});

test('a batch under evaluation fails when the batch below it fails', async () => {
  const storing = gate();
  const evaluating = gate();
  const stored: Numbers[] = [];
  const turns = turnsOver(
    async (batch) => {
      if (batch.includes(1)) {
        await storing.promise;
        throw new Error('full');
      }
      stored.push(batch);
    },
    {
      evaluate: async (items, batch) => {
        if (items.includes(2)) await evaluating.promise;
        batch.push(...items);
        return items.map((item) => `n${item}`);
      },
    },
  );
  const first = turns.add([1]);
  await someTurns();
  const second = turns.add([2]);
  await someTurns();
  storing.open();
  expect(await first).toEqual(['Error: full, with 1']);
  evaluating.open();
  expect(await second).toEqual(['Error: full, with 1']);
  expect(await turns.add([3])).toEqual(['n3']);
  expect(stored).toEqual([[3]]);
});

test('a change waits for what was evaluated ahead, too, and all that comes behind it waits for the change', async () => {
  const order: string[] = [];
  const storing = gate();
  const turns = turnsOver(async (batch) => {
    if (batch.includes(1)) await storing.promise;
    order.push(`stored ${batch.join()}`);
  });
  const first = turns.add([1]);
  await someTurns();
  const second = turns.add([2]);
  await someTurns();
  const change = turns.runExclusive(() => {
    order.push('change');
    return Promise.resolve();
  });
  const third = turns.add([3]);
  await someTurns();
  storing.open();
  await Promise.all([first, second, change, third]);
  expect(order).toEqual(['stored 1', 'stored 2', 'change', 'stored 3']);
});

test('a change that throws before it waits for anything stops nothing', async () => {
  const turns = turnsOver(() => Promise.resolve());
  const failing = turns.runExclusive(() => {
    throw new Error('at once');
  });
  await expect(failing).rejects.toThrow('at once');
  expect(await turns.add([1])).toEqual(['n1']);
  await turns.close();
});

test('the pipeline evaluates at most one whole batch ahead of a slow store', async () => {
  const storing = gate();
  const evaluated: number[] = [];
  const stored: number[] = [];
  const turns = turnsOver(
    async (batch) => {
      await storing.promise;
      stored.push(batch.length);
    },
    {
      evaluate: (items, batch) => {
        evaluated.push(items.length);
        batch.push(...items);
        return Promise.resolve(items.map(String));
      },
    },
  );
  const answers = Array.from({ length: 12_000 }, async (_, item) => turns.add([item]));
  await someTurns();
  expect(evaluated).toEqual([2_500, 2_500]);
  storing.open();
  expect((await Promise.all(answers)).flat()).toEqual(Array.from({ length: 12_000 }, (_, item) => `${item}`));
  expect(stored).toEqual([2_500, 2_500, 2_500, 2_500, 2_000]);
});
