import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { causeOf, type CauseCode } from '../contract/causeTexts.ts';
import { ApiError } from '../http/apiError.ts';
import { errorCode } from '../store/documents/Files.ts';

/**
 * The path of a folder on this machine without symbolic links.
 *
 * @param data the data folder
 * @throws {ApiError} `unavailable` for one that is not there, cannot be written, or lies in the data folder; the
 * system's errors
 */
export async function writableFolder(path: string, data: string): Promise<string> {
  const unusable = (code: CauseCode & `folder.${'in_data' | 'missing' | 'not_absolute' | 'not_a_folder'}`) =>
    new ApiError('unavailable', causeOf(code, { folder: path }));
  if (!isAbsolute(path)) throw unusable('folder.not_absolute');
  let found: string;
  try {
    found = await realpath(path);
    if (!(await stat(found)).isDirectory()) throw unusable('folder.not_a_folder');
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw unusable('folder.missing');
  }
  if (isWithin(found, await realpath(data))) throw unusable('folder.in_data');
  return found;
}

/** Whether a folder is another one or lies in it; both absolute. */
function isWithin(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path === '' || !(isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`));
}
