import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ZipFile } from 'yazl';

/** A file, or a folder where `source` is null. */
export interface Entry {
  /** In the archive, with slashes. */
  path: string;
  source: string | null;
  isProgram: boolean;
}

const modeOf = ({ source, isProgram }: Entry): number => (source === null || isProgram ? 0o755 : 0o644);

/** Writes a `.tar.gz` or a `.zip`, by the name of the file. Rights are those of `isProgram`, whoever packs. */
export async function writeArchive(file: string, entries: readonly Entry[]): Promise<void> {
  await (file.endsWith('.zip') ? writeZip(file, entries) : writeTar(file, entries));
}

async function writeZip(file: string, entries: readonly Entry[]): Promise<void> {
  const zip = new ZipFile();
  for (const entry of entries) {
    const { path, source } = entry;
    if (source === null) zip.addEmptyDirectory(path, { mode: 0o40000 | modeOf(entry) });
    else zip.addFile(source, path, { mode: 0o100000 | modeOf(entry) });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

async function writeTar(file: string, entries: readonly Entry[]): Promise<void> {
  await pipeline(Readable.from(tarOf(entries)), createGzip(), createWriteStream(file));
}

const BLOCK_BYTES = 512;

/** In the format of POSIX.1-1988 (ustar), which every tar reads. */
async function* tarOf(entries: readonly Entry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    const { source } = entry;
    const { size, mtimeMs } = source === null ? { size: 0, mtimeMs: Date.now() } : await stat(source);
    yield tarHeader(entry, size, mtimeMs);
    if (source === null) continue;
    for await (const chunk of createReadStream(source)) yield chunk as Buffer;
    yield Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

function tarHeader(entry: Entry, size_bytes: number, modified_ms: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const { prefix, name } = splitName(entry.source === null ? `${entry.path}/` : entry.path);
  header.write(name, 0);
  header.write(octal(modeOf(entry), 7), 100);
  // Root's, as of any package.
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size_bytes, 11), 124);
  header.write(octal(Math.floor(modified_ms / 1_000), 11), 136);
  header.write(' '.repeat(8), 148);
  header.write(entry.source === null ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  header.write('root', 265);
  header.write('root', 297);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A name has 100 bytes, and its folders 155 more. @throws Error for one that does not fit */
function splitName(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (name !== '' && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155)
      return { prefix, name };
  }
  throw new Error(`${path} is too long for an archive.`);
}
