/** Chance that a seed can repeat: what is drawn in the same order is the same again. */
export interface Random {
  /** From 0 to 1, the latter never. */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  whole(min: number, max: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  bytes(count: number): Buffer;
  /** A copy of the list in another order. */
  shuffled<T>(list: readonly T[]): T[];
  /** Others of their own, so that one who draws more leaves the rest as it is. */
  fork(): Random;
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are enough for a test. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    chance: (probability) => next() < probability,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => whole(0, 255))),
    shuffled: (list) =>
      list
        .map((it) => ({ it, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ it }) => it),
    fork: () => createRandom(whole(0, 0xffff_ffff)),
  };
}
