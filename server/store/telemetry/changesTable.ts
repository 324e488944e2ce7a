import { fromJson, toJson } from './columns.ts';
import type { Database } from './database.ts';
import type { ChangeRow, ChangeTopic, NewChange } from './rows.ts';

interface Stored {
  seq: number;
  topic: ChangeTopic;
  resource_id: string;
  at_ms: number;
  visible_to: string | null;
}

/** Returns the changes with their numbers, in the order given. */
export function writeChanges(db: Database, changes: readonly NewChange[], at_ms: number): ChangeRow[] {
  return changes.map(({ topic, resource_id, seen_by }) => {
    const row = db.get<{ seq: number }>(
      'INSERT INTO change_log (topic, resource_id, at_ms, visible_to) VALUES (?, ?, ?, ?) RETURNING seq',
      [topic, resource_id, at_ms, fromJson(seen_by)],
    );
    if (row === undefined) throw new Error('a change was given no number');
    return { seq: row.seq, topic, resource_id, at_ms, seen_by };
  });
}

/** 0 before the first change. Pruning does not lower it. */
export function lastSeq(db: Database): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'change_log'")?.seq ?? 0;
}

/**
 * Null when some of the changes after `seq` are no longer there, and when `seq` was never given out: it then comes
 * from a database that was since put back to an older copy.
 */
export function changesAfter(
  db: Database,
  { seq, limit }: { seq: number; limit: number },
): ChangeRow[] | null {
  const last = lastSeq(db);
  const first = db.get<{ seq: number }>('SELECT seq FROM change_log ORDER BY seq LIMIT 1')?.seq ?? last + 1;
  if (seq < first - 1 || seq > last) return null;
  return db
    .all<Stored>(
      'SELECT seq, topic, resource_id, at_ms, visible_to FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?',
      [seq, limit],
    )
    .map((row) => ({
      seq: row.seq,
      topic: row.topic,
      resource_id: row.resource_id,
      at_ms: row.at_ms,
      seen_by: row.visible_to === null ? null : toJson<string[]>(row.visible_to),
    }));
}
