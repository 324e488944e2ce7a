import { asStoreFull, type ClipFiles } from './clipFiles.ts';
import type { WriterAnswer, WriterCall, WriterTask } from './clipWriter.worker.ts';

/**
 * Files in the browser's private file system (OPFS), in a folder by its path. Clips are written by a worker: only there
 * can a file be written in place, so that what has come survives a tab that is closed.
 * Throws what the browser throws where it denies the file system.
 */
export async function openBrowserFiles(path: readonly string[]): Promise<ClipFiles> {
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
