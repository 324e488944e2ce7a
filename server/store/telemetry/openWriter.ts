import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode } from '../documents/Files.ts';
import { hasAdopted, adopt } from './adopt.ts';
import { openDatabase, type Database } from './database.ts';
import { datedName } from './datedName.ts';
import { entityTables } from './entityTables.ts';
import { asFailure, DatabaseLost, isCorrupt, NewerVersion, NotMigrated } from './failure.ts';
import type { WriterCommands, WriterReady } from './messages.ts';
import { randomUUID } from 'node:crypto';

const OWNER_ONLY = 0o600;

/**
 * Opens the database to write, brought to the newest version. One that is broken is set aside under a dated name, and
 * a new one is begun; where it has to be there, it stays as it is.
 *
 * @throws {DatabaseLost}; {NewerVersion}; {NotMigrated}; SQLite's and the system's errors
 */
export function openWriter(orders: WriterCommands): { db: Database; ready: WriterReady } {
  const files = ['', '-wal', '-shm'].map((ending) => orders.file + ending);
  const before = new Set(files.filter((it) => existsSync(it)));
  try {
    return openOrRenew(orders);
  } catch (error) {
    // What a refused start has made is gone again.
    for (const it of files) if (!before.has(it)) rmSync(it, { force: true });
    throw error;
  }
}

function openOrRenew(orders: WriterCommands): { db: Database; ready: WriterReady } {
  if (orders.database === 'lost') return open(orders, quarantine(orders.file, orders.now_ms));
  try {
    return open(orders, []);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    if (orders.database === 'adopted')
      throw new DatabaseLost(`${basename(orders.file)} is broken`, { cause: error });
    return open(orders, quarantine(orders.file, orders.now_ms));
  }
}

function open(orders: WriterCommands, aside: string[]): { db: Database; ready: WriterReady } {
  const { file, maxPages } = orders;
  if (orders.database === 'adopted') checkPresence(orders);
  makeFile(file);
  probe(orders);
  const db = openDatabase(file, { readOnly: false });
  try {
    // The end of each vehicle's track stays at hand: a page of 4 KiB for each of some ten thousand.
    db.exec('PRAGMA cache_size = -65536');
    // When and how much is checkpointed: checkpoints.ts.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    if (maxPages !== null) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    const copy = migrate(db, orders);
    return { db, ready: { epoch: epochOf(db, file), quarantinedAs: aside, copy } };
  } catch (error) {
    closeUnchanged(db, file);
    throw error;
  }
}

/**
 * The last connection that may write copies the log of a killed host into the database and deletes it. One that may not
 * write, and is closed after it, leaves both as they are.
 */
function closeUnchanged(db: Database, file: string): void {
  let guard: Database | null = null;
  try {
    guard = openDatabase(file, { readOnly: true });
    guard.get('SELECT 1 FROM sqlite_schema');
  } catch {
    // The first failure is the one to report.
  } finally {
    db.close();
    guard?.close();
  }
}

/** SQLite gives its `-wal` and `-shm` the same mode. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (process.platform !== 'win32') chmodSync(file, OWNER_ONLY);
  }
}

/** Reads all pages of the users, vehicles and so on: a start needs every one. @throws {DatabaseLost}; SQLite's errors */
function checkPresence({ file, migrations }: WriterCommands): void {
  if (!existsSync(file)) throw new DatabaseLost(`${basename(file)} is missing`);
  const db = openDatabase(file, { readOnly: true });
  try {
    // It is not known what it holds, and `migrate` refuses it.
    const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (version > migrations.length) return;
    const isBegun = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") !== undefined;
    if (!isBegun || !hasAdopted(db)) throw new DatabaseLost(`${basename(file)} holds no users and vehicles`);
    const tables = [...Object.values(entityTables).map(({ table }) => table), 'memberships'];
    for (const table of tables) {
      const found = db.get<{ quick_check: string }>(`PRAGMA quick_check("${table}")`)?.quick_check;
      if (found !== 'ok')
        throw new DatabaseLost(`the ${table} in ${basename(file)} are broken: ${found ?? ''}`);
    }
  } finally {
    db.close();
  }
}

/**
 * Reads the schema and the first pages of each table: a few reads, however large the file. That the file is as long
 * as it says, SQLite itself compares where there is no log. The connection is read-only, since one that may write
 * would at its end copy the log into a file that is perhaps broken, and delete it.
 */
function probe(orders: WriterCommands): void {
  const db = openDatabase(orders.file, { readOnly: true });
  try {
    refuseNewer(db, orders);
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    for (const { name } of tables) db.get(`SELECT * FROM "${name.replaceAll('"', '""')}" LIMIT 1`);
  } finally {
    db.close();
  }
}

/** Returns the new names. */
function quarantine(file: string, now_ms: number): string[] {
  const aside = datedName(`${file}.broken`, now_ms);
  const kept: string[] = [];
  // The database goes first: without it nobody takes the log that is left for that of a new one.
  for (const ending of ['', '-wal', '-shm']) {
    if (!existsSync(file + ending)) continue;
    renameSync(file + ending, aside + ending);
    kept.push(basename(aside + ending));
  }
  return kept;
}

/**
 * The name of this database. A copy that replaced it has a different history, so it gets another
 * name: it is recognised by the file's number on the disk (inode), which a copy does not share.
 */
function epochOf(db: Database, file: string): string {
  const fileNumber = statSync(file, { bigint: true }).ino.toString();
  const epoch = read(db, 'epoch');
  if (epoch !== undefined && read(db, 'file_number') === fileNumber) return epoch;
  const named = randomUUID();
  db.exec('BEGIN IMMEDIATE');
  write(db, 'epoch', named);
  write(db, 'file_number', fileNumber);
  db.exec('COMMIT');
  return named;
}

function read(db: Database, name: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', [name])?.value;
}

function write(db: Database, name: string, value: string): void {
  db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, value]);
}

/**
 * Brings the database to the version after the last migration, in one transaction, which also takes in what documents
 * held. A database that holds something is copied first, when one of the steps asks for it.
 *
 * @returns the copy's name; null when none was made
 * @throws {NewerVersion}; {NotMigrated}; SQLite's errors. Then nothing was changed
 */
export function migrate(db: Database, orders: WriterCommands): string | null {
  const { file, now_ms, migrations } = orders;
  const newest = migrations.length;
  const version = refuseNewer(db, orders);
  const steps = migrations.slice(version);
  const mustCopy = version > 0 && steps.some((step) => step.copy);
  const copy = mustCopy ? datedName(`${file}.version-${version}`, now_ms) : null;
  if (copy !== null) {
    db.run('VACUUM INTO ?', [copy]);
    if (process.platform !== 'win32') chmodSync(copy, 0o600);
  }
  if (steps.length === 0 && orders.adopt === null) return null;
  try {
    db.exec('BEGIN IMMEDIATE');
    for (const { sql } of steps) db.exec(sql);
    db.exec(`PRAGMA user_version = ${newest}`);
    if (orders.adopt !== null) adopt(db, orders.adopt, now_ms);
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    if (copy !== null) rmSync(copy, { force: true });
    if (isCorrupt(error) || asFailure(error).code === 'disk_full') throw error;
    throw new NotMigrated(
      `${file} could not be brought from version ${version} to ${newest}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return copy === null ? null : basename(copy);
}

/** Returns the version of the database. @throws {NewerVersion} */
function refuseNewer(db: Database, { file, migrations }: WriterCommands): number {
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version > migrations.length) {
    throw new NewerVersion(
      `${file} was written by a newer version (database version ${version}, this version knows ${migrations.length}).`,
    );
  }
  return version;
}
