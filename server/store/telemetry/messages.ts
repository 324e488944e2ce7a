import type { Caller } from '../caller.ts';
import type { Adoption } from './adopt.ts';
import type { Migration } from './schema.ts';

/** One call of an operation. Arguments and results are structured-cloned on their way. */
export interface Call {
  id: number;
  op: string;
  args: unknown;
  /** When it was made. */
  at_ms: number;
  /** Who made it; null: the host itself. */
  by: Caller | null;
}

export interface Failure {
  /** All but the first two come up at a start only. */
  code: 'disk_full' | 'failed' | 'newer_version' | 'lost' | 'not_migrated';
  detail: string;
}

export type Reply = { id: number; result: unknown } | { id: number; failure: Failure };

export type ToWorker = { kind: 'call'; call: Call } | { kind: 'close' };

export type FromWorker<Ready> =
  | { kind: 'ready'; ready: Ready }
  | { kind: 'not_started'; failure: Failure }
  /** The answers of one transaction of the writer; of one call of the reader. */
  | { kind: 'replies'; replies: Reply[] }
  /** For the log. */
  | { kind: 'warning'; detail: string };

/** What `new Worker` is given. */
export interface WriterCommands {
  file: string;
  /** Of this start, for dated names. */
  now_ms: number;
  migrations: readonly Migration[];
  adopt: Adoption | null;
  /**
   * `new`: it may be missing, and is set aside when it is broken; `adopted`: it has to hold users and vehicles, else it
   * is left as it is; `lost`: what is left of it is set aside.
   */
  database: 'new' | 'adopted' | 'lost';
  maxPages: number | null;
  maxLogBytes: number;
}

export interface ReaderOrders {
  file: string;
}

export interface WriterReady {
  epoch: string;
  /** Names of the files that held a broken database and were set aside; empty when it was whole. */
  quarantinedAs: string[];
  /** The copy that was made before the database was migrated. */
  copy: string | null;
}
