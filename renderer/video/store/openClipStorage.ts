import type { ClipFiles } from './clipFiles.ts';
import { createPageLocks, createTabLocks, type Locks } from './locks.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { openBrowserFiles } from './browserFiles.ts';

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
