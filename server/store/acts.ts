import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import type { ActResults, ActWrites } from './operations.ts';
import { ActRefused, DiskFull, StoreFailed } from './storeErrors.ts';
import type { LoggedChange } from './telemetry/changesTable.ts';
import type { EntityKind, EntityRow, EntityWrite } from './telemetry/entityTables.ts';
import type { ActMessage, ActOutcome } from './telemetry/runActs.ts';

/** What is being staged: parts of one transaction. */
export interface Act {
  readonly now_ms: number;
  /** A further operation; `then` is given its result after the commit. */
  write<Op extends keyof ActWrites>(
    op: Op,
    args: ActWrites[Op],
    then?: (result: ActResults[Op]) => void,
  ): void;
  /** A whole document, sealed, whose file is written after the commit, and what changed in it. */
  intent(intent: ActMessage['intents'][number], change: LoggedChange): void;
  /** Memory that follows the database: runs after the commit, before the listeners. */
  afterCommit(apply: () => void): void;
}

/** The response to a request that bore an `Idempotency-Key`, stored with what it brought about. */
export interface Once<R> extends Pick<
  NonNullable<ActMessage['once']>,
  'user_id' | 'operation' | 'key' | 'fingerprint' | 'max'
> {
  present: (result: R) => string;
}

/** What a collection staged in one act. */
export interface StagedPart {
  entities: EntityWrite[];
  changes: LoggedChange[];
  /** Applies it; returns what calls the listeners. */
  commit(): () => void;
}

/** What acts need of a collection. */
export interface Mirror {
  kind: EntityKind;
  /** Sentence for a key that is another one's. */
  taken: string;
  /** What was staged in this act, to which it may add further operations; null: nothing. */
  take(act: Act): StagedPart | null;
  /** The acts after it see it, until `dropGroup`. */
  keepAct(): void;
  dropAct(): void;
  dropGroup(): void;
  /** Makes it what the database holds; returns what calls the listeners. */
  fill(rows: EntityRow[]): () => void;
}

export interface ActsDeps {
  store: {
    act(acts: ActMessage[]): Promise<ActOutcome[]>;
    loadEntities(kind: EntityKind): Promise<EntityRow[]>;
    lastSeq(): Promise<number>;
  };
  clock: { now(): number };
  /** Who acts; null: the host itself. */
  by: () => Caller | null;
}

/** Who hears of what was committed. */
export interface Follower {
  /** After each commit and its listeners, in the order of the commits. */
  onCommitted: (changes: CommittedChange[]) => void;
  /** Commits up to this number of the log may have been missed: the collections were loaded again. */
  onReloaded: (seq: number) => void;
}

export type CommittedChange = LoggedChange & { seq: number; at_ms: number };

interface Waiting {
  stage: (act: Act) => unknown;
  once: Once<unknown> | undefined;
  /** Runs what belongs to the caller. */
  asCaller: <R>(work: () => R) => R;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  staleTimes: number;
  /** In a group it was too much for the disk. */
  isAlone: boolean;
}

interface Staged {
  waiting: Waiting;
  message: ActMessage;
  result: unknown;
  parts: StagedPart[];
  thens: ((results: unknown[]) => void)[];
}

/** Stored together; each waits for the reply to all of them. */
const groupActs = 64;
const groupRows = 1_000;
/** Of records: what is staged in one turn holds up everybody else. */
const groupChars = 100_000;
/** So often an act is staged again that was refused because of what it was staged on. */
const maxStale = 3;

export type Acts = ReturnType<typeof createActs>;

/**
 * One queue of changes. Each is staged when all before it are stored or staged, on collections that show it just what
 * these made; it is stored in one transaction, and seen by everybody else after its commit.
 */
export function createActs({ store, clock, by }: ActsDeps) {
  const followers: Follower[] = [];
  const mirrors: Mirror[] = [];
  const queue: Waiting[] = [];
  /** When the act that is being staged changes things, Unix milliseconds; null: none is. */
  let stagedAt_ms: number | null = null;
  /** Whether the database may hold what the collections do not. */
  let isInDoubt = false;
  let working: Promise<void> | null = null;
  let isClosed = false;

  async function load(): Promise<void> {
    const rows = await Promise.all(mirrors.map(({ kind }) => store.loadEntities(kind)));
    const announcements = mirrors.map((mirror, at) => mirror.fill(rows[at] ?? []));
    isInDoubt = false;
    for (const announce of announcements) announce();
  }

  /** Null when it threw: then nothing of it is left. */
  function stage(waiting: Waiting): Staged | null {
    const now_ms = clock.now();
    const message: ActMessage = {
      at_ms: now_ms,
      by: null,
      entities: [],
      writes: [],
      changes: [],
      once: null,
      intents: [],
    };
    const thens: Staged['thens'] = [];
    const act: Act = {
      now_ms,
      write(op, args, then) {
        const at = message.writes.push({ op, args }) - 1;
        // The operation of this name returned it.
        if (then !== undefined) thens.push((results) => then(results[at] as Parameters<typeof then>[0]));
      },
      intent(intent, change) {
        message.intents.push(intent);
        message.changes.push(change);
      },
      afterCommit: (apply) => void thens.push(apply),
    };
    stagedAt_ms = now_ms;
    try {
      const result = waiting.asCaller(() => {
        message.by = by();
        return waiting.stage(act);
      });
      if (waiting.once !== undefined) {
        const { present, ...once } = waiting.once;
        message.once = { ...once, response: present(result) };
      }
      const parts = mirrors.flatMap((mirror) => mirror.take(act) ?? []);
      for (const part of parts) {
        message.entities.push(...part.entities);
        message.changes.push(...part.changes);
      }
      for (const mirror of mirrors) mirror.keepAct();
      return { waiting, message, result, parts, thens };
    } catch (error) {
      for (const mirror of mirrors) mirror.dropAct();
      waiting.reject(error);
      return null;
    } finally {
      stagedAt_ms = null;
    }
  }

  function stageGroup(): Staged[] {
    const group: Staged[] = [];
    let rows = 0;
    let chars = 0;
    while (group.length < groupActs && rows < groupRows && chars < groupChars) {
      const next = queue[0];
      if (next === undefined || (next.isAlone && group.length > 0)) break;
      queue.shift();
      const staged = stage(next);
      if (staged === null) continue;
      if (group.length === 0 && isEmpty(staged.message)) {
        finish(staged, { seqs: [], results: [] });
        continue;
      }
      group.push(staged);
      const { entities, writes } = staged.message;
      rows += entities.length + writes.length;
      chars += entities.reduce((sum, { after }) => sum + (after?.record.length ?? 0), 0);
      if (next.isAlone) break;
    }
    for (const mirror of mirrors) mirror.dropGroup();
    return group;
  }

  async function storeGroup(group: Staged[]): Promise<void> {
    let outcomes: ActOutcome[];
    try {
      outcomes = await store.act(group.map(({ message }) => message));
    } catch (error) {
      if (error instanceof DiskFull && group.length > 1) {
        // Nothing is stored, and one of them alone may have room.
        queue.unshift(...group.map(({ waiting }) => ({ ...waiting, isAlone: true })));
        return;
      }
      if (!(error instanceof DiskFull)) {
        isInDoubt = true;
        // Whoever asks again at once is to find what may have been stored.
        await reload();
      }
      for (const { waiting } of group) waiting.reject(error);
      return;
    }
    const again: Waiting[] = [];
    for (const [at, staged] of group.entries()) {
      const outcome = outcomes[at] ?? 'not_tried';
      const { waiting } = staged;
      if (outcome === 'not_tried') again.push(waiting);
      else if ('stored' in outcome) finish(staged, outcome.stored);
      else if ('failed' in outcome) waiting.reject(new StoreFailed(outcome.failed));
      else if (outcome.refused === 'stale' && waiting.staleTimes < maxStale) {
        again.push({ ...waiting, staleTimes: waiting.staleTimes + 1 });
      } else waiting.reject(new ActRefused(outcome.refused, sentenceOf(outcome), outcome.causes));
    }
    queue.unshift(...again);
  }

  function finish(staged: Staged, { seqs, results }: { seqs: number[]; results: unknown[] }): void {
    const { waiting, message, parts, thens, result } = staged;
    const announcements = parts.map((part) => part.commit());
    for (const then of thens) guard(() => then(results));
    for (const announce of announcements) announce();
    waiting.resolve(result);
    const committed = message.changes.map((change, at) => ({
      ...change,
      seq: seqs[at] ?? NaN,
      at_ms: message.at_ms,
    }));
    for (const { onCommitted } of followers) guard(() => onCommitted(committed));
  }

  function sentenceOf({ refused, kind, detail }: Extract<ActOutcome, { refused: unknown }>): string {
    return (refused === 'taken' && mirrors.find((it) => it.kind === kind)?.taken) || detail;
  }

  /** Rejects what waits while the database cannot be read: nothing is decided from collections that are in doubt. */
  async function reload(): Promise<void> {
    try {
      const seq = await store.lastSeq();
      await load();
      for (const { onReloaded } of followers) guard(() => onReloaded(seq));
    } catch (error) {
      for (const { reject } of queue.splice(0)) reject(error);
    }
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      // What is asked for in the same turn goes into one commit.
      await nextTurn();
      if (isInDoubt) await reload();
      const group = stageGroup();
      if (group.length > 0) await storeGroup(group);
      if (isInDoubt) await reload();
    }
    working = null;
  }

  return {
    /**
     * Runs `stage` when its turn has come; it is synchronous, decides from the collections, and may run again. Resolves
     * with what it returned, after the commit.
     *
     * @throws what `stage` throws: then nothing is stored; {ActRefused}; {DiskFull}; {StoreFailed}
     */
    run<R>(stage: (act: Act) => R, options: { once?: Once<R> | undefined } = {}): Promise<R> {
      return new Promise<R>((resolve, reject) => {
        if (isClosed) throw new StoreFailed('The store is closed.');
        queue.push({
          stage,
          // Each is called with what this very `stage` returned.
          once: options.once as Once<unknown> | undefined,
          resolve: resolve as (result: unknown) => void,
          asCaller: AsyncLocalStorage.snapshot(),
          reject,
          staleTimes: 0,
          isAlone: false,
        });
        working ??= work();
      });
    },

    /** The time of the act that is being staged. @throws when none is */
    stagedAt(): string {
      if (stagedAt_ms === null) throw new Error('no act is being staged');
      return new Date(stagedAt_ms).toISOString();
    },

    /** It hears of what is committed from now on. */
    follow: (follower: Follower) => void followers.push(follower),

    /** Each collection, before `load`. */
    register: (mirror: Mirror) => void mirrors.push(mirror),

    /** Reads all collections. @throws for a record that is not of its form, {StoreFailed} */
    load,

    /** Waits for what was asked for. Later acts fail. */
    async close(): Promise<void> {
      isClosed = true;
      await working;
    },
  };
}

function isEmpty({ entities, writes, changes, once, intents }: ActMessage): boolean {
  return once === null && entities.length + writes.length + changes.length + intents.length === 0;
}

/** What is stored stands, whatever comes of it. */
function guard(follow: () => void): void {
  try {
    follow();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
