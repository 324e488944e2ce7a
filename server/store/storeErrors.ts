/** The disk that holds the data folder is full; nothing of the write was stored. */
export class DiskFull extends Error {
  override name = 'DiskFull';
}

/** A write or read of the store failed for another reason than a full disk; nothing of it was stored. */
export class StoreFailed extends Error {
  override name = 'StoreFailed';
}
