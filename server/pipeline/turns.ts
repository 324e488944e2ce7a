import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What is taken in and changes of what is remembered, in turns, so that neither waits for long. What comes in while a
 * batch is being stored is evaluated meanwhile, on top of it, and makes up the next one.
 */
export interface Turns<Item, Outcome> {
  /** Resolves with an outcome for each item, in their order, once all is stored. Null when it is closed. */
  add(items: Item[]): Promise<Outcome[]> | null;
  /** Runs a change between two batches, when nothing is being evaluated or stored. */
  between<T>(change: () => Promise<T>): Promise<T>;
  /** Takes in no more and waits until all that was taken is done. */
  close(): Promise<void>;
}

export interface Work<Item, Outcome, Draft> {
  begin: () => Draft;
  /**
   * Evaluates items into a draft, on top of what is being stored, which may have been stored or have failed before this
   * is done. A draft is as it was when this rejects.
   */
  evaluate: (items: readonly Item[], draft: Draft, stored: Draft | null) => Promise<Outcome[]>;
  /** One at a time, in their order; none that was evaluated on top of one which was not stored. */
  store: (draft: Draft) => Promise<void>;
  /** The outcomes of items that were not evaluated, or not stored. */
  fail: (error: unknown, items: readonly Item[]) => Outcome[];
}

interface Waiting<Item, Outcome> {
  items: Item[];
  answer: (outcomes: Outcome[]) => void;
}

interface Batch<Item, Outcome, Draft> {
  draft: Draft;
  taken: Waiting<Item, Outcome>[];
  outcomes: Outcome[];
  /** Why it will not be stored. */
  fault: { error: unknown } | null;
}

const largestBatch = 5_000;

export function createTurns<Item, Outcome, Draft>(work: Work<Item, Outcome, Draft>): Turns<Item, Outcome> {
  type Callers = readonly Waiting<Item, Outcome>[];
  const waiting: Waiting<Item, Outcome>[] = [];
  const changes: (() => Promise<void>)[] = [];
  let storing: Batch<Item, Outcome, Draft> | null = null;
  /** Grows until the one before it is stored. */
  let next: Batch<Item, Outcome, Draft> | null = null;
  let running: Promise<void> | null = null;
  let closed = false;
  let wake = (): void => undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0 || changes.length > 0) {
      await changes.shift()?.();
      await takeUntilChange();
    }
    running = null;
  }

  /** Takes some of what waits, and goes on until a change waits as well. All that it took is done at its end. */
  async function takeUntilChange(): Promise<void> {
    let hasTaken = false;
    for (;;) {
      const isRoom = next === null || next.outcomes.length < largestBatch;
      if (next !== null && storing === null) {
        void store(next);
      } else if (waiting.length > 0 && isRoom && (changes.length === 0 || !hasTaken)) {
        // All that the sockets bring in one turn of the event loop is evaluated together.
        if (storing !== null) await nextTurn();
        hasTaken = true;
        await evaluate((next ??= { draft: work.begin(), taken: [], outcomes: [], fault: null }));
      } else if (storing !== null) {
        await new Promise<void>((resolve) => (wake = resolve));
      } else {
        return;
      }
    }
  }

  async function evaluate(batch: Batch<Item, Outcome, Draft>): Promise<void> {
    const taken = takeSome(largestBatch - batch.outcomes.length);
    const items = taken.flatMap((it) => it.items);
    try {
      const outcomes = await work.evaluate(items, batch.draft, storing?.draft ?? null);
      if (batch.fault !== null) throw batch.fault.error;
      for (const one of taken) batch.taken.push(one);
      for (const one of outcomes) batch.outcomes.push(one);
    } catch (error) {
      answer(taken, work.fail(error, items));
    }
  }

  function takeSome(most: number): Waiting<Item, Outcome>[] {
    let [count, size] = [0, 0];
    for (const { items } of waiting) {
      if (size >= most) break;
      count += 1;
      size += items.length;
    }
    return waiting.splice(0, count);
  }

  async function store(batch: Batch<Item, Outcome, Draft>): Promise<void> {
    storing = batch;
    next = null;
    let outcomes: Outcome[];
    try {
      await work.store(batch.draft);
      ({ outcomes } = batch);
    } catch (error) {
      abandonNext(error);
      outcomes = work.fail(error, itemsOf(batch.taken));
    }
    storing = null;
    // The next one is under way to the disk before these are answered.
    wake();
    answer(batch.taken, outcomes);
  }

  /** It was evaluated on top of something that was not stored. */
  function abandonNext(error: unknown): void {
    if (next === null) return;
    const { taken } = next;
    next.fault = { error };
    next = null;
    if (taken.length > 0) answer(taken, work.fail(error, itemsOf(taken)));
  }

  function itemsOf(callers: Callers): Item[] {
    return callers.flatMap((it) => it.items);
  }

  function answer(callers: Callers, outcomes: readonly Outcome[]): void {
    let at = 0;
    for (const caller of callers) {
      caller.answer(outcomes.slice(at, at + caller.items.length));
      at += caller.items.length;
    }
  }

  return {
    add(items) {
      if (closed) return null;
      return new Promise((answered) => {
        waiting.push({ items, answer: answered });
        wake();
        running ??= run();
      });
    },

    between(change) {
      return new Promise((resolve, reject) => {
        // One that throws before it waits for anything must not stop the others either.
        const attempt = async () => change();
        changes.push(() => attempt().then(resolve, reject));
        wake();
        running ??= run();
      });
    },

    async close() {
      closed = true;
      while (running !== null) await running;
    },
  };
}
