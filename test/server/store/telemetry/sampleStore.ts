import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { openStore, type StoreOptions } from '../../../../server/store/openStore.ts';
import type { PositionRow } from '../../../../server/store/telemetry/rows.ts';
import type { Store } from '../../../../server/store/operations.ts';
import { migrations } from '../../../../server/store/telemetry/schema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** A store that is closed with the running test; in a new folder unless one is given. */
export async function openSampleStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ folder: options.folder ?? (await temporaryFolder()), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Makes a database as a host of this version left it, with what `fill` puts into it. */
export function makeOlder(folder: string, version: number, fill: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(folder, 'telemetry.db'));
  db.exec('PRAGMA journal_mode = WAL');
  for (const { sql } of migrations.slice(0, version)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${version}`);
  fill(db);
  db.close();
}

/** Keeps all rows. */
export const keepAll = {
  positions_ms: 0,
  events_ms: 0,
  changes_ms: 0,
  audit_ms: 0,
  versions_ms: 0,
  idempotency_ms: 0,
  rejected_ms: 0,
};

export async function wholeTrack(store: Store, vehicle_id: string): Promise<PositionRow[]> {
  const pages: PositionRow[] = [];
  for await (const page of store.track({ vehicle_id, from_ms: 0, to_ms: Number.MAX_SAFE_INTEGER })) {
    pages.push(...page);
  }
  return pages;
}

/** Prunes to the end; returns how many rows went and in how many slices. */
export async function pruneAll(
  store: Store,
  before: Partial<typeof keepAll>,
): Promise<{ deleted: number; slices: number }> {
  let deleted = 0;
  for (let slices = 1; ; slices++) {
    const slice = await store.prune({ ...keepAll, ...before });
    deleted += slice.deleted;
    if (!slice.more) return { deleted, slices };
  }
}
