import type { Database } from './database.ts';
import { asFailure } from './failure.ts';
import type { Call, Ops, Reply } from './messages.ts';

/** A group ends after this much work, so that its first call does not wait for ever for its commit. */
const LONGEST_GROUP_MS = 50;

/**
 * Runs calls from the head of `waiting` in one transaction, and takes out those that it ran. Each stands behind a
 * savepoint of its own: one that fails leaves the others as they are.
 *
 * @returns the answers; the transaction is on the disk
 */
export function commitGroup(db: Database, ops: Ops, waiting: Call[], now: () => number): Reply[] {
  const until = now() + LONGEST_GROUP_MS;
  const replies: Reply[] = [];
  try {
    db.exec('BEGIN IMMEDIATE');
    let call: Call | undefined;
    while (db.inTransaction && (call = waiting[replies.length]) !== undefined) {
      replies.push(runBehindSavepoint(db, ops, call));
      if (now() >= until) break;
    }
    if (!db.inTransaction) throw new Error('the transaction was rolled back');
    db.exec('COMMIT');
    waiting.splice(0, replies.length);
    return replies;
  } catch (error) {
    rollBack(db);
    // A full disk may show at the commit alone, and makes SQLite give up the whole transaction.
    const [first] = waiting;
    if (first === undefined) return [];
    if (replies.length > 1) return commitAlone(db, ops, waiting.splice(0, replies.length));
    waiting.shift();
    const [reply] = replies;
    return [reply !== undefined && 'failure' in reply ? reply : { id: first.id, failure: asFailure(error) }];
  }
}

function commitAlone(db: Database, ops: Ops, calls: Call[]): Reply[] {
  return calls.flatMap((call) => commitGroup(db, ops, [call], () => 0));
}

function runBehindSavepoint(db: Database, ops: Ops, call: Call): Reply {
  db.exec('SAVEPOINT one_call');
  try {
    const result = runOp(db, ops, call);
    db.exec('RELEASE one_call');
    return { id: call.id, result };
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK TO one_call; RELEASE one_call');
    return { id: call.id, failure: asFailure(error) };
  }
}

export function runOp(db: Database, ops: Ops, { op, args }: Call): unknown {
  const run = ops[op];
  if (run === undefined) throw new Error(`no operation is named ${op}`);
  // The other side's `call` has checked that these arguments are this operation's.
  return run(db, args as never);
}

function rollBack(db: Database): void {
  if (db.inTransaction) db.exec('ROLLBACK');
}
