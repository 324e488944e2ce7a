/** What could not be read and is shown as failed: what the key for "try now" acts on. */
export interface Retries {
  /** Returns its undo, for when it is shown no longer. */
  add(run: () => void): () => void;
  any(): boolean;
  run(): void;
}

export function createRetries(): Retries {
  const shown = new Set<{ run: () => void }>();
  return {
    add(run) {
      const one = { run };
      shown.add(one);
      return () => void shown.delete(one);
    },
    any: () => shown.size > 0,
    // What is tried may be gone from the screen at once.
    run: () => [...shown].forEach((one) => one.run()),
  };
}
