/** What is counted while the soak runs, by name, and what went wrong beyond the positions. */
export interface Counters {
  add(name: string, count?: number): void;
  count(name: string): number;
  counts(): ReadonlyMap<string, number>;
  /** Something that no host may do; the details of the first of its kind are kept. */
  fault(what: string, details?: string): void;
  /** Each kind once, with how often it was. */
  faults(): readonly string[];
}

export function createCounters(): Counters {
  const counts = new Map<string, number>();
  const faults = new Map<string, { times: number; details: string }>();
  return {
    add(name, count = 1) {
      counts.set(name, (counts.get(name) ?? 0) + count);
    },
    count: (name) => counts.get(name) ?? 0,
    counts: () => counts,
    fault(what, details = '') {
      const known = faults.get(what) ?? { times: 0, details };
      known.times += 1;
      faults.set(what, known);
    },
    faults: () =>
      [...faults].map(([what, { times, details }]) => `${what} (${times} times) ${details}`.trimEnd()),
  };
}
