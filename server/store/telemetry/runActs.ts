import type { Cause } from '../../contract/causes.ts';
import type { Database } from './database.ts';
import { Refused, writeEntities, type EntityKind, type EntityWrite } from './entityTables.ts';
import { logChanges, type LoggedChange } from './changesTable.ts';
import { asFailure, isCorrupt } from './failure.ts';
import type { Caller } from '../caller.ts';
import type { Operation, Tx } from '../operation.ts';
import { saveIdempotent, trimIdempotent } from './requestTables.ts';
import type { IdempotencyRow } from './rows.ts';

/** A whole document, sealed, that is written to its file after the commit. */
export interface DocumentIntent {
  document: string;
  version: number;
  sealed: Uint8Array;
}

/** Everything that one act stores: all of it, or nothing. */
export interface ActMessage {
  at_ms: number;
  /** Null: the host itself. */
  by: Caller | null;
  entities: EntityWrite[];
  /** Further operations of the same transaction. */
  writes: { op: string; args: unknown }[];
  /** Each gets the next number of the change log. */
  changes: LoggedChange[];
  /** The response to a request that bore an `Idempotency-Key`, and how many of the user's stay. */
  once: (Omit<IdempotencyRow, 'at_ms'> & { max: number | null }) | null;
  intents: DocumentIntent[];
}

type Operations = Readonly<Record<string, Pick<Operation<never, unknown, unknown>, 'side' | 'run'>>>;

/** What became of one act of a group. */
export type ActOutcome =
  /** Stored: the numbers of its changes, and what its further operations returned. */
  | { stored: { seqs: number[]; results: unknown[] } }
  /** `detail` is a sentence. */
  | { refused: Refused['reason']; kind: EntityKind | null; detail: string; causes?: Cause[] }
  /** A statement failed. */
  | { failed: string }
  /** An act before it was not stored, on which this one may stand. */
  | 'not_tried';

/**
 * Stores acts, each of which was made on top of those before it. One that is refused, or whose statement fails, is
 * undone alone: it is no error of the transaction, which others share.
 *
 * @throws for a full disk, and when SQLite gave up the whole transaction
 */
export function runActs(db: Database, acts: readonly ActMessage[], ops: Operations): ActOutcome[] {
  let isTried = true;
  return acts.map((act) => {
    if (!isTried) return 'not_tried';
    const outcome = runAct(db, act, ops);
    isTried = 'stored' in outcome;
    return outcome;
  });
}

function runAct(db: Database, act: ActMessage, ops: Operations): Exclude<ActOutcome, 'not_tried'> {
  db.exec('SAVEPOINT act');
  try {
    const stored = store(db, act, ops);
    db.exec('RELEASE act');
    return { stored };
  } catch (error) {
    if (!db.inTransaction || isCorrupt(error) || asFailure(error).code === 'disk_full') throw error;
    db.exec('ROLLBACK TO act; RELEASE act');
    if (error instanceof Refused) {
      const { reason: refused, kind, message: detail, causes } = error;
      return { refused, kind, ...(causes === undefined ? { detail: `${detail}.` } : { detail, causes }) };
    }
    return { failed: asFailure(error).detail };
  }
}

function store(db: Database, act: ActMessage, ops: Operations): { seqs: number[]; results: unknown[] } {
  const { at_ms, once } = act;
  const tx: Tx = { db, at_ms, by: act.by };
  if (once !== null) storeResponse(tx, once);
  writeEntities(db, act.entities, at_ms);
  // First, so that an operation that erases a resource finds all that the log says of it.
  const seqs = logChanges(tx, act.changes);
  const results = act.writes.map(({ op, args }) => {
    const operation = ops[op];
    if (operation?.side !== 'write') throw new Error(`no write is named ${op}`);
    return operation.run(tx, args as never);
  });
  for (const { document, version, sealed } of act.intents) {
    db.run('INSERT OR REPLACE INTO document_intents (document, version, sealed, at_ms) VALUES (?, ?, ?, ?)', [
      document,
      version,
      sealed,
      at_ms,
    ]);
  }
  return { seqs, results };
}

function storeResponse(tx: Tx, { max, ...row }: NonNullable<ActMessage['once']>): void {
  const { db, at_ms } = tx;
  const { user_id, operation, key } = row;
  const isUsed = db.get('SELECT 1 FROM idempotency_keys WHERE user_id = ? AND operation = ? AND key = ?', [
    user_id,
    operation,
    key,
  ]);
  if (isUsed !== undefined) throw new Refused('key_used', null, 'the key was used before');
  saveIdempotent(tx, { ...row, at_ms });
  if (max !== null) trimIdempotent(tx, { user_id, max });
}
