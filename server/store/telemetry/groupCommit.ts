import type { Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import type { Database } from './database.ts';
import { forgetTrackEnds } from './dayRecordsTable.ts';
import { asFailure } from './failure.ts';
import type { Call, Reply } from './messages.ts';

/** A group ends after this much work, so that its first call does not wait for ever for its commit. */
const LONGEST_GROUP_MS = 50;

/**
 * Runs calls from the head of `waiting` in one transaction, and takes out those that it ran. When one of them fails, or
 * the commit, each of them is run again in a transaction of its own: that is rare, while a savepoint before each call
 * would copy every page that it changes.
 *
 * @returns the answers; the transaction is on the disk
 */
export function commitGroup(db: Database, waiting: Call[], now: () => number): Reply[] {
  const until = now() + LONGEST_GROUP_MS;
  const replies: Reply[] = [];
  /** The current or last call; when not even a transaction can be begun, the first call gets the error. */
  let begun = 1;
  try {
    db.exec('BEGIN IMMEDIATE');
    for (const call of waiting) {
      begun = replies.length + 1;
      replies.push({ id: call.id, result: runCall(db, call) });
      if (now() >= until) break;
    }
    db.exec('COMMIT');
    waiting.splice(0, begun);
    return replies;
  } catch (error) {
    // A full disk may show at the commit alone, and makes SQLite give up the whole transaction.
    if (db.inTransaction) db.exec('ROLLBACK');
    forgetTrackEnds(db);
    const calls = waiting.splice(0, begun);
    if (calls.length > 1) return calls.flatMap((call) => commitGroup(db, [call], () => 0));
    return calls.map(({ id }) => ({ id, failure: asFailure(error) }));
  }
}

const byName: Readonly<Record<string, Pick<Operation<never, unknown, unknown>, 'run'>>> = operations;

export function runCall(db: Database, { op, args, at_ms, by }: Call): unknown {
  const operation = byName[op];
  if (operation === undefined) throw new Error(`no operation is named ${op}`);
  // The types of the store's methods have checked that these arguments are this operation's.
  return operation.run({ db, at_ms, by }, args as never);
}
