import type { Database } from './database.ts';
import { asFailure } from './failure.ts';
import type { Call, Ops, Reply } from './messages.ts';

/** A group ends after this much work, so that its first call does not wait for ever for its commit. */
const LONGEST_GROUP_MS = 50;

/**
 * Runs calls from the head of `waiting` in one transaction, and takes out those that it ran. When one of them fails, or
 * the commit, each of them is run again in a transaction of its own: that is rare, while a savepoint before each call
 * would copy every page that it changes.
 *
 * @returns the answers; the transaction is on the disk
 */
export function commitGroup(db: Database, ops: Ops, waiting: Call[], now: () => number): Reply[] {
  const until = now() + LONGEST_GROUP_MS;
  const replies: Reply[] = [];
  /** The current or last call; when not even a transaction can be begun, the first call gets the error. */
  let begun = 1;
  try {
    db.exec('BEGIN IMMEDIATE');
    for (const call of waiting) {
      begun = replies.length + 1;
      replies.push({ id: call.id, result: runOp(db, ops, call) });
      if (now() >= until) break;
    }
    db.exec('COMMIT');
    waiting.splice(0, begun);
    return replies;
  } catch (error) {
    // A full disk may show at the commit alone, and makes SQLite give up the whole transaction.
    if (db.inTransaction) db.exec('ROLLBACK');
    const calls = waiting.splice(0, begun);
    if (calls.length > 1) return calls.flatMap((call) => commitGroup(db, ops, [call], () => 0));
    return calls.map(({ id }) => ({ id, failure: asFailure(error) }));
  }
}

export function runOp(db: Database, ops: Ops, { op, args }: Call): unknown {
  const run = ops[op];
  if (run === undefined) throw new Error(`no operation is named ${op}`);
  // The other side's `call` has checked that these arguments are this operation's.
  return run(db, args as never);
}
