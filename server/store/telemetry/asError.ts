import { DataFolderError } from '../dataFolder.ts';
import { DiskFull, StoreFailed, StoreLost } from '../storeErrors.ts';
import type { Failure } from './messages.ts';

/** What a worker has failed with, as the store's callers know it. */
export function asError({ code, detail }: Failure): DiskFull | StoreFailed | DataFolderError {
  const cause = new Error(detail);
  switch (code) {
    case 'disk_full':
      return new DiskFull('The disk that holds the data folder is full.', { cause });
    case 'failed':
      return new StoreFailed(`The telemetry store failed: ${detail}`, { cause });
    case 'lost':
      return new StoreLost(`The telemetry store is lost: ${detail}`, { cause });
    case 'newer_version':
      return new DataFolderError('newer_version', detail, cause);
  }
}
