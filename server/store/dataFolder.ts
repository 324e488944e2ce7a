import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCode, diskFiles, type Files } from './documents/Files.ts';
import { writeFileAtomically } from './documents/writeFileAtomically.ts';
import { DataFolderError } from './storeErrors.ts';
import { LockHeld, acquireLock, type Lock } from './lock.ts';

export interface DataFolder {
  /** Absolute. */
  path: string;
  lock: Lock;
  /** Of its layout, see `FOLDER_SCHEMA`. */
  schema: number;
  /** Gives it the newest layout, which older versions of the program refuse. */
  raise(files?: Files): Promise<void>;
  /** What was found amiss and did not stand in the way, a line each, for the log. */
  warnings: readonly string[];
  /** Lets another host have the folder; more than once does no harm. */
  close(): void;
  /** The same, of a folder that turned out to be of no use: what was made in it is gone. */
  discard(): void;
}

/** Of the pictures that people attached to incidents, each named by its id. */
export const SNAPSHOTS = 'snapshots';

/** What a host keeps in its folder, beside dated files that were set aside. */
const ownFiles = [
  ...['format.json', 'lock.db', 'telemetry.db', 'telemetry.db-wal', 'telemetry.db-shm', 'jwt.key'],
  ...['settings.json', 'channels.json', 'maps.json', 'secrets.json', 'recoveries.json', 'depot-copy.json'],
  ...['users.json', 'groups.json', 'vehicles.json', 'geofences.json', 'rules.json', 'profiles.json'],
  ...['tls-self.pem', 'tls-self.crt'],
];
const ownFolders = ['video', 'maps', 'reports', SNAPSHOTS];

/** What a backup copies as it is: documents, keys, certificates. The rest is the database, what it makes, snapshots and clips. */
export const copiedFiles: readonly string[] = ownFiles.filter((name) => !/^(lock|telemetry)\.db/.test(name));

/** Holds what a restore is about to put in place; a folder with it is neither as it was nor restored. */
export const RESTORING = '.restoring';

/** Whether a host keeps files of its own under this name. */
export const isOwnFolder = (name: string): boolean => ownFolders.includes(name);

/** Whether something in the folder is of a host, or was set aside by one (`users.json.bak`, `telemetry.db.broken-…`). */
export const isOwnEntry = (name: string): boolean =>
  [...ownFiles, ...ownFolders].some((own) => name === own || name.startsWith(`${own}.`));

/**
 * Rises when the folder's layout changes so that an older version must not touch it. 1: users, vehicles and so on lie in
 * documents, or the folder is new; 2: they are in the database.
 */
const FOLDER_SCHEMA = 2;
const OWNER_ONLY = 0o700;

/**
 * `private`: the folder was empty when it was taken, so its rights are ours to keep tight. Only `schema` may be
 * relied on: a newer version may have changed all else.
 */
const folderFormat = z.object({ schema: z.int().positive(), private: z.boolean().catch(false) });
type FolderFormat = z.infer<typeof folderFormat>;

/**
 * Makes the folder if need be, proves that it can be written, and takes it for this host alone.
 *
 * @throws {DataFolderError}
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  const warnings: string[] = [];
  const lock = await refused(path, async () => {
    const made = await mkdir(path, { recursive: true, mode: OWNER_ONLY });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (made === undefined) {
      // Before anything is made in it.
      if (existsSync(join(path, RESTORING))) {
        throw new DataFolderError(
          'unreadable',
          `A restore into the data folder ${path} was not finished: run fleetdeck restore with --replace again.`,
        );
      }
      await checkEntries(path);
      await readFormat(path);
    }
    return acquireLock(join(path, 'lock.db'));
  });
  let format: FolderFormat;
  try {
    format = await refused(path, async () => {
      await proveWritable(path);
      const format = (await readFormat(path)) ?? (await firstFormat(path));
      if (process.platform !== 'win32') await tighten(path, format, warnings);
      return format;
    });
  } catch (error) {
    lock.discard();
    throw error;
  }
  return {
    path,
    lock,
    schema: format.schema,
    raise: (files = diskFiles) => writeFormat(path, { ...format, schema: FOLDER_SCHEMA }, files),
    warnings,
    close: () => lock.release(),
    discard: () => lock.discard(),
  };
}

async function refused<T>(path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    if (error instanceof LockHeld) {
      throw new DataFolderError('locked', `The data folder ${path} is in use by another host.`, error);
    }
    throw unusableFolder(path, error);
  }
}

/** Why a folder cannot be used, of an error of the system. */
export function unusableFolder(path: string, error: unknown): DataFolderError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DataFolderError(
    'not_writable',
    `The data folder ${path} cannot be written: ${reason}. Let this user read and write all that lies in it, or name another folder with --data.`,
    error,
  );
}

/** Throws for what has the name of something of ours, and is of another kind or out of reach. */
async function checkEntries(path: string): Promise<void> {
  for (const name of [...ownFiles, ...ownFolders]) {
    const found = await stat(join(path, name)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found === null) continue;
    const isFolder = ownFolders.includes(name);
    if (isFolder ? !found.isDirectory() : !found.isFile()) {
      throw new DataFolderError(
        'unreadable',
        `The data folder ${path} cannot be used: ${name} in it is no ${isFolder ? 'folder' : 'file'}. Nothing was changed: move it away, or restore a backup of the folder.`,
      );
    }
    const rights = constants.R_OK | constants.W_OK;
    await access(join(path, name), isFolder ? rights | constants.X_OK : rights);
  }
}

async function proveWritable(path: string): Promise<void> {
  const probe = join(path, '.write-probe');
  await rm(probe, { force: true });
  const file = await diskFiles.create(probe);
  try {
    await file.write('probe');
    await file.sync();
  } finally {
    await file.close();
    await rm(probe, { force: true });
  }
}

/** Null when the folder has none. */
async function readFormat(path: string): Promise<FolderFormat | null> {
  const file = join(path, 'format.json');
  try {
    const format = folderFormat.parse(JSON.parse((await diskFiles.read(file)).toString('utf8')));
    if (format.schema <= FOLDER_SCHEMA) return format;
    throw new DataFolderError(
      'newer_version',
      `The data folder ${path} was written by a newer version (format ${format.schema}, this version knows ${FOLDER_SCHEMA}).`,
    );
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new DataFolderError(
      'unreadable',
      `${file} cannot be read, so the version that wrote the data folder is unknown; nothing was changed. Restore the file from a backup, or write {"schema":${FOLDER_SCHEMA}} into it if this version wrote the folder.`,
      error,
    );
  }
}

/** A folder that holds something gets its format file when that has been taken in (see `raise`). */
async function firstFormat(path: string): Promise<FolderFormat> {
  const isEmpty = (await readdir(path)).every((name) => name === 'lock.db');
  const format: FolderFormat = { schema: 1, private: isEmpty };
  if (isEmpty) await writeFormat(path, format, diskFiles);
  return format;
}

async function writeFormat(path: string, format: FolderFormat, files: Files): Promise<void> {
  await writeFileAtomically(files, join(path, 'format.json'), JSON.stringify(format), { backUp: false });
}

/** A folder that also holds other people's things (`--data /tmp`) is not ours to close. */
async function tighten(path: string, format: FolderFormat, warnings: string[]): Promise<void> {
  if (((await stat(path)).mode & 0o077) === 0) return;
  if (!format.private) {
    warnings.push(`${path} held other files before and stays open to other users of this machine`);
    return;
  }
  try {
    await chmod(path, OWNER_ONLY);
    warnings.push(`${path} was open to other users of this machine and is no longer`);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
    warnings.push(`${path} is open to other users of this machine and belongs to somebody else`);
  }
}
