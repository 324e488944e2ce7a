import type { Document } from './Document.ts';

/** What every resource that can change bears. */
export interface Stamped {
  version: number;
  created_at: string;
  updated_at: string;
}

/** `before` null: added; `after` null: removed. */
export type Change<T> = { before: T; after: T } | { before: null; after: T } | { before: T; after: null };

type Items<T> = Record<string, T>;

/** `now`: the time of this change, which `updated_at` will bear. */
type Revise<T extends Stamped> = (old: T, now: string) => Omit<T, keyof Stamped>;

/** The resources of one document by their id, with versions, and listeners that hear of what the disk holds. */
export interface Collection<T extends Stamped> {
  get(id: string): T | undefined;
  /** All of them; the same list until something changes. */
  all(): readonly T[];
  /** Throws as `add` would for more than there may be, and adds nothing. */
  checkAdd(items: readonly Omit<T, keyof Stamped>[]): void;
  /** Adds resources, in one write. Whether they may be added (a name that is taken, say) is for the caller to check. */
  add(items: readonly Omit<T, keyof Stamped>[]): Promise<T[]>;
  /**
   * Changes one; `revise` is given the resource as it is and answers the whole of what it shall be, or the same object
   * when nothing changes. Returns undefined when there is none of that id.
   */
  change(id: string, revise: Revise<T>): Promise<T | undefined>;
  /**
   * Changes many in one write, all of them or none, and announces them together in the order of `ids`. Those that are
   * not there or that `revise` leaves as they are stay out. Returns what was changed.
   */
  changeMany(ids: readonly string[], revise: Revise<T>): Promise<T[]>;
  /** Removes one; returns what it was. `check` may throw to keep it. */
  remove(id: string, check?: (old: T) => void): Promise<T | undefined>;
  /** Called after the flush, in the order of the changes. Returns its undo. */
  onChange(listener: (changes: Change<T>[]) => void): () => void;
}

/** Called with the pending change and all present resources; throws to reject the change. */
export type CheckGrowth<T> = (
  items: readonly T[],
  changes: readonly { before: T | null; after: T }[],
) => void;

/**
 * @param idOf the resource's own id
 * @param onListenerFault called with what a subscriber throws; the change is stored all the same, and the other
 * subscribers are called
 * @param checkGrowth by default everything is taken
 */
export function createCollection<T extends Stamped>(
  document: Document<{ items: Items<T> }>,
  idOf: (item: Omit<T, keyof Stamped>) => string,
  clock: { now(): number },
  onListenerFault: (error: unknown) => void = warn,
  checkGrowth: CheckGrowth<T> = () => undefined,
): Collection<T> {
  const listeners = new Set<(changes: Change<T>[]) => void>();
  let listedFrom: Readonly<Items<T>> | null = null;
  let list: readonly T[] = [];

  function announce(changes: Change<T>[]): void {
    if (changes.length === 0) return;
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        onListenerFault(error);
      }
    }
  }

  function time(): string {
    return new Date(clock.now()).toISOString();
  }

  function stamped(item: Omit<T, keyof Stamped>, version: number, now: string, createdAt = now): T {
    return { ...item, version, created_at: createdAt, updated_at: now } as T;
  }

  function listOf(items: Readonly<Items<T>>): readonly T[] {
    if (listedFrom !== items) {
      listedFrom = items;
      list = Object.values(items);
    }
    return list;
  }

  /** Null when there is none of that id or nothing changes. */
  function revised(before: T | undefined, revise: Revise<T>, now: string): T | null {
    if (before === undefined) return null;
    const next = revise(before, now);
    return next === before ? null : stamped(next, before.version + 1, now, before.created_at);
  }

  return {
    get: (id) => (Object.hasOwn(document.data.items, id) ? document.data.items[id] : undefined),

    all: () => listOf(document.data.items),

    checkAdd(items) {
      const now = time();
      checkGrowth(
        listOf(document.data.items),
        items.map((item) => ({ before: null, after: stamped(item, 1, now) })),
      );
    },

    async add(items) {
      const added = await document.update((draft, before) => {
        const now = time();
        const whole = items.map((item) => stamped(item, 1, now));
        checkGrowth(
          listOf(before.items),
          whole.map((after) => ({ before: null, after })),
        );
        for (const item of whole) draft.items[idOf(item)] = item;
        return whole;
      });
      announce(added.map((after) => ({ before: null, after })));
      return added;
    },

    async change(id, revise) {
      const { before, after } = await document.update((draft, { items }) => {
        const before = Object.hasOwn(items, id) ? items[id] : undefined;
        const after = revised(before, revise, time());
        if (before !== undefined && after !== null) {
          checkGrowth(listOf(items), [{ before, after }]);
          draft.items[id] = after;
        }
        return { before, after };
      });
      if (before === undefined || after === null) return before;
      announce([{ before, after }]);
      return after;
    },

    async changeMany(ids, revise) {
      const changed = await document.update((draft, { items }) => {
        const now = time();
        const changed = [...new Set(ids)].flatMap((id) => {
          const before = Object.hasOwn(items, id) ? items[id] : undefined;
          const after = revised(before, revise, now);
          return before === undefined || after === null ? [] : [{ id, before, after }];
        });
        checkGrowth(listOf(items), changed);
        for (const { id, after } of changed) draft.items[id] = after;
        return changed;
      });
      announce(changed.map(({ before, after }) => ({ before, after })));
      return changed.map(({ after }) => after);
    },

    async remove(id, check) {
      const before = await document.update((draft) => {
        const old = Object.hasOwn(draft.items, id) ? draft.items[id] : undefined;
        if (old === undefined) return null;
        check?.(old);
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the document is a map from id to resource
        delete draft.items[id];
        return old;
      });
      if (before === null) return undefined;
      announce([{ before, after: null }]);
      return before;
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
