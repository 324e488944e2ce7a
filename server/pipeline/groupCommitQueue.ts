import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What is taken in and changes of what is remembered, in turns, so that neither waits for long. What comes in while a
 * batch is being stored is evaluated meanwhile, on top of it, and makes up the next one.
 */
export interface GroupCommitQueue<Item, Outcome> {
  /** Resolves with an outcome for each item, in their order, once all is stored. Null when it is closed. */
  add(items: Item[]): Promise<Outcome[]> | null;
  /** Runs a change between two batches, when nothing is being evaluated or stored. */
  runExclusive<T>(change: () => Promise<T>): Promise<T>;
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
  /** The outcome of each of so many items that were not evaluated, or not stored. */
  fail: (error: unknown, count: number) => Outcome;
}

interface Caller<Outcome> {
  count: number;
  answer: (outcomes: Outcome[]) => void;
}

interface Waiting<Item, Outcome> extends Caller<Outcome> {
  items: Item[];
}

interface Batch<Outcome, Draft> {
  draft: Draft;
  /** Without their items: what was evaluated is to be collected while it is young. */
  taken: Caller<Outcome>[];
  outcomes: Outcome[];
  /** Why it will not be stored. */
  fault: { error: unknown } | null;
}

/**
 * What waits for the store is alive while more comes in, and is copied by each collection of garbage: batches of twice
 * the size take more time a position than is saved by fewer commits (measured).
 */
const largestBatch = 2_500;

export function createGroupCommitQueue<Item, Outcome, Draft>(
  work: Work<Item, Outcome, Draft>,
): GroupCommitQueue<Item, Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  const changes: (() => Promise<void>)[] = [];
  let storing: Batch<Outcome, Draft> | null = null;
  /** Grows until the one before it is stored. */
  let next: Batch<Outcome, Draft> | null = null;
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

  async function evaluate(batch: Batch<Outcome, Draft>): Promise<void> {
    const taken = takeSome(largestBatch - batch.outcomes.length);
    const items = taken.flatMap((it) => it.items);
    try {
      const outcomes = await work.evaluate(items, batch.draft, storing?.draft ?? null);
      if (batch.fault !== null) throw batch.fault.error;
      for (const { count, answer } of taken) batch.taken.push({ count, answer });
      for (const one of outcomes) batch.outcomes.push(one);
    } catch (error) {
      fail(taken, error);
    }
  }

  function takeSome(max: number): Waiting<Item, Outcome>[] {
    let [count, size] = [0, 0];
    for (const it of waiting) {
      if (size >= max) break;
      count += 1;
      size += it.count;
    }
    return waiting.splice(0, count);
  }

  async function store(batch: Batch<Outcome, Draft>): Promise<void> {
    storing = batch;
    next = null;
    let failure: { error: unknown } | null = null;
    try {
      await work.store(batch.draft);
    } catch (error) {
      failure = { error };
      abandonNext(error);
    }
    storing = null;
    // The next one is under way to the disk before these are answered.
    wake();
    if (failure === null) answer(batch.taken, batch.outcomes);
    else fail(batch.taken, failure.error);
  }

  /** It was evaluated on top of something that was not stored. */
  function abandonNext(error: unknown): void {
    if (next === null) return;
    const { taken } = next;
    next.fault = { error };
    next = null;
    if (taken.length > 0) fail(taken, error);
  }

  function answer(callers: readonly Caller<Outcome>[], outcomes: readonly Outcome[]): void {
    let at = 0;
    for (const caller of callers) {
      caller.answer(outcomes.slice(at, at + caller.count));
      at += caller.count;
    }
  }

  function fail(callers: readonly Caller<Outcome>[], error: unknown): void {
    const outcome = work.fail(
      error,
      callers.reduce((sum, { count }) => sum + count, 0),
    );
    for (const caller of callers) caller.answer(Array.from({ length: caller.count }, () => outcome));
  }

  return {
    add(items) {
      if (closed) return null;
      return new Promise((answered) => {
        waiting.push({ items, count: items.length, answer: answered });
        wake();
        running ??= run();
      });
    },

    runExclusive(change) {
      return new Promise((resolve, reject) => {
        // On behalf of its caller, whoever's batch it waits for; one that throws before it waits for anything must not
        // stop the others either.
        const attempt = AsyncLocalStorage.bind(async () => change());
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
