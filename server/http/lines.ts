/**
 * Lines by a key (a user, an address), each of which lets `width` through at a time, in the order of coming. Own:
 * p-queue hands out no slots, and knows no keys.
 */
export function createLines(width = 1) {
  const lines = new Map<string, { through: number; waiting: (() => void)[] }>();

  function leave(key: string): void {
    const line = lines.get(key);
    if (line === undefined) return;
    const next = line.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    line.through -= 1;
    if (line.through === 0) lines.delete(key);
  }

  return {
    /** Resolves with what lets the next one through; to be called once, at the end, whatever happens. */
    async enter(key: string): Promise<() => void> {
      const line = lines.get(key) ?? { through: 0, waiting: [] };
      lines.set(key, line);
      if (line.through < width) line.through += 1;
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        leave(key);
      };
    },
  };
}
