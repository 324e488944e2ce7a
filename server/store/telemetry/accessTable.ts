import type { Tx } from '../operation.ts';
import type { Database } from './database.ts';
import type { VideoAccessRow } from './rows.ts';

/** Who looked at one video is read whole: a handful of lines, a few hundred at the very most. */
const MOST = 1_000;

export function writeAccess({ db }: Tx, rows: readonly VideoAccessRow[]): void {
  for (const row of rows) {
    db.run(
      'INSERT INTO video_access (task_id, user_id, action, at_ms) VALUES (:task_id, :user_id, :action, :at_ms)',
      { ...row },
    );
  }
}

export const accessOfSql = `SELECT task_id, user_id, action, at_ms FROM video_access
  WHERE task_id = ? ORDER BY at_ms DESC, access_id DESC LIMIT ${MOST}`;

/** Newest first. */
export function accessOf(db: Database, task_id: string): VideoAccessRow[] {
  return db.all<VideoAccessRow>(accessOfSql, [task_id]).map((row) => ({ ...row }));
}
