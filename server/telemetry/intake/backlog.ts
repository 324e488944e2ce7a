/** How many reports of one listener wait for the store, and which connections wait until there are fewer. */
export interface Backlog {
  isFull(): boolean;
  /** Returns what takes them off again. */
  add(reports: number): () => void;
  /** Calls once, as soon as it is not full; each caller once, however often it asks. */
  wait(call: () => void): void;
  /** Who waited does not any more. */
  forget(call: () => void): void;
  /** Reports that wait for the store. */
  size(): number;
}

export function createBacklog(max: number): Backlog {
  const waiting = new Set<() => void>();
  let size = 0;
  const isFull = () => size >= max;

  function wake(): void {
    // Those that wait have waited in this order; one that fills the backlog again leaves the others waiting.
    for (const call of waiting) {
      if (isFull()) return;
      waiting.delete(call);
      call();
    }
  }

  return {
    isFull,
    add(reports) {
      size += reports;
      return () => {
        size -= reports;
        wake();
      };
    },
    wait: (call) => void waiting.add(call),
    forget: (call) => void waiting.delete(call),
    size: () => size,
  };
}
