import type { WriterAnswer, WriterCall, WriterTask } from './clipWriter.worker.ts';

/**
 * A small file system for the clips of one user of one depot. Names are flat. What has no room throws StoreFull.
 */
export interface ClipFiles {
  names(): Promise<string[]>;
  /** Opens a file to go on behind its first `keepBytes` bytes; what lies beyond them is cut off. Made when missing. */
  append(name: string, keepBytes: number): Promise<ClipWriter>;
  /** The SHA-256 of what the file holds, in hex; read piece by piece. */
  sha256(name: string): Promise<string>;
  /** The file as it is now, without reading it; null when there is none. */
  blob(name: string): Promise<Blob | null>;
  /** null when there is no such file. Not to be read while it is replaced: browsers then say that, or fail. */
  text(name: string): Promise<string | null>;
  /** After a crash the file holds either the old text or the new one. */
  replaceText(name: string, text: string): Promise<void>;
  /** Nothing happens when there is no such file. */
  remove(name: string): Promise<void>;
}

export interface ClipWriter {
  /**
   * Written in order; what is written survives a tab that is closed before `close`. The bytes are handed over: the
   * caller's array is empty afterwards.
   */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** No room for the clip: the limit is taken up by pinned and playing clips, or the browser gives no more. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** The browser's own word for a full store, as ours. */
function asStoreFull(error: unknown): unknown {
  const isFull = error instanceof Error && error.name === 'QuotaExceededError';
  return isFull ? new StoreFull('the browser gives this page no more room', { cause: error }) : error;
}

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
    // Its code comes with the first clip, which comes from the same server.
    sha256: async (name) => (await import('./sha256OfBlob.ts')).sha256OfBlob(files.get(name) ?? new Blob()),
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

/**
 * Files in the browser's private file system (OPFS), in a folder by its path. Clips are written by a worker: only there
 * can a file be written in place, so that what has come survives a tab that is closed.
 * Throws what the browser throws where it denies the file system.
 */
async function openBrowserFiles(path: readonly string[]): Promise<ClipFiles> {
  let folder = await navigator.storage.getDirectory();
  for (const name of path) folder = await folder.getDirectoryHandle(name, { create: true });
  const call = startWriter(path);

  const fileOf = async (name: string): Promise<File | null> => {
    try {
      return await (await folder.getFileHandle(name)).getFile();
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  };

  return {
    async names() {
      const names: string[] = [];
      for await (const name of folder.keys()) names.push(name);
      return names;
    },
    async append(name, keepBytes) {
      await call({ op: 'open', name, keepBytes });
      return {
        write: (bytes) => call({ op: 'write', name, bytes }, [bytes.buffer]).then(() => undefined),
        close: () => call({ op: 'close', name }).then(() => undefined),
      };
    },
    sha256: (name) => call({ op: 'sha256', name }),
    blob: fileOf,
    text: async (name) => (await fileOf(name))?.text() ?? null,
    async replaceText(name, text) {
      const handle = await folder.getFileHandle(name, { create: true });
      // Written beside, and put in its place by `close`.
      const writable = await handle.createWritable();
      await writable.write(text).catch((error: unknown) => {
        throw asStoreFull(error);
      });
      await writable.close();
    },
    async remove(name) {
      await folder.removeEntry(name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

/** One worker for all files; calls are answered in the order that they were made. */
function startWriter(path: readonly string[]) {
  const worker = new Worker(new URL('./clipWriter.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (value: string) => void; reject: (error: unknown) => void }>();
  let last = 0;
  worker.onmessage = ({ data }: MessageEvent<WriterAnswer>) => {
    const waiter = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) waiter?.reject(asStoreFull(data.error));
    else waiter?.resolve(data.value);
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message));
    waiting.clear();
  };
  return (task: WriterTask, transfer: Transferable[] = []): Promise<string> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ id: last, path, task } satisfies WriterCall, transfer);
    });
}

const isNotFound = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotFoundError';

/** Lets one at a time do something that has a name; others wait. */
export interface Locks {
  /** Rejects with the signal's reason when it fires while waiting; what has begun runs to its end. */
  hold<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Over all tabs of this browser. A tab that is closed lets go of what it held. */
function createTabLocks(manager: LockManager, prefix: string): Locks {
  return {
    hold: (name, run, signal) =>
      manager.request(`${prefix}/${name}`, signal === undefined ? {} : { signal }, () => run()),
  };
}

/** Within this page alone. */
export function createPageLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(name, run, signal) {
      const before = last.get(name) ?? Promise.resolve();
      const current = before.then(() => {
        signal?.throwIfAborted();
        return run();
      });
      const settled = current.catch(() => undefined);
      last.set(name, settled);
      try {
        return await current;
      } finally {
        if (last.get(name) === settled) last.delete(name);
      }
    },
  };
}
