import type { Tx } from '../operation.ts';
import { toJson } from './columns.ts';
import { inLog, logChanges } from './changesTable.ts';
import type { Database } from './database.ts';
import { newestFirst, type Listing, type Slice } from './newestFirst.ts';
import type { AuditQuery, AuditRow, ExportRow } from './rows.ts';

/** The rows of the change log that have an actor. */
const auditListing: Listing = {
  table: 'change_log',
  id: 'seq',
  sort: 'at_ms',
  byTime: 'change_log_audit',
  byVehicle: 'change_log_of_vehicle',
};

interface Stored extends Omit<AuditRow, 'before' | 'after'> {
  before: string | null;
  after: string | null;
}

/** Newest first. */
export function auditLog(db: Database, { limit, before, to_ms, ...query }: AuditQuery): Slice<AuditRow> {
  const { from_ms, actor, topic, action, resource_id } = query;
  const equal = Object.entries({ actor, topic, action, resource_id }).flatMap(([column, value]) =>
    value === undefined ? [] : [{ sql: `${column} = :${column}`, params: { [column]: value } }],
  );
  const { rows, next } = newestFirst<Stored>(db, auditListing, {
    limit,
    to_ms,
    ...(before && { before }),
    where: [
      { sql: 'actor IS NOT NULL', params: {}, byIndex: 'index' },
      { sql: 'at_ms >= :from_ms', params: { from_ms: from_ms ?? 0 }, byIndex: 'any' },
      ...equal,
    ],
  });
  return {
    next,
    rows: rows.map((row) => ({ ...row, before: fields(row.before), after: fields(row.after) })),
  };
}

const fields = (column: string | null) => (column === null ? null : toJson<Record<string, unknown>>(column));

/** That the caller was given data: which operation it was, and what was asked for. */
export function logExport(tx: Tx, { operation, asked }: ExportRow): void {
  const shortened = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, inLog(value)]));
  logChanges(tx, [{ topic: 'export', resource_id: operation, visible_to: null, after: shortened }]);
}
