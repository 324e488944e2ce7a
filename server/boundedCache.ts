/** Values of a total size at the most; what was not asked for the longest goes first. */
export interface BoundedCache<T> {
  get: (key: string) => T | undefined;
  /** @param size of the value, in the unit of the bound; one beyond the bound is not kept */
  set: (key: string, value: T, size: number) => void;
}

export function createBoundedCache<T>(maxSize: number): BoundedCache<T> {
  const kept = new Map<string, { value: T; size: number }>();
  let total = 0;
  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      kept.delete(key);
      kept.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      total += size - (kept.get(key)?.size ?? 0);
      kept.delete(key);
      kept.set(key, { value, size });
      for (const [oldest, { size: freed }] of kept) {
        if (total <= maxSize) break;
        kept.delete(oldest);
        total -= freed;
      }
    },
  };
}
