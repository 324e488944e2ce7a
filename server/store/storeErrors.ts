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

  constructor(reason: ActRefused['reason'], sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
