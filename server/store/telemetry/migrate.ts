import { chmodSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from './database.ts';
import { datedName } from './datedName.ts';
import { NewerVersion } from './failure.ts';
import type { WriterCommands } from './messages.ts';

/**
 * Brings the database to the version after the last migration, each step in a transaction of its own. A database that
 * holds something is copied first, when one of the steps asks for it.
 *
 * @returns the copy's name; null when none was made
 * @throws {NewerVersion}; then nothing was touched
 */
export function migrate(db: Database, { file, now_ms, migrations }: WriterCommands): string | null {
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const newest = migrations.length;
  if (version > newest) {
    throw new NewerVersion(
      `${file} was written by a newer version (database version ${version}, this version knows ${newest}).`,
    );
  }
  if (version === newest) return null;

  const steps = migrations.slice(version);
  const mustCopy = version > 0 && steps.some((step) => step.copy);
  const copy = mustCopy ? datedName(`${file}.version-${version}`, now_ms) : null;
  if (copy !== null) {
    db.run('VACUUM INTO ?', [copy]);
    if (process.platform !== 'win32') chmodSync(copy, 0o600);
  }
  for (const [step, { sql }] of steps.entries()) {
    try {
      db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version + step + 1}; COMMIT`);
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
  return copy === null ? null : basename(copy);
}
