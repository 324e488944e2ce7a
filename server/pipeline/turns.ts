/** What is taken in and changes of what is remembered, one at a time and in turns, so that neither waits for long. */
export interface Turns<Item, Outcome> {
  /** Resolves with an outcome for each item, in their order. Null when it is closed. */
  add(items: Item[]): Promise<Outcome[]> | null;
  /** Runs a change between two batches, never during one. */
  between<T>(change: () => Promise<T>): Promise<T>;
  /** Takes in no more and waits until all that was taken is done. */
  close(): Promise<void>;
}

interface Waiting<Item, Outcome> {
  items: Item[];
  answer: (outcomes: Outcome[]) => void;
}

const largestBatch = 5_000;

/** @param takeIn is given all that has come in since, up to some thousands; it never rejects */
export function createTurns<Item, Outcome>(
  takeIn: (items: readonly Item[]) => Promise<Outcome[]>,
): Turns<Item, Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  const changes: (() => Promise<void>)[] = [];
  let running: Promise<void> | null = null;
  let closed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0 || changes.length > 0) {
      await changes.shift()?.();
      if (waiting.length > 0) await take(takeBatch());
    }
    running = null;
  }

  function takeBatch(): Waiting<Item, Outcome>[] {
    const taken: Waiting<Item, Outcome>[] = [];
    let size = 0;
    do {
      const next = waiting.shift();
      if (next === undefined) break;
      taken.push(next);
      size += next.items.length;
    } while (size < largestBatch);
    return taken;
  }

  async function take(taken: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const outcomes = await takeIn(taken.flatMap((it) => it.items));
    let at = 0;
    for (const { items, answer } of taken) {
      answer(outcomes.slice(at, at + items.length));
      at += items.length;
    }
  }

  return {
    add(items) {
      if (closed) return null;
      return new Promise((answer) => {
        waiting.push({ items, answer });
        running ??= run();
      });
    },

    between(change) {
      return new Promise((resolve, reject) => {
        changes.push(() => change().then(resolve, reject));
        running ??= run();
      });
    },

    async close() {
      closed = true;
      while (running !== null) await running;
    },
  };
}
