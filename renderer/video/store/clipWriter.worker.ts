import { sha256OfBlob } from './sha256OfBlob.ts';

export type WriterTask =
  | { op: 'open'; name: string; keepBytes: number }
  | { op: 'write'; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { op: 'close'; name: string }
  | { op: 'sha256'; name: string };

export interface WriterCall {
  id: number;
  /** The folder, from the root of the browser's private file system. */
  path: readonly string[];
  task: WriterTask;
}

/** `value` is the sum for `sha256`, else empty. */
export type WriterAnswer = { id: number; value: string } | { id: number; error: unknown };

/** The part that is used of what only workers have (File System Standard, FileSystemSyncAccessHandle). */
interface SyncAccess {
  getSize(): number;
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

interface SyncFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccess>;
}

const open = new Map<string, { access: SyncAccess; size: number }>();
let line: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<WriterCall>) => {
  line = line.then(async () => {
    try {
      answer({ id: data.id, value: await perform(data) });
    } catch (error) {
      answer({ id: data.id, error });
    }
  });
};

function answer(message: WriterAnswer): void {
  self.postMessage(message);
}

async function perform({ path, task }: WriterCall): Promise<string> {
  switch (task.op) {
    case 'open': {
      const handle = await fileAt(path, task.name, true);
      if (!isSyncFileHandle(handle)) throw new TypeError('this browser cannot write files in place');
      const access = await handle.createSyncAccessHandle();
      const size = Math.min(task.keepBytes, access.getSize());
      access.truncate(size);
      open.set(task.name, { access, size });
      return '';
    }
    case 'write': {
      const file = open.get(task.name);
      if (file === undefined) throw new TypeError('the file is not open');
      file.size += file.access.write(task.bytes, { at: file.size });
      return '';
    }
    case 'close': {
      const file = open.get(task.name);
      open.delete(task.name);
      file?.access.flush();
      file?.access.close();
      return '';
    }
    case 'sha256':
      return sha256OfBlob(await (await fileAt(path, task.name, false)).getFile());
  }
}

async function fileAt(path: readonly string[], name: string, create: boolean): Promise<FileSystemFileHandle> {
  let folder = await navigator.storage.getDirectory();
  for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
  return folder.getFileHandle(name, { create });
}

function isSyncFileHandle(handle: FileSystemFileHandle): handle is SyncFileHandle {
  return 'createSyncAccessHandle' in handle;
}
