/** A stream of numbers that is the same for the same seed, on every machine. */
export interface SeededRandom {
  /** 0 inclusive to 1 exclusive. */
  next(): number;
  /** `min` inclusive to `max` exclusive. */
  between(min: number, max: number): number;
  /** `min` to `max`, both inclusive, whole. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  /** @throws RangeError for an empty list. */
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** mulberry32 by Tommy Ettinger (public domain): 32 bits of state, ample for a town and its drivers. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + next() * (max - min);
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  const shuffled = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, rank: next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  return { next, between, integer, chance: (probability) => next() < probability, pick, shuffled };
}

/** A seed of its own for each part (a district, a vehicle), so that a change in one leaves the others as they were. */
export function partSeed(seed: number, part: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < part.length; index += 1) {
    hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
