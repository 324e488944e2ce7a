import { createStore, type StoreApi } from 'zustand/vanilla';

/** How far the first reading of something has come. */
export type LoadState =
  | { phase: 'loading' }
  | { phase: 'ready' }
  | {
      phase: 'failed';
      error: unknown;
      /** Milliseconds since 1970; null while a try is under way. */ nextTryAt: number | null;
    };

export interface Resources<T> {
  byId: ReadonlyMap<string, T>;
  load: LoadState;
}

/** Facts of one kind by their id; setters only. What comes by REST and by the stream meets here. */
export interface ResourceStore<T> {
  store: StoreApi<Resources<T>>;
  /** A list is about to be read: messages of the stream from now on may be newer than the list. */
  listing(): void;
  /** Takes a whole list: what is known and not in it is gone, unless the stream sent it since `listing`, or `keepOthers`. */
  listed(items: readonly T[], keepOthers?: boolean): void;
  /** Takes newer states of some, as an answer gave them: it may be older than the stream's word that one is gone. */
  put(items: readonly T[]): void;
  /** Takes newer states of some, as the stream gave them: what was hidden is visible again. */
  receive(items: readonly T[]): void;
  /** What was deleted never comes again. */
  remove(ids: readonly string[]): void;
  /**
   * What the user does not see any more, deleted or not: the server reports both alike, so that nobody learns what is
   * still there. It comes again by the stream, or by a list that was asked for later.
   */
  hide(ids: readonly string[]): void;
  /** Lets go of what need not be known any more; it is known again with any answer or message that has it. */
  forget(ids: readonly string[]): void;
  setLoad(load: LoadState): void;
}

export interface ResourceKind<T> {
  idOf: (item: T) => string;
  /** Whether `a` is older than `b`: an answer may arrive after a later message of the stream. */
  isOlder: (a: T, b: T) => boolean;
  /** An id that was removed or hidden may come again with any answer. */
  mayReturn?: boolean;
}

export function createResourceStore<T>({
  idOf,
  isOlder,
  mayReturn = false,
}: ResourceKind<T>): ResourceStore<T> {
  const store = createStore<Resources<T>>(() => ({ byId: new Map<string, T>(), load: { phase: 'loading' } }));
  /** Ids that were deleted: a list that was under way meanwhile must not bring them back. */
  const gone = new Set<string>();

  /** Ids that were hidden and have not come again. */
  const hidden = new Set<string>();

  /** Ids that were put, and hidden, since the list that is under way was asked for; null when none is. */
  let putMeanwhile: Set<string> | null = null;
  let hiddenMeanwhile: Set<string> | null = null;

  const merge = (into: Map<string, T>, items: readonly T[]) => {
    for (const item of items) {
      const id = idOf(item);
      if (gone.has(id) || hidden.has(id)) continue;
      const known = into.get(id);
      if (known === undefined || !isOlder(item, known)) into.set(id, item);
    }
    return into;
  };

  const put = (items: readonly T[]) => {
    for (const item of items) putMeanwhile?.add(idOf(item));
    if (items.length > 0) store.setState(({ byId }) => ({ byId: merge(new Map(byId), items) }));
  };

  const drop = (ids: readonly string[]) =>
    store.setState(({ byId }) => {
      if (!ids.some((id) => byId.has(id))) return {};
      const left = new Map(byId);
      for (const id of ids) left.delete(id);
      return { byId: left };
    });

  return {
    store,
    listing() {
      putMeanwhile = new Set();
      hiddenMeanwhile = new Set();
    },
    listed(items, keepOthers = false) {
      const shown = putMeanwhile;
      putMeanwhile = null;
      if (hiddenMeanwhile !== null) {
        for (const id of hidden) if (!hiddenMeanwhile.has(id)) hidden.delete(id);
      }
      hiddenMeanwhile = null;
      store.setState(({ byId }) => {
        const listedIds = new Set(items.map(idOf));
        const kept = keepOthers
          ? byId
          : new Map([...byId].filter(([id]) => listedIds.has(id) || shown?.has(id)));
        return { byId: merge(new Map(kept), items) };
      });
    },
    put,
    receive(items) {
      for (const item of items) {
        hidden.delete(idOf(item));
        hiddenMeanwhile?.delete(idOf(item));
      }
      put(items);
    },
    remove(ids) {
      if (!mayReturn) for (const id of ids) gone.add(id);
      drop(ids);
    },
    hide(ids) {
      for (const id of ids) {
        putMeanwhile?.delete(id);
        if (mayReturn) continue;
        hidden.add(id);
        hiddenMeanwhile?.add(id);
      }
      drop(ids);
    },
    forget: drop,
    setLoad(load) {
      store.setState({ load });
    },
  };
}

/** By the version that every resource which can change bears. */
export const olderByVersion = (a: { version: number }, b: { version: number }): boolean =>
  a.version < b.version;
