import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode } from '../documents/errorCode.ts';
import { hasAdopted } from './adopt.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { datedName } from './datedName.ts';
import { entityTables } from './entityTables.ts';
import { epochOf } from './epoch.ts';
import { DatabaseLost, isCorrupt } from './failure.ts';
import type { WriterCommands, WriterReady } from './messages.ts';
import { migrate } from './migrate.ts';

const OWNER_ONLY = 0o600;

/**
 * Opens the database to write, brought to the newest version. One that is broken is set aside under a dated name, and
 * a new one is begun; where it has to be there, it stays as it is.
 *
 * @throws {DatabaseLost}; {NewerVersion}; SQLite's and the system's errors
 */
export function openWriter(orders: WriterCommands): { db: Database; ready: WriterReady } {
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
  probe(file);
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
    db.close();
    throw error;
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
function probe(file: string): void {
  const db = openDatabase(file, { readOnly: true });
  try {
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
