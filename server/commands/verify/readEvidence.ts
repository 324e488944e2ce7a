import { createHash } from 'node:crypto';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { manifestName, sumsName } from '../../contract/evidence.ts';

/** The archive cannot be read at all; the message is printed on the command line. */
export class UnreadableArchive extends Error {
  override name = 'UnreadableArchive';
}

export interface FoundFile {
  name: string;
  size_bytes: number;
  /** In lower-case hex; null when its bytes cannot be read. */
  sha256: string | null;
}

/** What an archive really holds. */
export interface FoundEvidence {
  /** In the order of the archive; a name can stand there twice. */
  files: FoundFile[];
  /** The text of the manifest and of the checksums; null when there is none, or none that can be one. */
  manifest: string | null;
  sums: string | null;
}

/** An export of 32 clips has a manifest of some 30 kB. */
const maxText = 8 * 1024 * 1024;

/** Reads a whole archive, holding none of its files but the manifest and the checksums. */
export async function readEvidence(path: string): Promise<FoundEvidence> {
  const zip = await openArchive(path);
  const found: FoundEvidence = { files: [], manifest: null, sums: null };
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const isText = entry.fileName === manifestName || entry.fileName === sumsName;
      const { text, ...file } = await readEntry(zip, entry, isText);
      found.files.push(file);
      if (entry.fileName === manifestName) found.manifest = text;
      if (entry.fileName === sumsName) found.sums = text;
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    zip.close();
  }
  return found;
}

async function openArchive(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  keepsText: boolean,
): Promise<FoundFile & { text: string | null }> {
  const hash = createHash('sha256');
  const retained: Buffer[] = [];
  let size_bytes = 0;
  const { fileName: name } = entry;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size_bytes += chunk.length;
      if (keepsText && size_bytes <= maxText) retained.push(chunk);
    }
  } catch {
    // Damaged in its compressed form, or not as long as the archive says: one file's fault, the others are read.
    return { name, size_bytes, sha256: null, text: null };
  }
  const text = keepsText && size_bytes <= maxText ? Buffer.concat(retained).toString('utf8') : null;
  return { name, size_bytes, sha256: hash.digest('hex'), text };
}

function unreadable(path: string, error: unknown): UnreadableArchive {
  const why = error instanceof Error ? error.message : String(error);
  return new UnreadableArchive(`${path} cannot be read as a ZIP archive: ${why}`);
}
