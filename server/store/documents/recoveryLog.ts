import type { Recovery, RecoveryLog } from './DocumentFile.ts';
import { Low } from 'lowdb';
import { z } from 'zod';
import { namedNow } from '../namesOf010.ts';
import { startDocument } from './Document.ts';
import { DocumentFile, type Clock, type StoreLog } from './DocumentFile.ts';
import { settle } from './draft.ts';
import { diskFiles, type Files } from './Files.ts';

const pendingRecoveries = z.strictObject({
  pending: z.array(
    z.preprocess(
      (it) => namedNow('recovery', it),
      z.strictObject({
        document: z.string(),
        quarantinedAs: z.array(z.string()),
        restoredFrom: z.enum(['bak', 'initial']),
        at: z.iso.datetime(),
      }),
    ),
  ),
});

export interface RecoveryLogOptions {
  log: StoreLog;
  clock?: Clock;
  files?: Files;
}

/**
 * Opens the log in `folder`, before any document there. Should its own file be broken, then the recovery of
 * `recoveries` is itself pending: what was pending before may be forgotten, that something was is not.
 */
export async function createRecoveryLog(
  folder: string,
  { log, clock = Date, files = diskFiles }: RecoveryLogOptions,
): Promise<RecoveryLog> {
  const own: Recovery[] = [];
  const file = new DocumentFile({
    folder,
    name: 'recoveries',
    schema: pendingRecoveries,
    version: 1,
    migrations: [],
    // Stored by the very write that puts its own file right.
    report: (recovery) => {
      own.push(recovery);
      return Promise.resolve();
    },
    log,
    clock,
    files,
  });
  const low = new Low(file, settle<z.infer<typeof pendingRecoveries>>({ pending: [] }));
  await low.read();
  low.data = settle({ pending: [...low.data.pending, ...own.map(copyOf)] });
  const document = await startDocument(low, file);
  return {
    pending: () => document.data.pending,
    report: (recovery) =>
      document.update((draft) => {
        draft.pending.push(copyOf(recovery));
      }),
    confirm: (documents) =>
      document.update((draft) => {
        draft.pending = draft.pending.filter((recovery) => !documents.includes(recovery.document));
      }),
    close: () => document.close(),
  };
}

function copyOf(recovery: Recovery): z.infer<typeof pendingRecoveries>['pending'][number] {
  return { ...recovery, quarantinedAs: [...recovery.quarantinedAs] };
}
