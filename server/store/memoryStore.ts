import type { Clock } from '../clock.ts';
import { currentCaller } from './caller.ts';
import { methodsOf, type Store } from './operations.ts';
import { asError } from './telemetry/failure.ts';
import { openDatabase, type Database } from './telemetry/database.ts';
import { commitGroup } from './telemetry/groupCommit.ts';
import { migrations } from './telemetry/schema.ts';

/**
 * The store without a file or workers, for tests: it runs the same operations on this thread and keeps nothing.
 *
 * @param overrides stand in the place of single methods, such as one that fails
 */
export function openMemoryStore(clock: Pick<Clock, 'now'>, overrides: Partial<Store> = {}): Store {
  const db = openDatabase(':memory:', { readOnly: false });
  for (const { sql } of migrations) db.exec(sql);
  return storeOver(db, clock, overrides);
}

/** The same over a database that has all tables. */
export function storeOver(db: Database, clock: Pick<Clock, 'now'>, overrides: Partial<Store> = {}): Store {
  // As a worker does it: the caller keeps no hold of what was stored, and a failure leaves nothing behind.
  const methods = methodsOf((_side, op, args) => {
    const call = structuredClone({ id: 0, op, args, at_ms: clock.now(), by: currentCaller() });
    const [reply] = commitGroup(db, [call], () => 0);
    if (reply === undefined) throw new Error(`${op} was not run`);
    return 'failure' in reply
      ? Promise.reject(asError(reply.failure))
      : Promise.resolve(structuredClone(reply.result));
  });

  return {
    ...methods,
    epoch: 'memory',
    stats: () => Promise.reject(new Error('this store counts nothing')),
    close() {
      db.close();
      return Promise.resolve();
    },
    ...overrides,
  };
}
