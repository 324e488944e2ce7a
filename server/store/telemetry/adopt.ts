import type { Recovery } from '../documents/DocumentFile.ts';
import type { Tx } from '../operation.ts';
import type { Database } from './database.ts';
import { writeEntities, type EntityWrite } from './entityTables.ts';

/** What is to be done with the documents once their records are in the database. */
export interface PendingAdoption {
  /** Names in the data folder. */
  files: readonly string[];
  /** What each is renamed by: `.adopted-20261123T081500Z`. */
  ending: string;
  /** Of documents that were read from their backups. */
  recoveries: readonly Recovery[];
}

/** All records of the documents of 0.1.0, to be taken into the database. */
export interface Adoption extends PendingAdoption {
  entities: readonly EntityWrite[];
}

const msOf = (time: string) => `CAST(round(unixepoch(${time}, 'subsec') * 1000) AS INTEGER)`;

// As far as the records say: a version is there since its change, a membership since then or the creation.
const history = `
  UPDATE vehicle_versions SET from_ms = ${msOf("record ->> 'updated_at'")};
  UPDATE geofence_versions SET from_ms = ${msOf("record ->> 'updated_at'")};
  UPDATE memberships SET from_ms = ${msOf("record ->> 'groups_changed_at'")}
    FROM vehicles WHERE member_kind = 'vehicle' AND member_id = vehicle_id;
  UPDATE memberships SET from_ms = ${msOf("record ->> 'created_at'")}
    FROM users WHERE member_kind = 'user' AND member_id = user_id;
`;

/** Runs in the transaction of the last migration. A database that has adopted before is left as it is. */
export function adopt(db: Database, { entities, ...pending }: Adoption, now_ms: number): void {
  if (valueOf(db) !== undefined) return;
  writeEntities(db, entities, now_ms);
  db.exec(history);
  db.run("INSERT INTO meta (name, value) VALUES ('adopted', ?)", [JSON.stringify(pending)]);
  // Its changes are in no log: whoever follows it begins anew.
  db.run("DELETE FROM meta WHERE name = 'epoch'");
}

export function pendingAdoption(db: Database): PendingAdoption | 'done' | null {
  const value = valueOf(db);
  if (value === undefined) return null;
  return value === '' ? 'done' : (JSON.parse(value) as PendingAdoption);
}

export function endAdoption({ db }: Tx): void {
  db.run("UPDATE meta SET value = '' WHERE name = 'adopted'");
}

export const hasAdopted = (db: Database) => valueOf(db) !== undefined;

function valueOf(db: Database): string | undefined {
  return db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'adopted'")?.value;
}
