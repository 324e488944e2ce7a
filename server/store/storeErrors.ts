import type { Cause } from '../contract/causes.ts';

/** The disk that holds the data folder is full; nothing of the write was stored. */
export class DiskFull extends Error {
  override name = 'DiskFull';
}

/** A write or read of the store failed for another reason than a full disk; nothing of it was stored. */
export class StoreFailed extends Error {
  override name = 'StoreFailed';
}

/** The database of a folder that has one is missing or broken; nothing was touched. */
export class StoreLost extends StoreFailed {}

/**
 * An act that the database did not take, though it could have been stored. `stale`: what it stood on was changed again
 * and again meanwhile; `key_used`: its idempotency key has a response already.
 */
export class ActRefused extends Error {
  override name = 'ActRefused';
  readonly reason: 'stale' | 'taken' | 'in_use' | 'key_used' | 'conflict' | 'quota' | 'gone';

  /** Of which the message consists; undefined where that has no codes. */
  readonly causes: Cause[] | undefined;

  constructor(reason: ActRefused['reason'], sentence: string, causes?: Cause[]) {
    super(sentence);
    this.reason = reason;
    this.causes = causes;
  }
}

/**
 * Why a data folder cannot be used. The message is one line, meant for whoever started the host:
 * `not_writable`: it cannot be made, read or written; `locked`: another host holds it;
 * `newer_version`: it, or a document in it, was written by a newer version of the program; `unreadable`: what it
 * cannot do without is broken or missing.
 */
export class DataFolderError extends Error {
  readonly code: 'not_writable' | 'locked' | 'newer_version' | 'unreadable';

  constructor(code: DataFolderError['code'], message: string, cause?: unknown) {
    const advice =
      code === 'newer_version'
        ? ' Nothing was changed: start that version, or restore a backup of the folder from before it.'
        : '';
    super(message.replaceAll(/\s*\n\s*/g, ' ') + advice, { cause });
    this.name = 'DataFolderError';
    this.code = code;
  }
}
