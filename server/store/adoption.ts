import { DataFolderError } from './storeErrors.ts';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { type DataFolder } from './dataFolder.ts';
import { DocumentFile, type Clock, type StoreLog } from './documents/DocumentFile.ts';
import { errorCode, diskFiles, type Files } from './documents/Files.ts';
import type { Recovery, RecoveryLog } from './documents/DocumentFile.ts';
import type { Store } from './operations.ts';
import type { Adoption } from './telemetry/adopt.ts';
import type { EntityWrite } from './telemetry/entityTables.ts';

/** Documents whose records the database holds since folders have schema 2. */
export const adoptedDocuments = ['users', 'groups', 'vehicles', 'geofences', 'rules', 'profiles'] as const;

/** Rows, versions, indexes and the log of one transaction for each byte of a document; the schema itself. */
const SPACE_PER_BYTE = 4;
const SPACE_AT_LEAST = 128 * 1024 * 1024;

const nothing = () => Promise.resolve();
const lookOnly: Files = {
  ...diskFiles,
  link: nothing,
  copy: nothing,
  syncFolder: nothing,
  tighten: () => Promise.resolve(false),
};

/**
 * Reads a document, or its backup where that is broken, and touches neither. `data` is null where there is no such
 * document; `recovery` where it was read from its own file, or there is none.
 *
 * @throws {DataFolderError} `newer_version`; the system's errors
 */
export async function lookAtDocument<T extends object>(
  { folder, name, schema }: { folder: string; name: string; schema: z.ZodType<T> },
  { clock, log }: { clock: Clock; log: StoreLog },
): Promise<{ data: T | null; recovery: Recovery | null }> {
  let recovery: Recovery | null = null;
  const file = new DocumentFile<T>({
    folder,
    name,
    schema,
    version: 1,
    migrations: [],
    report(found) {
      recovery = found;
      return Promise.resolve();
    },
    log: {
      info: () => undefined,
      warn: (what) =>
        log.warn({ ...what, quarantinedAs: [] }, 'document could not be read from its own file'),
    },
    clock,
    files: lookOnly,
  });
  return { data: await file.read(), recovery };
}

export interface AdoptionOptions {
  folder: string;
  entities: readonly EntityWrite[];
  recoveries: readonly Recovery[];
  clock: Clock;
  /** Bytes that are free where the folder is. */
  readSpace?: (folder: string) => Promise<number>;
}

/**
 * Checks all that can be checked before anything is written.
 *
 * @throws {DataFolderError} `unreadable` for two records with one key; `not_writable` where the disk has no room
 */
export async function prepareAdoption(options: AdoptionOptions): Promise<Adoption> {
  const { folder, entities, recoveries, clock, readSpace = freeBytes } = options;
  checkKeys(folder, entities);
  const present = await readdir(folder);
  const files = adoptedDocuments
    .flatMap((name) => [`${name}.json`, `${name}.json.bak`])
    .filter((name) => present.includes(name));
  await checkSpace(folder, files, readSpace);

  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let ending = `.adopted-${stamp}`;
  for (let count = 2; present.some((name) => name.endsWith(ending)); count++)
    ending = `.adopted-${stamp}-${count}`;
  return {
    entities,
    files,
    ending,
    // Broken ones are set aside with the others.
    recoveries: recoveries.map((it) => ({
      ...it,
      quarantinedAs: files.filter((name) => name === `${it.document}.json`).map((name) => name + ending),
    })),
  };
}

function checkKeys(folder: string, entities: readonly EntityWrite[]): void {
  const keys = entities.flatMap(({ kind, id, after }) =>
    Object.entries({ id, ...after?.keys }).flatMap(([column, value]) =>
      typeof value === 'string' ? `${kind} with the ${column} ${value}` : [],
    ),
  );
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.has(key) || !seen.add(key));
  if (twice === undefined) return;
  throw new DataFolderError('unreadable', `The documents in ${folder} hold more than one ${twice}.`);
}

async function checkSpace(
  folder: string,
  files: readonly string[],
  readSpace: (folder: string) => Promise<number>,
): Promise<void> {
  if (files.length === 0) return;
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  const needed = SPACE_AT_LEAST + SPACE_PER_BYTE * sizes.reduce((sum, bytes) => sum + bytes, 0);
  const free = await readSpace(folder);
  if (free >= needed) return;
  throw new DataFolderError(
    'not_writable',
    `The data folder ${folder} needs ${megabytes(needed)} MB of free space to be brought to this version, and has ${megabytes(free)} MB.`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Puts the documents out of the way once the database holds their records. Whatever ends it, it is done again at the next
 * start, with the same result.
 */
export async function finishAdoption(
  folder: Pick<DataFolder, 'path' | 'schema' | 'raise'>,
  store: Pick<Store, 'pendingAdoption' | 'endAdoption'>,
  recoveries: Pick<RecoveryLog, 'pending' | 'report'>,
  files: Files = diskFiles,
): Promise<void> {
  const pending = await store.pendingAdoption();
  if (pending === null) throw new Error('the database holds no users and vehicles');
  // First: 0.1.0 would begin with new documents where it finds none.
  if (folder.schema < 2) await folder.raise(files);
  if (pending === 'done') return;
  for (const recovery of pending.recoveries) {
    const isKnown = recoveries
      .pending()
      .some(({ document, at }) => document === recovery.document && at === recovery.at);
    if (!isKnown) await recoveries.report(recovery);
  }
  for (const name of pending.files) {
    const path = join(folder.path, name);
    await files.rename(path, path + pending.ending).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  }
  await files.syncFolder(folder.path);
  await store.endAdoption();
}
