import type { Tx } from '../operation.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';
import type { IdempotencyRow, SessionRow, TokenUseRow } from './rows.ts';

const writeSession = upsert(
  'sessions',
  ['session_id'],
  ['user_id', 'created_ms', 'last_seen_ms', 'expires_ms', 'ip_address', 'user_agent', 'earlier_seen_ms'],
);

export function saveSessions({ db }: Tx, rows: readonly SessionRow[]): void {
  for (const row of rows) writeSession(db, row);
}

/** When they were seen last is kept of each user. */
export function deleteSessions({ db }: Tx, ids: readonly string[]): void {
  const these = 'session_id IN (SELECT value FROM json_each(?))';
  db.run(
    `INSERT INTO ended_sessions (user_id, last_seen_ms)
      SELECT user_id, max(last_seen_ms) FROM sessions WHERE ${these} GROUP BY user_id
      ON CONFLICT (user_id) DO UPDATE SET last_seen_ms = max(last_seen_ms, excluded.last_seen_ms)`,
    [JSON.stringify(ids)],
  );
  db.run(`DELETE FROM sessions WHERE ${these}`, [JSON.stringify(ids)]);
  db.run('DELETE FROM ended_sessions WHERE user_id NOT IN (SELECT user_id FROM users)');
}

/** Of the users that are there. */
export function endedSessions(db: Database): { user_id: string; last_seen_ms: number }[] {
  return db
    .all<{ user_id: string; last_seen_ms: number }>(
      'SELECT user_id, last_seen_ms FROM ended_sessions WHERE user_id IN (SELECT user_id FROM users)',
    )
    .map((row) => ({ ...row }));
}

export function sessions(db: Database): SessionRow[] {
  return db.all<SessionRow>('SELECT * FROM sessions').map((row) => ({ ...row }));
}

const writeTokenUse = upsert('api_token_uses', ['token_id'], ['calls', 'last_used_ms']);

/** Of tokens that are there; the uses of others go. */
export function saveTokenUses({ db }: Tx, rows: readonly TokenUseRow[]): void {
  for (const row of rows) writeTokenUse(db, row);
  db.run('DELETE FROM api_token_uses WHERE token_id NOT IN (SELECT token_id FROM api_tokens)');
}

export function tokenUses(db: Database): TokenUseRow[] {
  return db.all<TokenUseRow>('SELECT * FROM api_token_uses').map((row) => ({ ...row }));
}

const writeIdempotent = upsert(
  'idempotency_keys',
  ['user_id', 'operation', 'key'],
  ['fingerprint', 'response', 'at_ms'],
);

export function saveIdempotent({ db }: Tx, row: IdempotencyRow): void {
  writeIdempotent(db, row);
}

/** Keeps so many of a user's, the newest. */
export function trimIdempotent({ db }: Tx, { user_id, max }: { user_id: string; max: number }): void {
  db.run(
    `DELETE FROM idempotency_keys WHERE user_id = :user_id AND at_ms <= (
      SELECT at_ms FROM idempotency_keys WHERE user_id = :user_id ORDER BY at_ms DESC LIMIT 1 OFFSET :max
    )`,
    { user_id, max },
  );
}

export function idempotent(
  db: Database,
  key: Pick<IdempotencyRow, 'user_id' | 'operation' | 'key'>,
): IdempotencyRow | null {
  const row = db.get<IdempotencyRow>(
    'SELECT * FROM idempotency_keys WHERE user_id = :user_id AND operation = :operation AND key = :key',
    { ...key },
  );
  return row === undefined ? null : { ...row };
}
