import { DataFolderError } from '../store/storeErrors.ts';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { ApiError } from '../http/apiError.ts';
import {
  copiedFiles,
  isOwnEntry,
  isOwnFolder,
  RESTORING,
  SNAPSHOTS,
  unusableFolder,
} from '../store/dataFolder.ts';
import { diskFiles } from '../store/documents/Files.ts';
import { acquireLock, LockHeld } from '../store/lock.ts';
import { datedName } from '../store/telemetry/datedName.ts';
import { migrations } from '../store/telemetry/schema.ts';
import { diskSpace } from '../video/videoFiles.ts';
import {
  CLIPS,
  copyHashed,
  DATABASE,
  readManifest,
  readSums,
  unusable,
  type Manifest,
  type Sums,
} from './manifest.ts';
import { SPARE_BYTES } from './backUp.ts';

export interface Restored {
  manifest: Manifest;
  /** Where the files lie that were in the folder before; null when there were none. */
  aside: string | null;
}

/** Written beside what is about to be put in place, which it turns from a copy into a restore that has begun. */
const STAGING = `${RESTORING}.copy`;
const LOCK = 'lock.db';
/** Of files beside the documents and the database. */
const FOLDERS = [CLIPS, SNAPSHOTS];
/** Of hosts, restores and file systems; a folder that holds nothing else is empty. */
const emptyFolderHas = [LOCK, 'control', 'lost+found', STAGING];

/**
 * Puts a backup in place as the data folder of a host that does not run. All is copied and its hashes are compared before
 * anything in the folder is changed; what was in it is kept in a folder `replaced-…` beside.
 *
 * @param asked.keepsFolders true: folders that are no part of the backup stay in their places: maps, and videos where it
 *   has no clips
 * @throws {DataFolderError} `locked` while a host runs on it; {ApiError} for a backup that is not whole, or a folder that
 *   is not empty and not to be replaced
 */
export async function restoreBackup(
  asked: { data: string; from: string; replace: boolean; keepsFolders?: boolean },
  onProgress: (fraction: number) => void = () => undefined,
  readSpace = diskSpace,
): Promise<Restored> {
  const data = resolve(asked.data);
  const from = resolve(asked.from);
  const manifest = await readManifest(from);
  if (manifest.database.version > migrations.length)
    throw unusable(
      `${from} was made by a newer version (database version ${manifest.database.version}, this version knows ${migrations.length}).`,
    );
  const sums = await readSums(from, manifest, isKnown);
  if (!sums.has(DATABASE) || !sums.has('format.json') || !sums.has('jwt.key'))
    throw unusable(`${from} is not whole: it lacks ${DATABASE}, format.json or jwt.key.`);
  const made = await mkdir(data, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unusableFolder(data, error);
  });
  const lock = takeLock(data);
  try {
    const present = made === undefined ? await readdir(data) : [];
    const isEmpty = present.every((name) => emptyFolderHas.includes(name));
    if (!isEmpty && !asked.replace)
      throw new ApiError(
        'already_exists',
        `The data folder ${data} is not empty. With --replace its files are set aside in it, and the backup takes their place.`,
      );
    await checkSpace(data, manifest, readSpace);
    await stage(data, from, sums, manifest, onProgress);
    return { manifest, aside: await putInPlace(data, asked.keepsFolders === true) };
  } catch (error) {
    await rm(join(data, STAGING), { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    lock.release();
  }
}

function isKnown(path: string): boolean {
  if (path === DATABASE || copiedFiles.includes(path)) return true;
  // A plain name: no way out of the folder.
  return FOLDERS.includes(dirname(path)) && /^[\w.-]+\.(mp4|jpg)$/.test(basename(path));
}

function takeLock(data: string) {
  try {
    return acquireLock(join(data, LOCK));
  } catch (error) {
    if (error instanceof LockHeld)
      throw new DataFolderError('locked', `A host runs on the data folder ${data}: stop it first.`, error);
    throw unusableFolder(data, error);
  }
}

async function checkSpace(data: string, { bytes }: Manifest, readSpace: typeof diskSpace): Promise<void> {
  const needed = bytes + SPARE_BYTES;
  const { free } = await readSpace(data);
  if (free >= needed) return;
  const [needs, has] = [needed, free].map((it) => Math.ceil(it / 1e6));
  throw new ApiError('disk_full', `The backup needs ${needs} MB in ${data}, and ${has} MB are free.`);
}

/** Copies all into the folder under a name that hosts do not look at. */
async function stage(
  data: string,
  from: string,
  sums: Sums,
  manifest: Manifest,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const staging = join(data, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  const folders = FOLDERS.filter((it) => [...sums.keys()].some((path) => dirname(path) === it));
  for (const folder of folders) await mkdir(join(staging, folder), { mode: 0o700 });
  let done = 0;
  const onBytes = (bytes: number) => onProgress(Math.min(1, (done += bytes) / Math.max(1, manifest.bytes)));
  for (const [path, expected] of sums) {
    const { sha256 } = await copyHashed(join(from, path), join(staging, path), onBytes).catch(
      (error: unknown) => {
        throw unusable(
          `${path} of ${from} cannot be read: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`,
        );
      },
    );
    if (sha256 !== expected)
      throw unusable(
        `${path} of ${from} is damaged: its SHA-256 is not that of the backup. Nothing was changed.`,
      );
  }
  for (const folder of folders) await diskFiles.syncFolder(join(staging, folder));
  await diskFiles.syncFolder(staging);
}

/**
 * Exchanges the files. From its first step to its last the folder holds `.restoring`, with which no host starts; a restore
 * that was killed in between is run again.
 */
async function putInPlace(data: string, keepsFolders: boolean): Promise<string | null> {
  const restoring = join(data, RESTORING);
  const restored = await readdir(join(data, STAGING));
  const stays = (name: string) => keepsFolders && isOwnFolder(name) && !restored.includes(name);
  const before = (await readdir(data)).filter((name) => name !== LOCK && isOwnEntry(name) && !stays(name));
  const killed = existsSync(restoring) ? datedName(join(data, 'replaced'), systemClock.now()) : null;
  // What a killed restore was about to put in place.
  if (killed !== null) await rename(restoring, killed);
  await rename(join(data, STAGING), restoring);
  await diskFiles.syncFolder(data);
  let aside: string | null = null;
  if (before.length > 0) {
    aside = datedName(join(data, 'replaced'), systemClock.now());
    await mkdir(aside, { mode: 0o700 });
    for (const name of before) await diskFiles.rename(join(data, name), join(aside, name));
  }
  for (const name of await readdir(restoring))
    await diskFiles.rename(join(restoring, name), join(data, name));
  await diskFiles.syncFolder(data);
  await rmdir(restoring);
  await diskFiles.syncFolder(data);
  return aside;
}
