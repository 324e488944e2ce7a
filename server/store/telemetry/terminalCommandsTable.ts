import { fromJson, toJson } from './columns.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';
import type { PageQuery, TerminalCommandRow } from './rows.ts';

interface Stored extends Omit<TerminalCommandRow, 'error'> {
  error: string | null;
}

const write = upsert(
  'terminal_commands',
  ['command_id'],
  [
    'vehicle_id',
    'terminal_id',
    'kind',
    'text',
    'status',
    'protocol',
    'response',
    'error',
    'created_by',
    'created_ms',
    'sent_ms',
    'completed_ms',
    'expires_ms',
  ],
);

export function writeTerminalCommands(db: Database, rows: readonly TerminalCommandRow[]): void {
  for (const row of rows) write(db, { ...row, error: fromJson(row.error) });
}

export const terminalCommandsSql = `SELECT * FROM terminal_commands INDEXED BY terminal_commands_by_vehicle
  WHERE vehicle_id = :vehicle_id AND created_ms <= :before_ms AND (created_ms, command_id) < (:before_ms, :before_id)
  ORDER BY created_ms DESC, command_id DESC LIMIT :limit`;

export function terminalCommands(
  db: Database,
  { vehicle_id, limit, before }: PageQuery & { vehicle_id: string },
): TerminalCommandRow[] {
  const { ms: before_ms, id: before_id } = before ?? { ms: Number.MAX_SAFE_INTEGER, id: '' };
  return db.all<Stored>(terminalCommandsSql, { vehicle_id, limit, before_ms, before_id }).map(fromStored);
}

export function terminalCommandsById(db: Database, ids: readonly string[]): TerminalCommandRow[] {
  return db
    .all<Stored>('SELECT * FROM terminal_commands WHERE command_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ])
    .map(fromStored);
}

export const openTerminalCommandsSql = `SELECT * FROM terminal_commands INDEXED BY terminal_commands_by_end
  WHERE completed_ms IS NULL ORDER BY created_ms, command_id`;

export function openTerminalCommands(db: Database): TerminalCommandRow[] {
  return db.all<Stored>(openTerminalCommandsSql).map(fromStored);
}

function fromStored(row: Stored): TerminalCommandRow {
  return {
    ...row,
    error: row.error === null ? null : toJson<NonNullable<TerminalCommandRow['error']>>(row.error),
  };
}
