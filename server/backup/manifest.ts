import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiError } from '../http/apiError.ts';
import { errorCode } from '../store/documents/Files.ts';

/** What a backup is, beside the files themselves. It is written last. */
export const MANIFEST = 'manifest.json';
/** The SHA-256 of each file in the form of sha256sum(1), which can check it too. */
export const SUMS = 'SHA256SUMS';
export const DATABASE = 'telemetry.db';
export const CLIPS = 'video';

/** Rises when a version of the program before could not restore such a backup. */
export const BACKUP_FORMAT = 1;
const LONGEST_MANIFEST_BYTES = 256 * 1_024;
/** Of a million clips. */
const LONGEST_SUMS_BYTES = 256 * 1_024 * 1_024;
const CHUNK_BYTES = 1_024 * 1_024;

const manifestFields = z.object({
  format: z.int().min(1).max(BACKUP_FORMAT),
  app_version: z.string().max(50),
  instance_id: z.string().max(100),
  /** When its database was read: it holds all that was committed before. */
  created_at: z.iso.datetime(),
  database: z.object({ version: z.int(), rows: z.record(z.string(), z.int()) }),
  /** Whether clips were asked for. */
  clips: z.boolean(),
  files: z.int().min(1),
  bytes: z.int().min(0),
  /** Of `SHA256SUMS`. */
  sums_sha256: z.string(),
});
export type Manifest = z.infer<typeof manifestFields>;

/** Hex by path; paths are relative and have slashes. */
export type Sums = ReadonlyMap<string, string>;

/** `fleetdeck-INSTANCE-20261123T030000Z`, with a number behind it for a second one within a second. */
export function backupName(instanceId: string, at_ms: number, count = 1): string {
  const stamp = new Date(at_ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `fleetdeck-${instanceId.replaceAll(/\W/g, '')}-${stamp}${count === 1 ? '' : `-${count}`}`;
}

export const partialName = (name: string): string => `.${name}.partial`;

/** Of one data folder, the newest first; and what was left of those that were not finished. */
export async function backupsIn(
  folder: string,
  instanceId: string,
): Promise<{ finished: { name: string; created_ms: number }[]; partial: string[] }> {
  const own = instanceId.replaceAll(/\W/g, '');
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const { name } = entry;
    const parts = /^(\.?)fleetdeck-(\w+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?(\.partial)?$/.exec(
      name,
    );
    if (parts === null || parts[2] !== own || !entry.isDirectory()) return [];
    const isPartial = parts[1] === '.';
    if (isPartial !== (parts[9] !== undefined)) return [];
    const [year, month, day, hour, minute, second] = parts.slice(3, 9).map(Number);
    const created_ms = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
    return [{ name, created_ms, isPartial }];
  });
  return {
    finished: found
      .filter((it) => !it.isPartial)
      .sort((a, b) => b.created_ms - a.created_ms || b.name.localeCompare(a.name, 'en', { numeric: true }))
      .map(({ name, created_ms }) => ({ name, created_ms })),
    partial: found.filter((it) => it.isPartial).map((it) => it.name),
  };
}

/** @throws {ApiError} for what is no whole backup, or one of a newer version; the system's errors */
export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readBounded(join(backup, MANIFEST), LONGEST_MANIFEST_BYTES).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? ''))
      throw unusable(`${backup} is not a backup of Fleetdeck: it has no ${MANIFEST}.`);
    throw error;
  });
  let json: unknown;
  try {
    json = JSON.parse(text.toString('utf8'));
  } catch {
    throw unusable(`The ${MANIFEST} of ${backup} cannot be read.`);
  }
  const format = z.object({ format: z.int() }).safeParse(json).data?.format ?? 0;
  if (format > BACKUP_FORMAT)
    throw unusable(
      `${backup} was made by a newer version (format ${format}, this version knows ${BACKUP_FORMAT}).`,
    );
  const parsed = manifestFields.safeParse(json);
  if (!parsed.success) throw unusable(`The ${MANIFEST} of ${backup} is not of the form of one.`);
  return parsed.data;
}

/** @param isKnown whether a file of this path may be in a backup @throws {ApiError} as above */
export async function readSums(
  backup: string,
  manifest: Manifest,
  isKnown: (path: string) => boolean,
): Promise<Sums> {
  const bytes = await readBounded(join(backup, SUMS), LONGEST_SUMS_BYTES).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw unusable(`${backup} has lost its ${SUMS}.`);
    throw error;
  });
  if (createHash('sha256').update(bytes).digest('hex') !== manifest.sums_sha256)
    throw unusable(
      `${SUMS} of ${backup} was changed or is damaged: its SHA-256 is not that of the ${MANIFEST}.`,
    );
  const sums = new Map<string, string>();
  for (const line of bytes.toString('utf8').trimEnd().split('\n')) {
    const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (hash === undefined || path === undefined || !isKnown(path))
      throw unusable(`${SUMS} of ${backup} names a file that no backup has: ${line.slice(66, 166)}`);
    sums.set(path, hash);
  }
  return sums;
}

export const sumsText = (sums: Sums): string =>
  [...sums].map(([path, hash]) => `${hash}  ${path}\n`).join('');

async function readBounded(path: string, longest_bytes: number): Promise<Buffer> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > longest_bytes) throw unusable(`${path} is not a file of a backup.`);
  return readFile(path);
}

/** Reads a file in pieces; symbolic links are not followed. @throws the system's errors */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** In lower-case hex. @param onBytes called with the bytes of each piece */
export async function sha256Of(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(path)) {
    hash.update(piece);
    onBytes(piece.length);
  }
  return hash.digest('hex');
}

/** Copies to a new file of its owner's alone that has reached the disk. Returns bytes and SHA-256 of what was read. */
export async function copyHashed(
  from: string,
  to: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let file: FileHandle | null = null;
  try {
    // Before the new file is made: what is gone leaves none.
    for await (const piece of piecesOf(from)) {
      file ??= await open(to, 'wx', 0o600);
      hash.update(piece);
      await file.writeFile(piece);
      bytes += piece.length;
      onBytes(piece.length);
    }
    file ??= await open(to, 'wx', 0o600);
    await file.sync();
  } finally {
    await file?.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A backup, or a folder for backups, that cannot be used; the message is for whoever named it. */
export const unusable = (detail: string): ApiError => new ApiError('unavailable', detail);
