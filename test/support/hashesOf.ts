import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** All files and folders below a folder, each with its rights, its time of change and the SHA-256 of what it holds. */
export async function hashesOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const entries = names.map(async (name): Promise<[string, string]> => {
    const { mode, mtimeMs, isFolder } = await stat(join(folder, name)).then((it) => ({
      mode: it.mode.toString(8),
      mtimeMs: it.mtimeMs,
      isFolder: it.isDirectory(),
    }));
    // The folder itself is touched by a file that comes and goes.
    if (isFolder) return [name, mode];
    const sum = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    return [name, `${mode} ${mtimeMs} ${sum}`];
  });
  return Object.fromEntries(await Promise.all(entries));
}
