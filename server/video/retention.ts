/** A file in the video folder that done tasks have. */
export interface KeptFile {
  file_name: string;
  size_bytes: number;
  /** When the last of its tasks was done. */
  done_ms: number;
  /** One of its tasks is important. */
  important: boolean;
}

/**
 * The files to give up so that at least `bytes` become free: oldest first, never an important one. All others together
 * may be fewer bytes than that.
 */
export function filesToEvict(files: readonly KeptFile[], bytes: number): string[] {
  const names: string[] = [];
  let freed = 0;
  for (const file of files.filter((it) => !it.important).toSorted((a, b) => a.done_ms - b.done_ms)) {
    if (freed >= bytes) break;
    names.push(file.file_name);
    freed += file.size_bytes;
  }
  return names;
}
