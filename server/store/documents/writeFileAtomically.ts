import { dirname } from 'node:path';
import { DiskFull } from '../storeErrors.ts';
import { errorCode, type Files } from './Files.ts';

/**
 * The new text lies in the file although its writing failed (`cause` says how), and could not be taken back.
 * Whoever writes the file must write again, before anybody reads it.
 */
export class LeftAhead extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} holds what could not be stored safely`, { cause: asDiskFull(path, cause) });
    this.name = 'LeftAhead';
  }
}

/**
 * Puts `content` in the place of the file at `path` so that a crash at any moment leaves a whole file there, or a
 * whole `.bak` beside it. With `backUp` the file that is replaced becomes the `.bak`; say false when that file
 * is known to be broken. When it resolves, content and name have reached the disk; when it rejects, the file is
 * as before.
 *
 * @throws {DiskFull}, {LeftAhead}, or the system's error
 */
export async function writeFileAtomically(
  files: Files,
  path: string,
  content: string | Uint8Array,
  { backUp }: { backUp: boolean },
): Promise<void> {
  const temporary = `${path}.tmp`;
  let backedUp = false;
  try {
    await files.remove(temporary);
    await writeSynced(files, temporary, content);
    if (backUp) backedUp = await keepBackup(files, path);
    await files.rename(temporary, path);
  } catch (error) {
    await removeIfPossible(files, temporary);
    throw asDiskFull(path, error);
  }
  try {
    await files.syncFolder(dirname(path));
  } catch (error) {
    // The new text is in place, but the caller gets an error.
    if (!backedUp) throw new LeftAhead(path, error);
    await takeBack(files, path, error);
    throw asDiskFull(path, error);
  }
}

/** A second name, or a copy where the file system has no links. `EEXIST` when the name is taken. */
export async function keepCopy(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to);
  } catch (error) {
    if (['ENOENT', 'EEXIST', 'ENOSPC'].includes(errorCode(error) ?? '')) throw error;
    await files.copy(from, to);
  }
}

async function writeSynced(files: Files, path: string, content: string | Uint8Array): Promise<void> {
  const file = await files.create(path);
  try {
    await file.write(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** False when there is no file to back up. */
async function keepBackup(files: Files, path: string): Promise<boolean> {
  const spare = `${path}.bak.tmp`;
  await files.remove(spare);
  try {
    await keepCopy(files, path, spare);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  await files.rename(spare, `${path}.bak`);
  // POSIX: renaming one name of a file to another name of the same file leaves both.
  await files.remove(spare);
  return true;
}

async function takeBack(files: Files, path: string, reason: unknown): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await keepCopy(files, `${path}.bak`, temporary);
    await files.rename(temporary, path);
    await files.remove(temporary);
    await files.syncFolder(dirname(path));
  } catch {
    // The first failure is the one to report.
    throw new LeftAhead(path, reason);
  }
}

/** A leftover does no harm (the next write removes it first), so the original error is reported. */
async function removeIfPossible(files: Files, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch {
    return;
  }
}

/** `error`, or a DiskFull in its place when the disk, or this user's share of it, is full. */
function asDiskFull(path: string, error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
  return full ? new DiskFull(`no space left to write ${path}`, { cause: error }) : error;
}
