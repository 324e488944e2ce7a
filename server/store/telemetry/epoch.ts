import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Database } from './database.ts';

/**
 * The name of this database. A copy that replaced it has a different history, so it gets another
 * name: it is recognised by the file's number on the disk (inode), which a copy does not share.
 */
export function epochOf(db: Database, file: string): string {
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
