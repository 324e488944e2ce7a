/** Lets one at a time do something that has a name; others wait. */
export interface Locks {
  /** Rejects with the signal's reason when it fires while waiting; what has begun runs to its end. */
  hold<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Over all tabs of this browser. A tab that is closed lets go of what it held. */
export function createTabLocks(manager: LockManager, prefix: string): Locks {
  return {
    hold: (name, run, signal) =>
      manager.request(`${prefix}/${name}`, signal === undefined ? {} : { signal }, () => run()),
  };
}

/** Within this page alone. */
export function createPageLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(name, run, signal) {
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(() => {
        signal?.throwIfAborted();
        return run();
      });
      const settled = mine.catch(() => undefined);
      last.set(name, settled);
      try {
        return await mine;
      } finally {
        if (last.get(name) === settled) last.delete(name);
      }
    },
  };
}
