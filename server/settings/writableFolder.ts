import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { ApiError } from '../http/apiError.ts';
import { errorCode } from '../store/documents/Files.ts';

/**
 * The path of a folder on this machine without symbolic links.
 *
 * @param name what it is called in messages: `backup folder`
 * @param data the data folder
 * @throws {ApiError} `unavailable` for one that is not there, cannot be written, or lies in the data folder; the
 * system's errors
 */
export async function writableFolder(path: string, name: string, data: string): Promise<string> {
  const unusable = (detail: string) => new ApiError('unavailable', `The ${name} ${path} ${detail}`);
  if (!isAbsolute(path)) throw unusable('is not an absolute path.');
  let found: string;
  try {
    found = await realpath(path);
    if (!(await stat(found)).isDirectory()) throw unusable('is not a folder.');
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw unusable('does not exist, or its disk is not connected.');
  }
  if (isWithin(found, await realpath(data)))
    throw unusable('lies in the data folder: choose one on another disk.');
  return found;
}

/** Whether a folder is another one or lies in it; both absolute. */
function isWithin(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path === '' || !(isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`));
}
