import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { StoreLog } from './documents/DocumentFile.ts';
import { errorCode, diskFiles, type Files } from './documents/Files.ts';
import { writeFileAtomically } from './documents/writeFileAtomically.ts';
import type { Store } from './operations.ts';

/** In the data folder: all that people administer, as JSON, for a start whose database cannot be read. */
export const depotCopyName = 'depot-copy.json';

/** What was changed within this time before the database broke may be lost. */
const COPY_AFTER_MS = 60 * 60 * 1_000;

export interface DepotCopyOptions {
  folder: string;
  store: Pick<Store, 'depotCopy'>;
  clock: Pick<Clock, 'after'>;
  log: StoreLog;
  files?: Files;
}

/**
 * Writes the copy when there is none, an hour after the first change since the last one, and at the end. Whether the last
 * host wrote all of its changes nobody knows: the start counts as a change.
 */
export function createDepotCopy(options: DepotCopyOptions) {
  const { folder, store, clock, log, files = diskFiles } = options;
  const path = join(folder, depotCopyName);
  /** Undo of the next writing; null: nothing has changed. */
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  function onChange(): void {
    if (!isClosed) cancel ??= clock.after(COPY_AFTER_MS, () => void write());
  }

  function write(): Promise<void> {
    cancel?.();
    cancel = null;
    writing = writing.then(replace).catch((error: unknown) => {
      log.warn({ file: path, error }, 'the copy of the depot could not be written');
      onChange();
    });
    return writing;
  }

  async function replace(): Promise<void> {
    const next = await store.depotCopy();
    if ((await present())?.equals(next) === true) return;
    await writeFileAtomically(files, path, next, { backUp: false });
  }

  async function present(): Promise<Buffer | null> {
    try {
      return await files.read(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  if (existsSync(path)) onChange();
  else void write();
  return {
    /** After each commit that the copy is to know of. */
    onChange,
    /** Before the store closes, and after its last change. */
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      if (cancel !== null) void write();
      await writing;
    },
  };
}
