import { open, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClipFiles } from '../../../../renderer/video/store/clipStorage.ts';
import { sha256OfBlob } from '../../../../renderer/video/store/sha256OfBlob.ts';

/** Texts that are being replaced, by any tab. */
const beingReplaced = new Set<string>();

/** Clips in a real folder. As in a browser, a text cannot be read while it is being replaced. */
export function createFolderFiles(folder: string): ClipFiles {
  const path = (name: string) => join(folder, name);
  const blob = async (name: string) => {
    const bytes = await readFile(path(name)).catch(() => null);
    return bytes === null ? null : new Blob([bytes]);
  };
  return {
    names: () => readdir(folder),
    async append(name, keepBytes) {
      const file = await open(path(name), 'a');
      await truncate(path(name), Math.min(keepBytes, (await file.stat()).size));
      return {
        write: async (bytes) => {
          // As in the browser, where they go to a worker: what is handed over is gone here.
          await file.appendFile(structuredClone(bytes, { transfer: [bytes.buffer] }));
        },
        close: () => file.close(),
      };
    },
    sha256: async (name) => sha256OfBlob((await blob(name)) ?? new Blob()),
    blob,
    text(name) {
      if (beingReplaced.has(path(name)))
        return Promise.reject(new DOMException('the file has changed', 'NotReadableError'));
      return readFile(path(name), 'utf8').catch(() => null);
    },
    async replaceText(name, text) {
      beingReplaced.add(path(name));
      try {
        await writeFile(path(`${name}.next`), text);
        await rename(path(`${name}.next`), path(name));
      } finally {
        beingReplaced.delete(path(name));
      }
    },
    remove: (name) => rm(path(name), { force: true }),
  };
}
