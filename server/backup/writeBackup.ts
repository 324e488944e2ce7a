import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { copiedFiles, SNAPSHOTS } from '../store/dataFolder.ts';
import { diskFiles, errorCode } from '../store/documents/Files.ts';
import { openDatabase, type Database } from '../store/telemetry/database.ts';
import {
  BACKUP_FORMAT,
  CLIPS,
  copyHashed,
  DATABASE,
  MANIFEST,
  partialName,
  sha256Of,
  SUMS,
  sumsText,
  type Manifest,
} from './manifest.ts';

/** What is to be backed up, and where to; all paths are absolute. */
export interface BackupOrder {
  data: string;
  /** A folder that is there and does not lie in the data folder. */
  target: string;
  /** See `backupName`. */
  name: string;
  instance_id: string;
  app_version: string;
  clips: boolean;
  created_ms: number;
}

export interface WrittenBackup {
  /** Of its folder. */
  path: string;
  files: number;
  bytes: number;
}

/** 2 MiB of 4 KiB pages: some milliseconds of another thread, between which others read and write. */
const PAGES_PER_STEP = 512;
const MOST_FAULTS = 3;
/** What parts of the work take, of all of it. */
const UNTIL_COPIED = 0.5;

/**
 * Writes a backup under a temporary name, opens it, compares it, and gives it its name. A host may write the data folder
 * meanwhile: the database is read as it is at one moment, and documents after that, which follow the database. When it
 * rejects, nothing of it is left.
 *
 * @throws Error that says why, for people; its `code` is the system's if it has one
 */
export async function writeBackup(
  order: BackupOrder,
  onProgress: (fraction: number) => void,
): Promise<WrittenBackup> {
  const partial = join(order.target, partialName(order.name));
  await mkdir(partial, { mode: 0o700 });
  try {
    const written = await writeTo(partial, order, onProgress);
    await diskFiles.rename(partial, join(order.target, order.name));
    await diskFiles.syncFolder(order.target);
    return { path: join(order.target, order.name), ...written };
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeTo(folder: string, order: BackupOrder, onProgress: (fraction: number) => void) {
  const sums = new Map<string, string>();
  let bytes = 0;
  const source = new DatabaseSync(join(order.data, DATABASE), { readOnly: true, timeout: 5_000 });
  let database: Manifest['database'];
  try {
    // Until its end this connection sees the database as it is now, and the copy is of that: a commit neither waits
    // for it nor makes it begin anew.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    for (const name of copiedFiles) bytes += (await copyDocument(name, folder, order, sums)) ?? 0;
    // SQLite makes files that others may read.
    await (await open(join(folder, DATABASE), 'wx', 0o600)).close();
    await copyDatabase(source, join(folder, DATABASE), {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(UNTIL_COPIED * (1 - remainingPages / Math.max(1, totalPages))),
    });
    database = contentOf({ all: (sql: string) => source.prepare(sql).all() as never });
    source.exec('COMMIT');
  } finally {
    source.close();
  }
  onProgress(UNTIL_COPIED);
  checkDatabase(join(folder, DATABASE), database);
  // Nobody can take a snapshot a second time, while terminals may still have what clips show.
  bytes += await copyPictures(SNAPSHOTS, folder, order, sums, () => undefined);
  if (order.clips) bytes += await copyPictures(CLIPS, folder, order, sums, onProgress);
  await compare(folder, sums);
  const file = join(folder, DATABASE);
  sums.set(DATABASE, await sha256Of(file, (count) => (bytes += count)));
  const text = sumsText(sums);
  await writeSynced(join(folder, SUMS), text);
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    app_version: order.app_version,
    instance_id: order.instance_id,
    created_at: new Date(order.created_ms).toISOString(),
    database,
    clips: order.clips,
    files: sums.size,
    bytes,
    sums_sha256: createHash('sha256').update(text).digest('hex'),
  };
  await writeSynced(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await diskFiles.syncFolder(folder);
  onProgress(1);
  return { files: sums.size, bytes };
}

/** Returns its bytes; null when there is no such file. */
async function copyDocument(name: string, folder: string, { data }: BackupOrder, sums: Map<string, string>) {
  let content: Buffer;
  try {
    content = await readFile(join(data, name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  if (name.endsWith('.json')) {
    try {
      JSON.parse(content.toString('utf8'));
    } catch {
      throw new Error(`${name} in the data folder is damaged: a backup of it could not be restored.`);
    }
  }
  await writeSynced(join(folder, name), content);
  sums.set(name, createHash('sha256').update(content).digest('hex'));
  return content.length;
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await diskFiles.create(path);
  try {
    await file.write(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The version of its schema, and the rows of each table. */
function contentOf(db: Pick<Database, 'all'>): Manifest['database'] {
  const [{ user_version: version } = { user_version: 0 }] = db.all<{ user_version: number }>(
    'PRAGMA user_version',
  );
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const rows = tables.map(({ name }) => {
    const [{ rows } = { rows: 0 }] = db.all<{ rows: number }>(
      `SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`,
    );
    return [name, rows] as const;
  });
  return { version, rows: Object.fromEntries(rows) };
}

/** Opens the copy as a host would. @throws Error when it is not whole */
function checkDatabase(file: string, expected: Manifest['database']): void {
  const db: Database = openDatabase(file, { readOnly: false });
  try {
    // One file: what lies in a log beside it could be lost.
    db.get('PRAGMA journal_mode = DELETE');
    const faults = db.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MOST_FAULTS})`);
    const found = faults.map((it) => it.integrity_check).join('; ');
    if (found !== 'ok') throw new Error(`The copy of the database is not whole: ${found}`);
    const content = contentOf(db);
    if (JSON.stringify(content) !== JSON.stringify(expected))
      throw new Error('The copy of the database does not have the rows of the database.');
  } finally {
    db.close();
  }
}

/** Returns their bytes. A clip or snapshot that is deleted meanwhile is left out. */
async function copyPictures(
  kind: string,
  folder: string,
  { data }: BackupOrder,
  sums: Map<string, string>,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const names = await picturesIn(data, kind);
  if (names.length > 0) await mkdir(join(folder, kind), { mode: 0o700 });
  let bytes = 0;
  for (const [at, name] of names.entries()) {
    try {
      const copied = await copyHashed(join(data, kind, name), join(folder, kind, name));
      sums.set(`${kind}/${name}`, copied.sha256);
      bytes += copied.bytes;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    onProgress(UNTIL_COPIED + (0.9 - UNTIL_COPIED) * ((at + 1) / names.length));
  }
  if (names.length > 0) await diskFiles.syncFolder(join(folder, kind));
  return bytes;
}

/** Whole clips or snapshots; those that are still downloaded or written have another ending. */
export async function picturesIn(data: string, kind: string): Promise<string[]> {
  const entries = await readdir(join(data, kind), { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((it) => it.isFile() && /\.(mp4|jpg)$/.test(it.name)).map((it) => it.name);
}

/** What was written is read again. */
async function compare(folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, sha256] of sums) {
    if ((await sha256Of(join(folder, path))) !== sha256)
      throw new Error(`The copy of ${path} is not what was written.`);
  }
}

/** Also by SQLite's code 13 (https://sqlite.org/rescode.html#full). */
export function isFullDisk(error: unknown): boolean {
  const isSqlite = error instanceof Error && 'errcode' in error && error.errcode === 13;
  return isSqlite || ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
