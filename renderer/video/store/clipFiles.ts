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
export function asStoreFull(error: unknown): unknown {
  const isFull = error instanceof Error && error.name === 'QuotaExceededError';
  return isFull ? new StoreFull('the browser gives this page no more room', { cause: error }) : error;
}
