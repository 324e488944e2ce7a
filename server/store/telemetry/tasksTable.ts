import { fromFlag, fromJson, toFlag, toJson } from './columns.ts';
import { upsert, type Database } from './database.ts';
import { newestFirst, type Listing, type ListQuery, type Slice, type VehicleSlice } from './newestFirst.ts';
import type { TaskFile, TaskQuery, TaskRow, VideoAccessRow } from './rows.ts';
import type { Tx } from '../operation.ts';

interface Stored extends Omit<TaskRow, 'important' | 'error' | 'file'> {
  important: number;
  error: string | null;
  file: string | null;
}

export const taskListing: Listing = {
  table: 'video_tasks',
  id: 'task_id',
  sort: 'created_ms',
  byTime: 'tasks_by_creation',
  byVehicle: 'tasks_by_vehicle',
};

const write = upsert(
  'video_tasks',
  ['task_id'],
  [
    'profile_id',
    'vehicle_id',
    'terminal_id',
    'channel',
    'from_ms',
    'to_ms',
    'event_id',
    'stream',
    'main_task_id',
    'status',
    'important',
    'attempts',
    'next_attempt_ms',
    'error',
    'file',
    'file_name',
    'created_by',
    'rule_id',
    'created_ms',
    'updated_ms',
    'done_ms',
    'expires_ms',
    'version',
  ],
);

export function writeTasks(db: Database, rows: readonly TaskRow[]): void {
  for (const row of rows) {
    write(db, {
      ...row,
      important: fromFlag(row.important),
      error: fromJson(row.error),
      file: fromJson(row.file),
    });
  }
}

export function taskList(query: TaskQuery): ListQuery {
  const where: ListQuery['where'] = [];
  if (query.statuses !== undefined) {
    where.push({
      sql: 'status IN (SELECT value FROM json_each(:statuses))',
      params: { statuses: JSON.stringify(query.statuses) },
    });
  }
  if (query.from_ms !== undefined)
    where.push({ sql: 'to_ms >= :from_ms', params: { from_ms: query.from_ms } });
  if (query.to_ms !== undefined) where.push({ sql: 'from_ms <= :to_ms', params: { to_ms: query.to_ms } });
  const page = { limit: query.limit, ...(query.before && { before: query.before }), where };
  const { event_id, vehicle_ids } = query;
  if (event_id === undefined) return { ...page, vehicle_ids };
  // An event has a handful of tasks: that its vehicle is one of these is asked of them alone.
  where.push({ sql: 'event_id = :event_id', params: { event_id }, byIndex: 'index' });
  if (vehicle_ids !== undefined) {
    where.push({
      sql: 'vehicle_id IN (SELECT value FROM json_each(:seen))',
      params: { seen: JSON.stringify(vehicle_ids) },
    });
  }
  return { ...page, index: 'tasks_by_event' };
}

export function tasks(db: Database, query: TaskQuery): Slice<TaskRow> {
  const { rows, next } = newestFirst<Stored>(db, taskListing, taskList(query));
  return { next, rows: rows.map(fromStored) };
}

/** Of a vehicle, those after a place in their order, oldest first. */
export const tasksOfVehicleSql = `SELECT * FROM video_tasks INDEXED BY tasks_by_vehicle
  WHERE vehicle_id = ? AND (created_ms, task_id) > (?, ?) AND created_ms < ? ORDER BY created_ms, task_id LIMIT ?`;

export function tasksOfVehicle(db: Database, params: VehicleSlice): TaskRow[] {
  return db.all<Stored>(tasksOfVehicleSql, params).map(fromStored);
}

export function tasksById(db: Database, ids: readonly string[]): TaskRow[] {
  return db
    .all<Stored>('SELECT * FROM video_tasks WHERE task_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ])
    .map(fromStored);
}

export const clipSpansSql = `SELECT json_group_array(DISTINCT vehicle_id) AS vehicle_ids,
  coalesce(min(from_ms), 0) AS from_ms, coalesce(max(to_ms), 0) AS to_ms
  FROM video_tasks INDEXED BY tasks_by_creation WHERE created_ms >= :from_ms AND created_ms < :to_ms`;

/** Of the tasks that were created from a moment until before another: their vehicles, and what time their clips cover. */
export function clipSpans(
  db: Database,
  created: { from_ms: number; to_ms: number },
): { vehicle_ids: string[]; from_ms: number; to_ms: number } {
  const found = db.get<{ vehicle_ids: string; from_ms: number; to_ms: number }>(clipSpansSql, created);
  if (found === undefined) throw new Error('a sum has no row');
  return { ...found, vehicle_ids: JSON.parse(found.vehicle_ids) as string[] };
}

export const tasksInSql = `SELECT * FROM video_tasks INDEXED BY tasks_by_status
  WHERE status IN (SELECT value FROM json_each(?)) ORDER BY created_ms, task_id`;

export function tasksIn(db: Database, statuses: readonly string[]): TaskRow[] {
  return db.all<Stored>(tasksInSql, [JSON.stringify(statuses)]).map(fromStored);
}

function fromStored(row: Stored): TaskRow {
  return {
    ...row,
    important: toFlag(row.important),
    error: row.error === null ? null : toJson<NonNullable<TaskRow['error']>>(row.error),
    file: row.file === null ? null : fileOf(row.file),
  };
}

/** Files were kept before it was noted when they begin. */
function fileOf(column: string): TaskFile {
  return { starts_at: null, ...toJson<Omit<TaskFile, 'starts_at'>>(column) };
}

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
