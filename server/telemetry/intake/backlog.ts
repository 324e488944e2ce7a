/** How many reports of one listener wait for the store, and which connections wait until there are fewer. */
export type Backlog = ReturnType<typeof createBacklog>;

export function createBacklog(max: number) {
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
    /** Returns what takes them off again. */
    add(reports: number): () => void {
      size += reports;
      return () => {
        size -= reports;
        wake();
      };
    },
    /** Calls once, as soon as it is not full; each caller once, however often it asks. */
    wait: (call: () => void): void => void waiting.add(call),
    /** Who waited does not any more. */
    forget: (call: () => void): void => void waiting.delete(call),
    /** Reports that wait for the store. */
    size: (): number => size,
  };
}
