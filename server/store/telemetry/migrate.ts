import { chmodSync } from 'node:fs';
import { basename } from 'node:path';
import { adopt } from './adopt.ts';
import type { Database } from './database.ts';
import { datedName } from './datedName.ts';
import { NewerVersion } from './failure.ts';
import type { WriterCommands } from './messages.ts';

/**
 * Brings the database to the version after the last migration, each step in a transaction of its own. The last one
 * takes in what documents held. A database that holds something is copied first, when one of the steps asks for it.
 *
 * @returns the copy's name; null when none was made
 * @throws {NewerVersion}; then nothing was touched
 */
export function migrate(db: Database, orders: WriterCommands): string | null {
  const { file, now_ms, migrations } = orders;
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const newest = migrations.length;
  if (version > newest) {
    throw new NewerVersion(
      `${file} was written by a newer version (database version ${version}, this version knows ${newest}).`,
    );
  }
  const steps = migrations.slice(version);
  const mustCopy = version > 0 && steps.some((step) => step.copy);
  const copy = mustCopy ? datedName(`${file}.version-${version}`, now_ms) : null;
  if (copy !== null) {
    db.run('VACUUM INTO ?', [copy]);
    if (process.platform !== 'win32') chmodSync(copy, 0o600);
  }
  for (const [step, { sql }] of steps.slice(0, -1).entries()) inTransaction(db, version + step + 1, sql);
  if (steps.length > 0 || orders.adopt !== null) {
    inTransaction(db, newest, steps.at(-1)?.sql ?? '', () => {
      if (orders.adopt !== null) adopt(db, orders.adopt, now_ms);
    });
  }
  return copy === null ? null : basename(copy);
}

function inTransaction(db: Database, version: number, sql: string, more: () => void = () => undefined): void {
  try {
    db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}`);
    more();
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
