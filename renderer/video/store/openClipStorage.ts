import { openBrowserFiles } from './browserFiles.ts';
import type { ClipFiles } from './clipFiles.ts';
import { createPageLocks, createTabLocks, type Locks } from './clipIndex.ts';
import { sha256OfBlob } from './sha256OfBlob.ts';

/** Where clips are kept, and whose they are. */
export interface ClipStorage {
  /**
   * `disk`: over reloads and restarts. The others: as long as the page lives, because the page is `insecure` (not
   * https and not this machine), or the browser is `without` a store of files or has `denied` it.
   */
  kind: 'disk' | 'insecure' | 'without' | 'denied';
  files: ClipFiles;
  locks: Locks;
}

export interface ClipOwner {
  /** The depot's. */
  instanceId: string;
  userId: string;
}

/** The place of one user of one depot in this browser: in its private file system, else in memory. */
export async function openClipStorage(
  { instanceId, userId }: ClipOwner,
  secureContext: boolean,
): Promise<ClipStorage> {
  const inMemory = (kind: ClipStorage['kind']): ClipStorage => ({
    kind,
    files: createMemoryFiles(),
    locks: createPageLocks(),
  });
  if (!secureContext) return inMemory('insecure');
  if (!canKeepFiles()) return inMemory('without');
  try {
    const path = ['video', encodeURIComponent(instanceId), encodeURIComponent(userId)];
    const files = await openBrowserFiles(path);
    // Refused where the browser is unsure; clips then go first when the computer runs out of room.
    await navigator.storage.persist();
    return { kind: 'disk', files, locks: createTabLocks(navigator.locks, path.join('/')) };
  } catch {
    // Private windows and policies deny it with errors of several kinds; the screen says that nothing is kept.
    return inMemory('denied');
  }
}

/** Old browsers lack some of it, whatever the types promise. */
function canKeepFiles(): boolean {
  return (
    typeof Worker === 'function' &&
    'locks' in navigator &&
    'storage' in navigator &&
    'getDirectory' in navigator.storage &&
    'createWritable' in FileSystemFileHandle.prototype
  );
}

/** Clips that live as long as the page: where the browser keeps no files for it. */
function createMemoryFiles(): ClipFiles {
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
