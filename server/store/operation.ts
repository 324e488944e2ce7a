import type { Caller } from './caller.ts';
import type { Database } from './telemetry/database.ts';

/** What a write runs in: it is stored whole or not at all. */
export interface Tx {
  readonly db: Database;
  /** When it was called. */
  readonly at_ms: number;
  /** Who called it; null: the host itself. */
  readonly by: Caller | null;
}

/** The writer runs writes in the order of their calls; the reader answers beside it. */
export type Side = 'write' | 'read';

/** One thing that the store does. Arguments and results are structured-cloned on their way to its worker and back. */
export interface Operation<Args, Result, Method, On extends Side = Side> {
  side: On;
  /** In the worker. */
  run: (tx: Tx, args: Args) => Result;
  /** The store's method, made on the caller's side of `call`, which has the worker run this. */
  method: (call: Call<Args, Result>) => Method;
}

export type Call<Args, Result> = (args: Args) => Promise<Result>;

/** A method that is one call. */
type Plain<Args, Result, On extends Side> = Operation<Args, Result, Call<Args, Result>, On>;

export function write<Result, Args = void>(
  run: (tx: Tx, args: Args) => Result,
): Plain<Args, Result, 'write'> {
  return { side: 'write', run, method: (call) => call };
}

/** `run` is one short statement or a few: a long one would hold up the writer's checkpoints. */
export function read<Result, Args = void>(
  run: (db: Database, args: Args) => Result,
): Plain<Args, Result, 'read'> {
  return { side: 'read', run: ({ db }, args) => run(db, args), method: (call) => call };
}

/** An operation whose method does more than one call of it. */
export function calledBy<Args, Result, Method, On extends Side>(
  operation: Plain<Args, Result, On>,
  method: (call: Call<Args, Result>) => Method,
): Operation<Args, Result, Method, On> {
  return { ...operation, method };
}
