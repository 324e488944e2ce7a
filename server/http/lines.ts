/** Lines by a key (a user, an address), each of which lets one through at a time, in the order of coming. */
export interface Lines {
  /** Resolves with what lets the next one through; to be called once, at the end, whatever happens. */
  enter(key: string): Promise<() => void>;
}

export function createLines(): Lines {
  /** Those that wait, by their key; none for one that is let through alone. */
  const lines = new Map<string, (() => void)[]>();

  function leave(key: string): void {
    const next = lines.get(key)?.shift();
    if (next === undefined) lines.delete(key);
    else next();
  }

  return {
    async enter(key) {
      const waiting = lines.get(key);
      if (waiting === undefined) lines.set(key, []);
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        leave(key);
      };
    },
  };
}
