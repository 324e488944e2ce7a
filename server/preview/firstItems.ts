/** Keeps the first of many in some order, whatever order they come in. */
export interface FirstItems<T> {
  add(item: T): void;
  /** How many were added, kept or not. */
  count(): number;
  /** Those that are kept, in their order. */
  list(): T[];
}

export function createFirstItems<T>(max: number, orderOf: (item: T) => number): FirstItems<T> {
  let retained: T[] = [];
  let count = 0;

  function sortOut(): T[] {
    retained = retained.sort((a, b) => orderOf(a) - orderOf(b)).slice(0, max);
    return retained;
  }

  return {
    add(item) {
      count += 1;
      retained.push(item);
      // Seldom enough that sorting is not felt.
      if (retained.length >= 2 * max) sortOut();
    },
    count: () => count,
    list: sortOut,
  };
}
