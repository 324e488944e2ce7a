import { terminalKey } from '../../contract/sameKeys.ts';
import { nameNow } from '../namesOf010.ts';
import type { Tx } from '../operation.ts';
import { type Database, upsert } from './database.ts';
import type {
  RejectedPositionRow,
  UnknownTerminalRow,
  VehicleStateRow,
  PageQuery,
  TerminalCommandRow,
} from './rows.ts';
import type { VehicleKeys } from './vehicleIds.ts';
import { fromJson, toJson } from './columns.ts';

/** API.md: at most the last 1,000 unknown terminals. */
const MOST_UNKNOWN = 1_000;

const countUnknownTerminal = `
  INSERT INTO unknown_terminals (terminal_id, protocol, first_seen_ms, last_seen_ms, message_count, address, lat, lon)
  VALUES (:terminal_id, :protocol, :first_seen_ms, :last_seen_ms, :message_count, :address, :lat, :lon)
  ON CONFLICT (terminal_id) DO UPDATE SET
    protocol = excluded.protocol,
    first_seen_ms = min(first_seen_ms, excluded.first_seen_ms),
    last_seen_ms = max(last_seen_ms, excluded.last_seen_ms),
    message_count = message_count + excluded.message_count,
    address = coalesce(excluded.address, address),
    lat = CASE WHEN excluded.lat IS NULL OR excluded.lon IS NULL THEN lat ELSE excluded.lat END,
    lon = CASE WHEN excluded.lat IS NULL OR excluded.lon IS NULL THEN lon ELSE excluded.lon END
  RETURNING *`;

const dropSilent = `
  DELETE FROM unknown_terminals WHERE terminal_id IN (
    SELECT terminal_id FROM unknown_terminals ORDER BY last_seen_ms DESC, terminal_id LIMIT -1 OFFSET ${MOST_UNKNOWN}
  )`;

/** @returns each terminal with the count of all its messages so far */
export function noteUnknown({ db }: Tx, terminals: readonly UnknownTerminalRow[]): UnknownTerminalRow[] {
  const rows = terminals.flatMap((unknownTerminal) =>
    db.all<UnknownTerminalRow>(countUnknownTerminal, { ...unknownTerminal }),
  );
  db.run(dropSilent);
  return rows.map((row) => ({ ...row }));
}

/** Those that are one of these to a vehicle, whatever leading zeros they sent. */
export function forgetUnknown({ db }: Tx, terminal_ids: readonly string[]): void {
  const keys = new Set(terminal_ids.map(terminalKey));
  const known = db
    .all<{ terminal_id: string }>('SELECT terminal_id FROM unknown_terminals')
    .filter(({ terminal_id }) => keys.has(terminalKey(terminal_id)));
  for (const { terminal_id } of known)
    db.run('DELETE FROM unknown_terminals WHERE terminal_id = ?', [terminal_id]);
}

/** The last seen first. */
export function unknownTerminals(db: Database): UnknownTerminalRow[] {
  return db
    .all<UnknownTerminalRow>('SELECT * FROM unknown_terminals ORDER BY last_seen_ms DESC, terminal_id')
    .map((row) => ({ ...row }));
}

export function writeRejected(db: Database, rows: readonly RejectedPositionRow[]): void {
  for (const row of rows) {
    db.run(
      `INSERT INTO rejected_positions (terminal_id, received_ms, code, detail, protocol, raw)
        VALUES (:terminal_id, :received_ms, :code, :detail, :protocol, :raw)`,
      { ...row },
    );
  }
}

/** Newest first; `before` is the `rejected_id` of the last row of the page before. */
export function rejected(
  db: Database,
  { limit, before }: { limit: number; before?: number },
): (RejectedPositionRow & { rejected_id: number })[] {
  return db
    .all<RejectedPositionRow & { rejected_id: number }>(
      `SELECT rejected_id, terminal_id, received_ms, code, detail, protocol, raw
        FROM rejected_positions WHERE rejected_id < ? ORDER BY rejected_id DESC LIMIT ?`,
      [before ?? Number.MAX_SAFE_INTEGER, limit],
    )
    .map((row) => ({ ...row, code: nameNow('rejectionCode', row.code) }));
}

export function writeStates(db: Database, rows: readonly VehicleStateRow[], numberOf: VehicleKeys): void {
  for (const { vehicle_id, state } of rows) {
    db.run('INSERT OR REPLACE INTO vehicle_states (vehicle_key, state) VALUES (?, ?)', [
      numberOf(vehicle_id),
      state,
    ]);
  }
}

export function vehicleStates(db: Database): VehicleStateRow[] {
  return db
    .all<VehicleStateRow>(
      'SELECT vehicle_id, state FROM vehicle_states JOIN vehicle_ids USING (vehicle_key) ORDER BY vehicle_id',
    )
    .map((row) => ({ ...row }));
}

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
