import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Act, Acts, StagedPart } from './acts.ts';
import { settle } from './documents/draft.ts';
import { inLog, type LoggedChange } from './telemetry/changesTable.ts';
import type { EntityKeys, EntityKind, EntityRow, EntityWrite, Reference } from './telemetry/entityTables.ts';

/** What every resource that can change bears. */
export interface Stamped {
  version: number;
  created_at: string;
  updated_at: string;
}

/** `before` null: added; `after` null: removed. */
export type Change<T> = { before: T; after: T } | { before: null; after: T } | { before: T; after: null };

/** `now`: the time of this change, which `updated_at` will bear. */
type Revise<T extends Stamped> = (old: T, now: string) => Omit<T, keyof Stamped>;

/** Called with the pending change and all present resources; throws to reject the change. */
export type CheckGrowth<T> = (
  items: readonly T[],
  changes: readonly { before: T | null; after: T }[],
) => void;

/** One kind of what people administer: how its records stand in the database and in the change log. */
export interface EntityDefinition<T extends Stamped> {
  kind: EntityKind;
  id: keyof T & string;
  record: z.ZodType<T>;
  /** The columns beside the record. Unique ones are guarded by the schema's indexes. */
  keys: Readonly<Record<string, (record: T) => string | number | null>>;
  /** For those whose groups stand in a table of their own, and not in the record. */
  membersOf?: (record: T) => readonly string[];
  /** What it names: that cannot be removed. */
  references?: (record: T) => readonly Reference[];
  /** Fields whose values no log may show. */
  secret?: readonly (keyof T & string)[];
  /** The vehicle that its fields say something of. */
  vehicleOf?: (record: T) => string;
  /** Whole sentence, for when one of `keys` is another one's. */
  taken: string;
}

export function defineEntity<T extends Stamped, Kind extends EntityKind>(
  definition: EntityDefinition<T> & {
    kind: Kind;
    keys: Readonly<Record<EntityKeys<Kind>, (record: T) => string | number | null>>;
  },
): EntityDefinition<T> {
  return definition;
}

/** All records of one kind as they are committed, and within an act as it makes them. */
export interface Collection<T extends Stamped> {
  get(id: string): T | undefined;
  /** All of them; the same list until something changes. */
  all(): readonly T[];
  /** All as they are committed, also within an act: what is worked out of this list need not be done anew for each. */
  committed(): readonly T[];
  /** Throws as `add` would for more than there may be, and adds nothing. */
  checkAdd(items: readonly Omit<T, keyof Stamped>[]): void;
  /** Runs what decides and stages, as one act; see `Acts.run`. */
  act: Acts['run'];
  /** Adds resources. Whether they may be added (a name that is taken, say) is for the caller to check. */
  add(items: readonly Omit<T, keyof Stamped>[]): Promise<T[]>;
  /**
   * Changes one; `revise` is given the resource as it is and answers the whole of what it shall be, or the same object
   * when nothing changes. Returns undefined when there is none of that id.
   */
  change(id: string, revise: Revise<T>): Promise<T | undefined>;
  /**
   * Changes many, all of them or none, and announces them together in the order of `ids`. Those that are not there or
   * that `revise` leaves as they are stay out. Returns what was changed.
   */
  changeMany(ids: readonly string[], revise: Revise<T>): Promise<T[]>;
  /** Removes one; returns what it was. `check` may throw to keep it. */
  remove(id: string, check?: (old: T) => void): Promise<T | undefined>;
  /** The same at once, as part of the act that is being staged. They throw outside of one. */
  readonly staged: {
    add(items: readonly Omit<T, keyof Stamped>[]): T[];
    change(id: string, revise: Revise<T>): T | undefined;
    changeMany(ids: readonly string[], revise: Revise<T>): T[];
    remove(id: string, check?: (old: T) => void): T | undefined;
    /** Adds one that was removed, with its id, as a version after its removal. */
    restore(old: T): T;
  };
  /** Called with all that an act has staged, which further operations may follow in the same transaction. */
  onStaged: (listener: (changes: readonly Change<T>[], act: Act) => void) => void;
  /** Called after the commit, in the order of the commits. Returns its undo. */
  onChange: (listener: (changes: Change<T>[]) => void) => () => void;
}

export interface EntityDeps<T> {
  acts: Pick<Acts, 'run' | 'stagedAt' | 'register'>;
  /** Group ids of those who could see it, `everybody`, or nobody but dealers when empty. */
  visibleTo: (record: T) => string[];
  /** What else is shown otherwise after a change of this one, so that streams show it again. */
  showsAlso?: (change: Change<T>) => LoggedChange[];
  /** By default everything is taken. */
  checkGrowth?: CheckGrowth<T>;
  /** Called with what a listener throws: the change stands, and the other listeners are called. */
  onListenerFault?: (error: unknown) => void;
}

export function createEntities<T extends Stamped>(
  definition: EntityDefinition<T>,
  deps: EntityDeps<T>,
): Collection<T> {
  const { acts, checkGrowth = () => undefined, onListenerFault = warn } = deps;
  const committed = new Map<string, T>();
  // What the acts of the group that is being staged make of it; null: removed. Empty at all other times.
  const ofGroup = new Map<string, T | null>();
  const ofAct = new Map<string, T | null>();
  const listeners = new Set<(changes: Change<T>[]) => void>();
  const followers: ((changes: readonly Change<T>[], act: Act) => void)[] = [];
  let list: readonly T[] | null = null;
  let stagedList: readonly T[] | null = null;

  // The definition names a field that holds a text.
  const idOf = (item: Omit<T, keyof Stamped>) => (item as T)[definition.id] as string;

  function beforeAct(id: string): T | undefined {
    return ofGroup.has(id) ? (ofGroup.get(id) ?? undefined) : committed.get(id);
  }

  function get(id: string): T | undefined {
    return ofAct.has(id) ? (ofAct.get(id) ?? undefined) : beforeAct(id);
  }

  const allCommitted = (): readonly T[] => (list ??= [...committed.values()]);

  function all(): readonly T[] {
    if (ofGroup.size + ofAct.size === 0) return allCommitted();
    if (stagedList === null) {
      const view = new Map(committed);
      for (const [id, record] of [...ofGroup, ...ofAct]) {
        if (record === null) view.delete(id);
        else view.set(id, record);
      }
      stagedList = [...view.values()];
    }
    return stagedList;
  }

  function forget(overlay: Map<string, T | null>): void {
    overlay.clear();
    stagedList = null;
  }

  function stage(id: string, record: T | null): void {
    ofAct.set(id, record);
    stagedList = null;
  }

  function stamped(item: Omit<T, keyof Stamped>, now: string, before?: T): T {
    const version = (beforeAct(idOf(item))?.version ?? 0) + 1;
    return settle({ ...item, version, created_at: before?.created_at ?? now, updated_at: now }) as T;
  }

  function changeMany(ids: readonly string[], revise: Revise<T>): T[] {
    const now = acts.stagedAt();
    const changes = [...new Set(ids)].flatMap((id) => {
      const before = get(id);
      if (before === undefined) return [];
      const next = revise(before, now);
      return next === before ? [] : [{ id, before, after: stamped(next, now, before) }];
    });
    checkGrowth(all(), changes);
    for (const { id, after } of changes) stage(id, after);
    return changes.map(({ after }) => after);
  }

  const staged: Collection<T>['staged'] = {
    add(items) {
      const now = acts.stagedAt();
      const added = items.map((item) => stamped(item, now));
      checkGrowth(
        all(),
        added.map((after) => ({ before: null, after })),
      );
      for (const item of added) stage(idOf(item), item);
      return added;
    },
    change: (id, revise) => changeMany([id], revise)[0] ?? get(id),
    changeMany,
    remove(id, check) {
      acts.stagedAt();
      const old = get(id);
      if (old === undefined) return undefined;
      check?.(old);
      stage(id, null);
      return old;
    },
    restore(old) {
      // The removal is a version of its own in the history.
      const after = settle({ ...old, version: old.version + 2, updated_at: acts.stagedAt() });
      checkGrowth(all(), [{ before: null, after }]);
      stage(idOf(after), after);
      return after;
    },
  };

  function announcing(changes: Change<T>[]): () => void {
    return () => {
      if (changes.length === 0) return;
      for (const listener of listeners) {
        try {
          listener(changes);
        } catch (error) {
          onListenerFault(error);
        }
      }
    };
  }

  function apply(changes: readonly Change<T>[]): void {
    for (const { before, after } of changes) {
      if (after !== null) committed.set(idOf(after), after);
      else if (before !== null) committed.delete(idOf(before));
    }
    list = null;
  }

  acts.register({
    kind: definition.kind,
    taken: definition.taken,

    take(act): StagedPart | null {
      const changes = [...ofAct].flatMap(([id, after]) => changesOf(beforeAct(id) ?? null, after));
      if (changes.length === 0) return null;
      for (const follow of followers) follow(changes, act);
      return {
        entities: changes.map((change) => writeOf(definition, change)),
        changes: changes.flatMap((change) => [
          logged(definition, change, deps.visibleTo),
          ...(deps.showsAlso?.(change) ?? []),
        ]),
        commit() {
          apply(changes);
          return announcing(changes);
        },
      };
    },
    keepAct() {
      for (const [id, record] of ofAct) ofGroup.set(id, record);
      forget(ofAct);
    },
    dropAct: () => forget(ofAct),
    dropGroup: () => forget(ofGroup),

    fill(rows) {
      const kept = new Set<string>();
      const records = rows.flatMap((row) => {
        kept.add(row.id);
        return committed.get(row.id)?.version === row.version ? [] : [recordOf(definition, row)];
      });
      records.sort((a, b) => compare(a.created_at, b.created_at) || compare(idOf(a), idOf(b)));
      const gone = [...committed].flatMap(([id, before]) => (kept.has(id) ? [] : changesOf(before, null)));
      const changes = [
        ...records.flatMap((after) => changesOf(committed.get(idOf(after)) ?? null, after)),
        ...gone,
      ];
      apply(changes);
      return announcing(changes);
    },
  });

  return {
    get,
    all,
    committed: allCommitted,
    staged,
    act: (stage, options) => acts.run(stage, options),
    checkAdd(items) {
      const now = new Date(0).toISOString();
      checkGrowth(
        all(),
        items.map((item) => ({ before: null, after: stamped(item, now) })),
      );
    },
    add: (items) => acts.run(() => staged.add(items)),
    change: (id, revise) => acts.run(() => staged.change(id, revise)),
    changeMany: (ids, revise) => acts.run(() => staged.changeMany(ids, revise)),
    remove: (id, check) => acts.run(() => staged.remove(id, check)),
    onStaged: (listener) => void followers.push(listener),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One change, or none. */
function changesOf<T extends object>(before: T | null, after: T | null): Change<T>[] {
  // Of two that differ, one is a record.
  return before === after ? [] : [{ before, after } as Change<T>];
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** @throws with the kind and the id of a record that is not of its form */
function recordOf<T extends Stamped>({ kind, record }: EntityDefinition<T>, row: EntityRow): T {
  const groups = row.group_ids === null ? {} : { group_ids: row.group_ids };
  const parsed = record.safeParse({ ...(JSON.parse(row.record) as object), ...groups });
  if (parsed.success) return settle(parsed.data);
  throw new Error(`the ${kind} ${row.id} in the database is not of its form`, { cause: parsed.error });
}

const nothing: readonly never[] = [];

/** What an act makes of one record. */
export function writeOf<T extends Stamped>(
  definition: EntityDefinition<T>,
  { before, after }: Change<T>,
): EntityWrite {
  const { kind, id, membersOf, references } = definition;
  /** Null where both are the same. */
  function changed<Part>(part: ((record: T) => readonly Part[]) | undefined): readonly Part[] | null {
    const [old, now] = [before, after].map((it) => (it === null || part === undefined ? nothing : part(it)));
    return isDeepStrictEqual(old, now) ? null : (now ?? nothing);
  }
  return {
    kind,
    id: (after ?? before)?.[id] as string,
    was: before?.version ?? null,
    after: after === null ? null : storedAs(definition, before, after),
    group_ids: changed(membersOf),
    references: changed(references),
  };
}

function storedAs<T extends Stamped>(
  { keys, membersOf }: EntityDefinition<T>,
  before: T | null,
  record: T,
): EntityWrite['after'] {
  const keysOf = (it: T) =>
    Object.fromEntries(Object.entries(keys).map(([column, key]) => [column, key(it)]));
  const now = keysOf(record);
  return {
    version: record.version,
    record: JSON.stringify(membersOf === undefined ? record : { ...record, group_ids: undefined }),
    keys: before !== null && isDeepStrictEqual(keysOf(before), now) ? null : now,
  };
}

function logged<T extends Stamped>(
  { kind, id, secret = [], vehicleOf }: EntityDefinition<T>,
  { before, after }: Change<T>,
  visibleTo: (record: T) => string[],
): LoggedChange {
  const hidden = new Set<string>([...secret]);
  /** The fields of `record` that `other` has not, or not so. */
  function fieldsOf(record: T | null, other: T | null): object | null {
    if (record === null) return null;
    const fields = Object.entries(record).filter(
      ([name, value]) =>
        other === null ||
        (!isStamp(name) && !isDeepStrictEqual(value, (other as Record<string, unknown>)[name])),
    );
    return Object.fromEntries(
      fields.map(([name, value]) => [
        name,
        value !== null && hidden.has(name) ? 'changed' : inLog(value as unknown),
      ]),
    );
  }
  return {
    topic: kind,
    resource_id: (after ?? before)?.[id] as string,
    visible_to: before === null ? null : visibleTo(before),
    version: after?.version ?? null,
    before: fieldsOf(before, after),
    after: fieldsOf(after, before),
    // One of the two is a record.
    vehicle_id: vehicleOf?.((after ?? before) as T) ?? null,
  };
}

/** Both stand in the log's own columns. */
const isStamp = (name: string) => name === 'version' || name === 'updated_at';
