import { readable } from './readable.ts';

/** The parameter sets of one kind that hold, by their own numbers: a later one takes an older one's place. */
export interface ParameterSetCache<T> {
  /** Passes over what is no parameter set. */
  put(nal: Uint8Array): void;
  get(id: number): T | undefined;
  all(): Uint8Array[];
}

/** Far above any: one with every scaling list spelled out is some 6 kB. */
const MOST_SET_BYTES = 64 * 1024;

export function createParameterSetCache<T extends { id: number }>(
  parse: (nal: Uint8Array) => T,
): ParameterSetCache<T> {
  const sets = new Map<number, { set: T; nal: Uint8Array }>();
  return {
    put(nal) {
      const set = nal.length > MOST_SET_BYTES ? null : readable(() => parse(nal));
      if (set !== null) sets.set(set.id, { set, nal: Uint8Array.from(nal) });
    },
    get: (id) => sets.get(id)?.set,
    all: () => [...sets.values()].map((it) => it.nal),
  };
}
