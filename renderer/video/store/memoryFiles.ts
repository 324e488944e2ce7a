import type { ClipFiles } from './clipFiles.ts';
import { sha256OfBlob } from './sha256OfBlob.ts';

/** Clips that live as long as the page: where the browser keeps no files for it. */
export function createMemoryFiles(): ClipFiles {
  const files = new Map<string, Blob>();
  return {
    names: () => Promise.resolve([...files.keys()]),
    append(name, keepBytes) {
      files.set(name, (files.get(name) ?? new Blob()).slice(0, keepBytes));
      return Promise.resolve({
        write(bytes) {
          files.set(name, new Blob([files.get(name) ?? new Blob(), bytes]));
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      });
    },
    sha256: (name) => sha256OfBlob(files.get(name) ?? new Blob()),
    blob: (name) => Promise.resolve(files.get(name) ?? null),
    text: async (name) => (await files.get(name)?.text()) ?? null,
    replaceText(name, text) {
      files.set(name, new Blob([text]));
      return Promise.resolve();
    },
    remove(name) {
      files.delete(name);
      return Promise.resolve();
    },
  };
}
