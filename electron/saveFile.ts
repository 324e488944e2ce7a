import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What Windows refuses in a name, besides the separators of every system and what cannot be seen. */
const NOT_IN_NAMES = /[<>:"/\\|?*\p{Cc}\p{Cf}]/gu;
const LONGEST_NAME = 150;

/**
 * Saves what the page hands over where the operator says.
 *
 * @param askWhere shows the dialog; null when the operator changes their mind
 * @returns writes whole or not at all, and says where; false when nothing was to be written; rejects with what the disk says
 */
export function createSaveFile(deps: {
  downloads: string;
  askWhere: (proposal: string) => Promise<string | null>;
}): (name: string, content: ArrayBuffer) => Promise<string | false> {
  return async (name, content) => {
    const path = await deps.askWhere(join(deps.downloads, plainName(name)));
    if (path === null) return false;
    const draft = `${path}.part`;
    try {
      await writeFile(draft, new Uint8Array(content));
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return path;
  };
}

/** A name of a file in one folder, whatever the page made of it. */
export function plainName(name: string): string {
  const plain = basename(name.replace(NOT_IN_NAMES, '_').slice(0, LONGEST_NAME)).replace(
    /^[. ]+|[. ]+$/g,
    '',
  );
  return plain === '' ? 'fleetdeck' : plain;
}
