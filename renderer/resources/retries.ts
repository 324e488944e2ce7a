/** What could not be read and is shown as failed: what the key for "try now" acts on. */
export type Retries = ReturnType<typeof createRetries>;

export function createRetries() {
  const shown = new Set<{ run: () => void }>();
  return {
    /** Returns its undo, for when it is shown no longer. */
    add(run: () => void): () => void {
      const one = { run };
      shown.add(one);
      return () => void shown.delete(one);
    },
    any: (): boolean => shown.size > 0,
    // What is tried may be gone from the screen at once.
    run: (): void => [...shown].forEach((one) => one.run()),
  };
}
