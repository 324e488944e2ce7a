import type { Tx } from '../operation.ts';
import { fromJson, toJson, toVehicleId } from './columns.ts';
import type { Database } from './database.ts';
import type { ChangeRow, ChangeTopic, NewChange } from './rows.ts';

interface Stored {
  seq: number;
  topic: ChangeTopic;
  resource_id: string;
  at_ms: number;
  visible_to: string | null;
}

/** Stands in `visible_to` for all who hold the right. */
export const everybody = '*';

/** A row of the log without its number, its time and who made it. */
export interface LoggedChange {
  topic: string;
  resource_id: string;
  visible_to: string[] | null;
  /** Of the resource after the change; null: it is removed, or has none. */
  version?: number | null;
  /** What changed of it; null: it is new, or removed, or the log says nothing of its values. */
  before?: object | null;
  after?: object | null;
  /** Of which vehicle `before` and `after` say something. */
  vehicle_id?: string | null;
}

/** A shape of a megabyte, changed all day, would fill the disk; of vehicles and geofences the versions have it. */
const maxLoggedChars = 4_000;

export function inLog(value: unknown): unknown {
  const chars = JSON.stringify(value ?? null).length;
  return chars > maxLoggedChars ? { characters: chars } : value;
}

/** Returns the numbers of the changes in the log, in the order given. */
export function logChanges({ db, at_ms, by }: Tx, changes: readonly LoggedChange[]): number[] {
  return changes.map(({ topic, resource_id, visible_to, version, before, after, vehicle_id }) => {
    // What is only shown otherwise after another change, nobody has changed.
    const actor = [version, before, after].some((it) => isSaid(it)) ? by : null;
    const row = db.get<{ seq: number }>(
      `INSERT INTO change_log
          (topic, resource_id, at_ms, visible_to, version, actor, actor_name, address, actor_token, actor_token_name,
            before, after, vehicle_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
      [
        ...[topic, resource_id, at_ms, fromJson(visible_to), version ?? null],
        ...[actor?.user_id ?? null, actor?.login ?? null, actor?.address ?? null],
        ...[actor?.token?.token_id ?? null, actor?.token?.name ?? null],
        ...[fromJson(before ?? null), fromJson(after ?? null), vehicle_id ?? null],
      ],
    );
    if (row === undefined) throw new Error('a change was given no number');
    return row.seq;
  });
}

function isSaid(part: number | object | null | undefined): boolean {
  if (part === null || part === undefined) return false;
  return typeof part === 'number' || Object.keys(part).length > 0;
}

export function recordChanges(tx: Tx, changes: readonly (NewChange & LoggedChange)[]): ChangeRow[] {
  const seqs = logChanges(tx, changes);
  return changes.map(({ topic, resource_id, visible_to }, at) => ({
    ...{ seq: seqs[at] ?? NaN, topic, resource_id },
    ...{ at_ms: tx.at_ms, visible_to },
  }));
}

/** What users change of what is no entity. */
const changedByUsers = {
  notification: { table: 'notifications', id: 'notification_id', fields: "state, ack ->> 'note' AS note" },
  task: { table: 'video_tasks', id: 'task_id', fields: 'status, channel, from_ms, to_ms, important' },
  command: { table: 'terminal_commands', id: 'command_id', fields: 'kind, text, status' },
  snooze: { table: 'snoozes', id: 'snooze_id', fields: 'rule_id, until_ms, note' },
} as const;

/** Runs what writes these rows, and logs that they changed; of what a user does also what changed. */
export function logged(
  tx: Tx,
  topic: keyof typeof changedByUsers,
  rows: readonly Pick<ChangeRow, 'resource_id' | 'visible_to'>[],
  writeRows: () => void,
): ChangeRow[] {
  const { table, id, fields } = changedByUsers[topic];
  const read = () =>
    rows.map(({ resource_id }) =>
      tx.by === null
        ? null
        : (tx.db.get<Fields>(`SELECT vehicle_id, ${fields} FROM ${table} WHERE ${id} = ?`, [resource_id]) ??
          null),
    );
  const before = read();
  writeRows();
  const after = read();
  return recordChanges(
    tx,
    rows.map((row, at) => ({ ...row, topic, ...differing(before[at] ?? null, after[at] ?? null) })),
  );
}

type Fields = Record<string, string | number | null>;

function differing(before: Fields | null, after: Fields | null) {
  const fieldsOf = (row: Fields | null, other: Fields | null) =>
    row && Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== other?.[name]));
  const vehicle_id = (after ?? before)?.vehicle_id ?? null;
  return {
    before: fieldsOf(before, after),
    after: fieldsOf(after, before),
    vehicle_id: vehicle_id === null ? null : toVehicleId(String(vehicle_id)),
  };
}

/** 0 before the first change. Pruning does not lower it. */
export function lastSeq(db: Database): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'change_log'")?.seq ?? 0;
}

/** In `meta`: of the changes up to this number some are no longer there. */
export const changeLogFloor = 'change_log_floor';

/**
 * Null when some of the changes after `seq` are no longer there, and when `seq` was never given out: it then comes
 * from a database that was since put back to an older copy.
 */
export function changesAfter(
  db: Database,
  { seq, limit }: { seq: number; limit: number },
): ChangeRow[] | null {
  const last = lastSeq(db);
  const floor = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', [changeLogFloor])?.value;
  if (seq < Number(floor ?? 0) || seq > last) return null;
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
      visible_to: row.visible_to === null ? null : toJson<string[]>(row.visible_to),
    }));
}
